import type pg from "pg";
import { Refusal } from "../../refusal.ts";

/**
 * A node takes ids from a range of its own: its number is in the bits above these, and the coordinator's number is 0.
 */
const NODE_BITS = 48;

/** The condition that an id came from no node: a database that is not distributed never reaches such ids. */
export const FROM_NO_NODE = `id::bigint >> ${NODE_BITS} = 0`;

/** Far more than any sequence returns; half of a node's range remains free after it. */
const MOST_IDS = 2n ** 47n;
const NODES = 32n;

/**
 * The condition that an id came from no sequence, neither here nor on a node: below 1, or larger than any sequence
 * returns.
 */
export const FROM_NO_SEQUENCE = `(id::bigint not between 1 and ${(NODES << BigInt(NODE_BITS)) - 1n}
  or (id::bigint & ${2n ** BigInt(NODE_BITS) - 1n}) >= ${MOST_IDS})`;

/**
 * How far the rows of one tenant may move a sequence that all tenants share. Ids further ahead do not move it: a
 * sequence that returns a thousand numbers a second reaches them in two years.
 */
export const REACH = 2n ** 36n;

/** The sequences of ids of distributed tables. */
const distributedSequences = `select p.logicalrelid::text as table, s.name::regclass::text as name
  from pg_dist_partition p join pg_attribute a on a.attrelid = p.logicalrelid and a.attname = 'id' and not a.attisdropped,
    pg_get_serial_sequence(p.logicalrelid::text, 'id') as s (name)
  where p.partmethod = 'h' and s.name is not null order by 1`;

type OfTable = { table: string; name: string };

/**
 * Moves the sequences of a distributed database's nodes past the ids of the rows. Loaded rows may have come from a node
 * of this or another cluster, and it or its successor would return the same ids again.
 * @param tenant the tenant whose rows were loaded; null: all tenants
 */
export async function passIdsOnNodes(client: pg.Client, tenant: string | null): Promise<void> {
  for (const { table, name } of (await client.query<OfTable>(distributedSequences)).rows) {
    const { rows: ranges } = await client.query<{ node: string; last: string }>(
      `select (id::bigint >> ${NODE_BITS})::text as node, max(id)::text as last from ${table}
      where not ${FROM_NO_NODE} ${tenant === null ? "" : "and tenant_id = $1"} group by 1`,
      tenant === null ? [] : [tenant],
    );
    if (ranges.length === 0) continue;
    const values = ranges.map(({ node, last }) => `(${node}, ${last})`).join(", ");
    await runOnNodes(
      client,
      `select setval('${name}', range.last) from (values ${values}) as range (node, last), pg_dist_local_group g
      where range.node = g.groupid and range.last >= (select last_value from ${name})
        ${tenant === null ? "" : `and range.last < (select last_value + ${REACH} from ${name})`}`,
    );
  }
}

/** Makes the sequences of a distributed database's nodes skip this number of values. */
export async function raiseSequencesOnNodes(client: pg.Client, by: number): Promise<void> {
  for (const { name } of (await client.query<OfTable>(distributedSequences)).rows) {
    await runOnNodes(client, `select setval('${name}', nextval('${name}') + ${by})`);
  }
}

async function runOnNodes(client: pg.Client, command: string): Promise<void> {
  const { rows } = await client.query<{ success: boolean; result: string }>(
    "select success, result from run_command_on_workers($1)",
    [command],
  );
  const failed = rows.find(({ success }) => !success);
  if (failed !== undefined) throw new Refusal(`A node cannot skip ids: ${failed.result}`);
}
