import { oneValue, type Row } from "../postgres/statement.ts";
import type { ListPage } from "./numbered.ts";
import { orderText, type RowOrder } from "./order.ts";

/**
 * The rows `k` of a table that have one of few ids (`:ids`). Each is looked up by itself, so the plan is the same for
 * tenants of any size.
 * @param condition on each row
 */
export function fewRows(table: string, condition: string): string {
  return `(select k.* from unnest(:ids::bigint[]) few (id) cross join lateral (
    select k.* from ${table} k where k.tenant_id = $1 and k.id = few.id and ${condition} limit 1
  ) k)`;
}

/**
 * A statement that finds all matches and reads a page of them (`:limit`, `:offset`): a row for each, which begins with
 * the total. Beyond the last page there is one row, with the total alone.
 * @param found selects the matches: whole rows, or their ids and the values of the order
 * @param isWhole whether `found` has whole rows
 * @param parent selects one row; none if the list does not exist
 */
export function foundText({
  table,
  columns,
  order,
  found,
  isWhole,
  parent,
}: {
  table: string;
  columns: string;
  order: RowOrder;
  found: string;
  isWhole: boolean;
  parent: string;
}): string {
  const page = isWhole ? "page k on true" : `${table} k on k.tenant_id = $1 and k.id = any(array(select id from page))`;
  return `with found as materialized (
    ${found}
  ), page as materialized (
    select ${isWhole ? "k.*" : "k.id"} from found k order by ${orderText(order)} limit :limit offset :offset
  )
  select (select count(*) from found), ${columns} from (${parent}) parent left join ${page}
  order by ${orderText(order)}`;
}

/** The page from the rows of such a statement; null if the list does not exist. */
export function foundPage(found: Row[]): ListPage | null {
  const total = oneValue(found);
  return total === null
    ? null
    : { rows: found.map(([, ...row]) => row).filter(([id]) => id !== null), total: Number(total) };
}
