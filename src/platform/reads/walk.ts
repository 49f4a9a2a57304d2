import type { Row } from "../postgres/statement.ts";
import { orderText, positionSql, type RowOrder } from "./order.ts";

/** Rows of a list, and the position (as a text) after which the next ones come; null at the list's end. */
export type Walked = { rows: Row[]; next: string | null };

/** The result for a list whose filters can match nothing. */
export const NOTHING_BEHIND: Walked = { rows: [], next: null };

/**
 * A statement that reads a list after a position. It stops once it has found enough rows (`:found`), or read enough
 * (`:scanned`). If filters leave few or none of the rows read, that is still a page. So each page of a list takes a
 * bounded time.
 * @param seen selects the rows after the position, in the list's order, up to `:scanned`: the columns that the order
 *   and `matches` read
 * @param matches the filters, over the alias `k`
 */
export function walkText({
  table,
  columns,
  order,
  seen,
  matches,
}: {
  table: string;
  columns: string;
  order: RowOrder;
  seen: string;
  matches: string;
}): string {
  // PostgreSQL reads only the rows of `seen` that the other parts need.
  return `with seen as materialized (
    ${seen}
  ), found as materialized (
    select k.id from seen k where ${matches} limit :found
  ), reached as materialized (
    select case when (select count(*) from found) < :found then (
      select ${positionSql(order)} from (select * from seen offset :scanned - 1 limit 1) k
    ) end as position
  )
  select reached.position, ${positionSql(order)}, ${columns}
  from reached left join ${table} k on k.tenant_id = $1 and k.id = any(array(select id from found))
  order by ${orderText(order)}`;
}

/** The rows that a page's statement reads: one more than the page has, which shows whether there is a next page. */
export function rowsToRead(perPage: number): number {
  return perPage + 1;
}

/** The page from the rows of such a statement. */
export function walked(found: Row[], perPage: number): Walked {
  const rows = found.filter(([, , id]) => id !== null);
  const next = rows.length > perPage ? rows[perPage - 1]?.[1] : found[0]?.[0];
  return { rows: rows.slice(0, perPage).map(([, , ...row]) => row), next: next ?? null };
}
