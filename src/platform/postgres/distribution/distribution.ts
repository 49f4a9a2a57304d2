import type pg from "pg";
import { Refusal } from "../../refusal.ts";
import { advisoryLocks, tryLock } from "../advisory-locks.ts";
import { asOwner } from "../as-owner.ts";
import type { Connection } from "../database.ts";
import { prepareNodes } from "./distributed-nodes.ts";
import { makeDropped, readDropped, withoutKeysAndTriggers } from "./dropped-keys.ts";
import { passIdsOnNodes } from "./node-sequences.ts";

/**
 * Distributes the tenants over the nodes of a Citus cluster: `tenants` becomes a reference table, and every table with
 * a tenant_id is distributed by it, all co-located. Returns the tables that were not distributed before. Each step
 * commits separately (Citus restricts what may follow a parallel step in its transaction), and the next run finishes an
 * interrupted one. Throws Refusal if the database has no Citus, or a node rejects the connections of requests.
 */
export async function distribute(connection: Connection): Promise<string[]> {
  return await asOwner(connection, async (client) => {
    if (!(await hasCitus(client))) {
      throw new Refusal("This database has no extension citus: only a Citus cluster can be distributed.");
    }
    const tables = await distributeTables(client, connection);
    await passIdsOnNodes(client, null);
    return tables;
  });
}

/**
 * Allows a migration to change distributed tables: its transaction uses one connection to each node and may create
 * triggers. Triggers write to the node of the row that fires them, as Citus requires.
 */
export async function allowMigrations(client: pg.Client): Promise<void> {
  if (!(await isDistributed(client))) return;
  await client.query("set citus.multi_shard_modify_mode = 'sequential'");
  await client.query("set citus.enable_unsafe_triggers = on");
}

/**
 * Distributes the tables that a migration has created on a distributed database. Finishes a distribution that was
 * killed, or undoes it if it had not distributed any table.
 */
export async function distributeMigrated(client: pg.Client, connection: Connection): Promise<void> {
  const isUnfinished = await isBeingDistributed(client);
  if (await isDistributed(client)) {
    await distributeTables(client, connection);
    if (isUnfinished) await passIdsOnNodes(client, null);
  } else if (isUnfinished) {
    await lockDistribution(client);
    await makeDropped(client);
  }
}

/** Whether a distribution was killed, or runs: keys and triggers are missing. */
export async function isBeingDistributed(client: pg.Client): Promise<boolean> {
  return (await readDropped(client)).length > 0;
}

async function lockDistribution(client: pg.Client): Promise<void> {
  if (await tryLock(client, advisoryLocks.distribution)) return;
  throw new Refusal("The database is being distributed by another process.");
}

async function hasCitus(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query("select from pg_extension where extname = 'citus'");
  return rowCount === 1;
}

/** Whether tenants are spread over nodes. */
export async function isDistributed(client: pg.Client): Promise<boolean> {
  if (!(await hasCitus(client))) return false;
  const { rowCount } = await client.query(`${distributedTables} limit 1`);
  return rowCount === 1;
}

async function distributeTables(client: pg.Client, connection: Connection): Promise<string[]> {
  await lockDistribution(client);
  const tables = await undistributedTables(client);
  await client.query("set citus.enable_unsafe_triggers = on");
  await withoutKeysAndTriggers(client, tables, async () => {
    for (const table of tables) await distributeTable(client, table);
  });
  await prepareNodes(client, connection);
  return tables;
}

/** `tenants` first, then every table with a tenant_id, so that new tables are included at once. */
async function undistributedTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not relation_is_a_known_shard(c.oid)
      and (c.relname = 'tenants' or exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
      ))
      and not exists (
        select from pg_dist_partition d
        where d.logicalrelid = c.oid and (d.partmethod = 'h' or (d.partmethod = 'n' and d.repmodel = 't'))
      )
    order by c.relname <> 'tenants', c.relname`,
  );
  return rows.map(({ name }) => name);
}

const distributedTables = `select logicalrelid::text as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
  where p.partmethod = 'h' and c.relnamespace = 'public'::regnamespace order by 1`;

/** The rows are copied to the nodes; a copy that stays on the coordinator would survive their deletion. */
async function distributeTable(client: pg.Client, table: string): Promise<void> {
  if (table === "tenants") {
    await client.query("select create_reference_table($1)", [table]);
  } else {
    const { rows } = await client.query<{ name: string }>(`${distributedTables} limit 1`);
    await client.query("select create_distributed_table($1, 'tenant_id', colocate_with => $2)", [
      table,
      rows[0]?.name ?? "default",
    ]);
  }
  await client.query("select truncate_local_data_after_distributing_table($1)", [table]);
}
