import type pg from "pg";
import { advisoryLocks, tryLock } from "./advisory-locks.ts";
import { asOwner, type Connection } from "./database.ts";
import { Refusal } from "../refusal.ts";
import { deleteSetting, readSetting, writeSetting } from "./settings.ts";

type ForeignKey = { table: string; name: string; definition: string };

/** Where the foreign keys are kept while they are dropped, so that a run after a crash puts them back. */
const SET_ASIDE = "distribution_foreign_keys";

/**
 * Spreads the tenants over the nodes of a Citus cluster: `tenants` becomes a reference table, every table with a
 * tenant_id is distributed by it, all of them co-located. Returns the tables that were not distributed yet. Each step
 * commits for itself (Citus restricts what may follow a parallel step in its transaction), and a run that was cut short
 * is finished by the next. Throws Refusal where the database has no Citus.
 */
export async function distribute(connection: Connection): Promise<string[]> {
  return await asOwner(connection, async (client) => {
    const citus = await client.query("select from pg_extension where extname = 'citus'");
    if (citus.rowCount === 0) {
      throw new Refusal("This database has no extension citus: only a Citus cluster can be distributed.");
    }
    if (!(await tryLock(client, advisoryLocks.distribution))) {
      throw new Refusal("The database is being distributed by another process.");
    }

    const tables = await undistributedTables(client);
    await setForeignKeysAside(client, tables);
    // The triggers write to company_count_changes, on the same node as the company: what Citus warns of cannot happen.
    await client.query("set citus.enable_unsafe_triggers = on");
    for (const table of tables) await distributeTable(client, table);
    await restoreForeignKeys(client);
    await propagateTenant(client);
    return tables;
  });
}

/** `tenants` first, then every table with a tenant_id, so that new ones are covered the day they appear. */
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

/** A table is distributed before it references a reference table, and no local table may reference a distributed one. */
async function setForeignKeysAside(client: pg.Client, tables: string[]): Promise<void> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and conparentid = 0
      and (conrelid = any ($1::regclass[]::oid[]) or confrelid = any ($1::regclass[]::oid[]))
    order by conrelid::regclass::text, conname`,
    [tables],
  );
  const setAside = [...(await foreignKeysSetAside(client)), ...rows];
  await client.query("begin");
  await writeSetting(client, SET_ASIDE, JSON.stringify(setAside));
  for (const { table, name } of rows) {
    await client.query(`alter table ${table} drop constraint ${client.escapeIdentifier(name)}`);
  }
  await client.query("commit");
}

async function foreignKeysSetAside(client: pg.Client): Promise<ForeignKey[]> {
  return JSON.parse((await readSetting(client, SET_ASIDE)) ?? "[]") as ForeignKey[];
}

/** The rows are copied to the nodes; what stays behind on the coordinator would outlive their deletion. */
async function distributeTable(client: pg.Client, table: string): Promise<void> {
  if (table === "tenants") {
    await client.query("select create_reference_table($1)", [table]);
  } else {
    const { rows } = await client.query<{ name: string }>(
      `select logicalrelid::text as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
      where p.partmethod = 'h' and c.relnamespace = 'public'::regnamespace order by 1 limit 1`,
    );
    await client.query("select create_distributed_table($1, 'tenant_id', colocate_with => $2)", [
      table,
      rows[0]?.name ?? "default",
    ]);
  }
  await client.query("select truncate_local_data_after_distributing_table($1)", [table]);
}

async function restoreForeignKeys(client: pg.Client): Promise<void> {
  for (const { table, name, definition } of await foreignKeysSetAside(client)) {
    const existing = await client.query(
      "select from pg_constraint where conrelid = $1::regclass and conname = $2 and contype = 'f'",
      [table, name],
    );
    if (existing.rowCount === 0) {
      await client.query(`alter table ${table} add constraint ${client.escapeIdentifier(name)} ${definition}`);
    }
  }
  await deleteSetting(client, SET_ASIDE);
}

/** Row-level security on the nodes needs the tenant that `set local` names here. It counts for new connections. */
async function propagateTenant(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>("select current_database() as name");
  const database = client.escapeIdentifier(rows[0]?.name ?? "");
  await client.query(`alter database ${database} set citus.propagate_set_commands = 'local'`);
}
