import type pg from "pg";
import { Refusal } from "../../refusal.ts";

/** A node draws ids from a range of its own: its number stands above these bits, and the coordinator's is 0. */
const NODE_BITS = 48;

/** The condition that an id was drawn by no node: what is not distributed never comes as far. */
export const DRAWN_BY_NO_NODE = `id::bigint >> ${NODE_BITS} = 0`;

/** Far beyond what any sequence gives out; half of a node's range stays for what comes behind it. */
const MOST_IDS = 2n ** 47n;
const NODES = 32n;

/** The condition that an id was drawn from no sequence, neither here nor on a node: below 1, or beyond what any gives out. */
export const GIVEN_OUT_BY_NOBODY = `(id::bigint not between 1 and ${(NODES << BigInt(NODE_BITS)) - 1n}
  or (id::bigint & ${2n ** BigInt(NODE_BITS) - 1n}) >= ${MOST_IDS})`;

/**
 * The numbers by which the rows of one tenant move a sequence that all share. Ids that are further ahead are left where they are: a sequence
 * that gives out a thousand numbers a second comes there in two years.
 */
export const REACH = 2n ** 36n;

/** The sequences of ids of distributed tables. */
const distributedSequences = `select p.logicalrelid::text as table, s.name::regclass::text as name
  from pg_dist_partition p join pg_attribute a on a.attrelid = p.logicalrelid and a.attname = 'id' and not a.attisdropped,
    pg_get_serial_sequence(p.logicalrelid::text, 'id') as s (name)
  where p.partmethod = 'h' and s.name is not null order by 1`;

type OfTable = { table: string; name: string };

/**
 * Moves the sequences of a distributed database's nodes beyond the ids that rows have: rows that were loaded may have come from a node, of this
 * cluster or of another one, and it or its successor would draw the same ids again.
 * @param tenant whose rows were loaded; null: everybody's
 */
export async function passIdsOnNodes(client: pg.Client, tenant: string | null): Promise<void> {
  for (const { table, name } of (await client.query<OfTable>(distributedSequences)).rows) {
    const { rows: ranges } = await client.query<{ node: string; last: string }>(
      `select (id::bigint >> ${NODE_BITS})::text as node, max(id)::text as last from ${table}
      where not ${DRAWN_BY_NO_NODE} ${tenant === null ? "" : "and tenant_id = $1"} group by 1`,
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

/** Has the sequences of a distributed database's nodes leave out so many numbers. */
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
  if (failed !== undefined) throw new Refusal(`A node cannot pass over ids: ${failed.result}`);
}
