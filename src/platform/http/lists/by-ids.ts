import type { ListPage } from "../../postgres/read-page.ts";
import { oneValue, type Row } from "../../postgres/statement.ts";

/**
 * The rows `k` of a table that have one of few ids. Each is looked up by itself, so the plan is the same for tenants of
 * any size.
 * @param ids an array as SQL
 * @param condition on each row
 */
export function fewRows(table: string, ids: string, condition: string): string {
  return `(select k.* from unnest(${ids}::bigint[]) few (id) cross join lateral (
    select k.* from ${table} k where k.tenant_id = $1 and k.id = few.id and ${condition} limit 1
  ) k)`;
}

/**
 * A statement that reads a page of a list among few ids: a row for each, which begins with the total. $2 and $3: limit
 * and offset. $4: the ids (bigint[]).
 * @param listed the condition of the list's rows
 * @param matches the filters
 * @param parent selects one row; none if the list does not exist
 */
export function fewText({
  table,
  columns,
  order,
  listed,
  matches,
  parent = "select",
}: {
  table: string;
  columns: string;
  order: string;
  listed: string;
  matches: string;
  parent?: string;
}): string {
  return `with found as materialized (
    select k.* from ${fewRows(table, "$4", listed)} k where ${matches}
  ), page as materialized (
    select k.* from found k order by ${order} limit $2 offset $3
  )
  select (select count(*) from found), ${columns} from (${parent}) parent left join page k on true
  order by ${order}`;
}

/** The page from the rows of such a statement; null if the list does not exist. */
export function fewPage(found: Row[]): ListPage | null {
  const total = oneValue(found);
  return total === null
    ? null
    : { rows: found.map(([, ...row]) => row).filter(([id]) => id !== null), total: Number(total) };
}
