import type { Row } from "../../postgres/statement.ts";

/** The position of a row in its list's order: the values that the order compares, as PostgreSQL's texts. */
export type Position = readonly (string | null)[];

/** Rows of a list, and the position (as a text) after which the next ones come; null at the list's end. */
export type Walked = { rows: Row[]; next: string | null };

/** The result for a list whose filters can match nothing. */
export const NOTHING_BEHIND: Walked = { rows: [], next: null };

/** The largest id that there can be. */
export const LAST_ID = "9223372036854775807";

/** The most rows to read ($2) and to find ($3): a walk's first parameters after the tenant. */
const [LOOKED_AT, FOUND] = ["$2", "$3"];

/**
 * A statement that reads a list after a position. It stops once it has found enough rows, or read enough. If filters
 * leave few or none of the rows read, that is still a page. So each page of a list takes a bounded time.
 * @param seen selects the rows after the position, in the list's order, up to $2: their ids, and the columns that
 *   `position` and `matches` read
 * @param matches the filters, over the alias `k`
 * @param position the values that the list's order compares, over the alias `k`
 */
export function walkText({
  table,
  columns,
  order,
  position,
  seen,
  matches,
}: {
  table: string;
  columns: string;
  order: string;
  position: readonly string[];
  seen: string;
  matches: string;
}): string {
  const positionText = `json_build_array(${position.map((part) => `(${part})::text`).join(", ")})::text`;
  // PostgreSQL reads only the rows of `seen` that the other parts need.
  return `with seen as materialized (
    ${seen}
  ), found as materialized (
    select k.id from seen k where ${matches} limit ${FOUND}
  ), reached as materialized (
    select case when (select count(*) from found) < ${FOUND} then (
      select ${positionText} from (select * from seen offset ${LOOKED_AT} - 1 limit 1) k
    ) end as position
  )
  select reached.position, ${positionText}, ${columns}
  from reached left join ${table} k on k.tenant_id = $1 and k.id = any(array(select id from found))
  order by ${order}`;
}

/** The rows that a page's statement reads: one more than the page has, which shows whether there is a next page. */
export function lookedFor(perPage: number): number {
  return perPage + 1;
}

/** The page from the rows of such a statement. */
export function walked(found: Row[], perPage: number): Walked {
  const rows = found.filter(([, , id]) => id !== null);
  const next = rows.length > perPage ? rows[perPage - 1]?.[1] : found[0]?.[0];
  return { rows: rows.slice(0, perPage).map(([, , ...row]) => row), next: next ?? null };
}
