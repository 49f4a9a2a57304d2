import type { Database } from "../platform/postgres/database.ts";
import type { Row, Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import type { EncryptedTable } from "./encrypted-tables.ts";

/**
 * Up to `limit` rows with a value that another key than the named one encrypted, by ascending id after `afterId`: the
 * id, then the stored values in the order of the table's columns. Deleted rows are among them.
 */
export async function staleRows(
  tenant: TenantId,
  database: Database,
  { name, columns }: EncryptedTable,
  keyId: string,
  afterId: string,
  limit: number,
): Promise<Row[]> {
  const stale = columns.map((column) => `not starts_with(${column}, $3)`).join(" or ");
  const statement: Statement = {
    name: `stale_rows_of_${name}`,
    text: `select id, ${columns.join(", ")} from ${name} where tenant_id = $1 and id > $2 and (${stale})
      order by id limit $4`,
  };
  return await database.slow.read(tenant, statement, [afterId, `${keyId}:`, limit]);
}

/**
 * Replaces stored values and returns how many rows that changed. A value that was written in the meantime is left as
 * it is; `updated_at` too, because nothing that a client sees changes.
 * @param before rows as staleRows() returns them
 * @param after the same rows with the new values; one that is to stay is as before
 */
export async function replaceValues(
  tenant: TenantId,
  database: Database,
  { name, columns }: EncryptedTable,
  before: Row[],
  after: Row[],
): Promise<number> {
  const numbered = columns.map((column, index) => ({ column, old: `old${index}`, next: `new${index}`, at: 2 * index }));
  const each = (write: (item: (typeof numbered)[number]) => string, separator = ", ") =>
    numbered.map(write).join(separator);
  const statement: Statement = {
    name: `replace_values_of_${name}`,
    text: `update ${name} t
      set ${each(({ column, old, next }) => `${column} = case when t.${column} = v.${old} then v.${next} else t.${column} end`)}
      from unnest($2::bigint[], ${each(({ at }) => `$${at + 3}::text[], $${at + 4}::text[]`)})
        as v (id, ${each(({ old, next }) => `${old}, ${next}`)})
      where t.tenant_id = $1 and t.id = v.id
        and (${each(({ column, old, next }) => `t.${column} = v.${old} and v.${next} <> v.${old}`, " or ")})
      returning t.id`,
  };
  const valuesOf = (rows: Row[], index: number) => rows.map((row) => row[index] ?? null);
  const values = columns.flatMap((_, index) => [valuesOf(before, index + 1), valuesOf(after, index + 1)]);
  const [changed] = await database.write(tenant, [{ statement, parameters: [valuesOf(before, 0), ...values] }]);
  return changed?.length ?? 0;
}
