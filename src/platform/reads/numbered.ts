import type { PageQuery } from "../http/lists/pagination.ts";
import type { Database } from "../postgres/database.ts";
import { callOf, namedStatement, type NamedValues } from "../postgres/query.ts";
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
    const calls = [callOf(count, values), callOf(pages, { ...values, limit: perPage, offset })];
    const [counted, rows = []] = await database[reader].readAll(tenant, calls);
    return { rows: rows.map((row) => columns.read(row)), total: Number(oneValue(counted)) };
  };
}

/** Rows as they are, for lists that are written as JSON by position. */
export function rowsOf(sql: string): { sql: string; read: (row: Row) => Row } {
  return { sql, read: (row) => row };
}
