import type pg from "pg";
import { Refusal } from "../refusal.ts";
import { isDistributed } from "./distribution/distribution.ts";
import {
  FROM_NO_NODE,
  FROM_NO_SEQUENCE,
  passIdsOnNodes,
  raiseSequencesOnNodes,
  REACH,
} from "./distribution/node-sequences.ts";

/** A table and its columns except generated ones; each name as SQL writes it. */
export type StoredTable = { name: string; columns: string[] };

/** The rows of a table that are wanted: all, or those under a condition of SQL. */
export type WantedRows = StoredTable & { condition?: string | undefined };

/**
 * Rows in the text format of COPY, one line each, in pieces. They must be read to their end before the next part is
 * requested.
 */
export type PartOfTable = { table: StoredTable; pieces: AsyncIterable<Buffer> };

/** The state of a sequence; `last` is 64 bits wide, hence text. */
export type StoredSequence = { name: string; last: string; isCalled: boolean };

/** A long read or load must not depend on the settings of the role. */
export const WITHOUT_LIMITS =
  "set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0";

/** Belongs to the schema itself, not to an extension. */
const OURS = `c.relnamespace = 'public'::regnamespace
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;

/** Every table of the database, as the catalogue has them, by name. */
export async function listTables(client: pg.Client): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable>(
    `select quote_ident(c.relname) as name, array_agg(quote_ident(a.attname) order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind in ('r', 'p') and not c.relispartition and ${OURS}
    group by c.relname order by c.relname`,
  );
  return rows;
}

/** A foreign key, by the names of its tables. */
export type ForeignKey = { from: string; to: string };

export async function listForeignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select distinct conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace`,
  );
  return rows;
}

/** The current value of every sequence, whatever snapshot the transaction has. */
export async function readSequences(client: pg.Client): Promise<StoredSequence[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(c.relname) as name from pg_class c where c.relkind = 'S' and ${OURS} order by c.relname`,
  );
  if (rows.length === 0) return [];
  const each = rows.map(
    ({ name }) => `select '${name}' as name, last_value::text as last, is_called as "isCalled" from ${name}`,
  );
  return (await client.query<StoredSequence>(each.join(" union all "))).rows;
}

/** Makes every sequence skip this number of values, safely while others draw from it. */
export async function raiseSequences(client: pg.Client, by: number): Promise<number> {
  const sequences = await readSequences(client);
  for (const { name } of sequences)
    await client.query("select setval($1::regclass, nextval($1::regclass) + $2)", [name, by]);
  if (await isDistributed(client)) await raiseSequencesOnNodes(client, by);
  return sequences.length;
}

/**
 * Moves the sequences of ids past the ids of a tenant's rows, while others may draw from them. Values that they draw in
 * the meantime are skipped too: a sequence never goes back. Throws Refusal for an id that no sequence returns: the
 * author of the file invented it.
 */
export async function passIdsOf(client: pg.Client, tenant: string, tables: readonly StoredTable[]): Promise<void> {
  for (const { name } of tables.filter(({ columns }) => columns.includes("id"))) {
    const { rows } = await client.query("select from pg_get_serial_sequence($1, 'id') as s where s is not null", [
      name,
    ]);
    // The one row of a tenant has the id 0.
    if (rows.length === 0) continue;
    const strange = await client.query<{ id: string }>(
      `select id::text from ${name} where tenant_id = $1 and ${FROM_NO_SEQUENCE} limit 1`,
      [tenant],
    );
    const [row] = strange.rows;
    if (row !== undefined)
      throw new Refusal(`The file has a row of ${name} with the id ${row.id}, which no instance gives out.`);
    await client.query(
      `select setval(sequence.name, last.id + 100000) from pg_get_serial_sequence($2, 'id') as sequence (name),
        (select max(id) as id from ${name} where tenant_id = $1 and ${FROM_NO_NODE}) as last,
        (select format('%I.%I', schemaname, sequencename)::regclass as name, coalesce(last_value, 0) as last_value from pg_sequences) as s
      where s.name = sequence.name::regclass and last.id between s.last_value and s.last_value + ${REACH}`,
      [tenant, name],
    );
  }
  if (await isDistributed(client)) await passIdsOnNodes(client, tenant);
}

/** Sets sequences to stored states, in an empty database. */
export async function setSequences(client: pg.Client, sequences: readonly StoredSequence[]): Promise<void> {
  for (const { name, last, isCalled } of sequences) {
    await client.query("select setval($1::regclass, $2, $3)", [name, last, isCalled]);
  }
}
