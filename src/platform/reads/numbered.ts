import type { PageQuery } from "../http/lists/pagination.ts";
import type { Database, Reader } from "../postgres/database.ts";
import { callWith, namedStatement, type NamedStatement, type NamedValues } from "../postgres/query.ts";
import { oneValue, type Row } from "../postgres/statement.ts";
import type { TenantId } from "../postgres/tenant-id.ts";

/** A page's rows, and the number of all rows. */
export type ListPage<T = Row> = { rows: T[]; total: number };

/**
 * A list without filters that is read in numbered pages alone, described once. `condition` and `order` may use the
 * table's alias and named parameters, whose values are the last argument.
 * @param beside joins that the columns need; they do not change the number of rows
 */
export function numberedList<T = Row>(
  name: string,
  list: { reader: "quick" | "slow"; table: string; beside?: string; condition: string; order: string },
  columns: { sql: string; read: (row: Row) => T },
): (tenant: TenantId, database: Database, page: PageQuery, values?: NamedValues) => Promise<ListPage<T>> {
  const { reader, table, beside = "", condition, order } = list;
  const count = namedStatement(`count_${name}`, `select count(*) from ${table} where ${condition}`);
  const pages = namedStatement(
    `list_${name}`,
    `select ${columns.sql} from ${table} ${beside} where ${condition} order by ${order} limit :limit offset :offset`,
  );
  return async (tenant, database, { perPage, offset }, values = {}) => {
    const all = { ...values, limit: perPage, offset };
    const found = await readNumbered(tenant, database[reader], { count, page: pages }, all);
    return { rows: found?.rows.map((row) => columns.read(row)) ?? [], total: found?.total ?? 0 };
  };
}

/** A numbered page, and the number of all rows. The count has no row if the list does not exist. */
export type NumberedStatements = { count: NamedStatement; page: NamedStatement };

/** Reads both on one snapshot; null if the list does not exist. */
export async function readNumbered(
  tenant: TenantId,
  reader: Reader,
  { count, page }: NumberedStatements,
  values: NamedValues,
): Promise<ListPage | null> {
  const [counted, rows = []] = await reader.readAll(tenant, [callWith(count, values), callWith(page, values)]);
  const total = oneValue(counted);
  return total === null ? null : { rows, total: Number(total) };
}

/** Rows as they are, for lists that are written as JSON by position. */
export function rowsOf(sql: string): { sql: string; read: (row: Row) => Row } {
  return { sql, read: (row) => row };
}
