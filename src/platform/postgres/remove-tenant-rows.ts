import type pg from "pg";
import { sleep, steady } from "../clock.ts";
import { hasCode } from "./failures.ts";
import type { TenantId } from "./tenant-id.ts";

/** A table of tenants' rows, the columns of its primary key behind `tenant_id`, and the tables that it references. */
type TenantTable = { name: string; key: KeyColumn[]; references: string[] };
type KeyColumn = { name: string; type: string };

/**
 * Rows per step. Each step is a transaction, short enough that others wait for it for some tens of milliseconds only.
 */
export const ROWS_OF_STEP = 500;

const tenantTables = `select c.oid::regclass::text as name,
    array(select distinct f.confrelid::regclass::text from pg_constraint f where f.contype = 'f' and f.conrelid = c.oid) as references,
    coalesce((
      select json_agg(json_build_object('name', quote_ident(a.attname), 'type', format_type(a.atttypid, null)) order by k.place)
      from pg_index i, unnest(i.indkey::smallint[]) with ordinality as k (attnum, place)
      join pg_attribute a on a.attnum = k.attnum and a.attname <> 'tenant_id'
      where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid
    ), '[]') as key
  from pg_class c join pg_attribute t on t.attrelid = c.oid and t.attname = 'tenant_id' and not t.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  order by c.relname <> 'jobs', c.relname`;

export type Removal = {
  /** Throws its reason between two steps. */
  signal: AbortSignal;
  /** Called after each step with the number of rows that it removed from a table. */
  onRemoved: (table: string, rows: number) => void;
};

/**
 * Removes all rows of a tenant from every table, step by step. Rows that are written in the meantime are removed too:
 * it repeats until one pass over the tables finds nothing.
 */
export async function removeTenantRows(client: pg.Client, tenant: TenantId, removal: Removal): Promise<void> {
  const { rows } = await client.query<TenantTable>(tenantTables);
  const tables = referencingFirst(rows);
  for (let removed = -1; removed !== 0;) {
    removed = 0;
    let refusal: unknown = null;
    const onRemoved: Removal["onRemoved"] = (table, count) => {
      removed += count;
      removal.onRemoved(table, count);
    };
    for (const table of tables) {
      await empty(client, tenant, table, { ...removal, onRemoved }).catch((error: unknown) => {
        // A row that references it was written in the meantime: the next pass finds that row first.
        if (!hasCode(error, "23503")) throw error;
        refusal = error;
      });
    }
    if (removed === 0 && refusal !== null) throw refusal;
  }
}

/** Jobs first, so that no worker starts one; then each table before the tables that it references. */
function referencingFirst(tables: readonly TenantTable[]): TenantTable[] {
  const ordered: TenantTable[] = [];
  for (let left = [...tables]; left.length > 0;) {
    const isFree = ({ name }: TenantTable) =>
      left.every((other) => other.name === name || !other.references.includes(name));
    const next = left.find(isFree) ?? left[0];
    ordered.push(...(next === undefined ? [] : [next]));
    left = left.filter((table) => table !== next);
  }
  return ordered;
}

/**
 * Each step starts after the key of the one before, because removed rows stay in the index for a while. After each step
 * it pauses for as long as the step ran.
 */
async function empty(
  client: pg.Client,
  tenant: TenantId,
  { name, key }: TenantTable,
  { signal, onRemoved }: Removal,
): Promise<void> {
  for (let behind: string[] | null = []; behind !== null;) {
    signal.throwIfAborted();
    const startedAt = steady();
    const rest: string = `from ${name} t where tenant_id = $1${behind.length === 0 ? "" : compared(key, ">", 2)}`;
    const last: string[] | null = key.length === 0 ? null : await lastOfStep(client, key, rest, [tenant, ...behind]);
    const upTo = last === null ? "" : compared(key, "<=", 2 + behind.length);
    const { rowCount } = await client.query(`delete ${rest}${upTo}`, [tenant, ...behind, ...(last ?? [])]);
    if (rowCount !== null && rowCount > 0) onRemoved(name, rowCount);
    behind = last;
    await sleep(steady() - startedAt);
  }
}

/** The key of the last row of a step; null if the step reaches the end. */
async function lastOfStep(
  client: pg.Client,
  key: readonly KeyColumn[],
  rest: string,
  values: string[],
): Promise<string[] | null> {
  // Under other names: otherwise a cluster, or without the alias any PostgreSQL, would order by the texts.
  const texts = key.map(({ name }, index) => `t.${name}::text as part_${index}`).join(", ");
  const order = key.map(({ name }) => `t.${name}`).join(", ");
  const text = `select ${texts} ${rest} order by ${order} offset ${ROWS_OF_STEP - 1} limit 1`;
  const { rows } = await client.query<string[]>({ text, values, rowMode: "array" });
  return rows[0] ?? null;
}

/**
 * The condition that a row's key comes after, or not after, a key whose parts are the parameters from number `from` on.
 */
function compared(key: readonly KeyColumn[], operator: ">" | "<=", from: number): string {
  const place = key.map(({ type }, index) => `$${from + index}::${type}`);
  return ` and (${key.map(({ name }) => name).join(", ")}) ${operator} (${place.join(", ")})`;
}
