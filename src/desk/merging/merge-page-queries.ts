import { mergeableCompany, mergeableContact, type MergeableNoun } from "../../exchange/merging/mergeable-noun.ts";
import { quickQuery, slowQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Column } from "../../platform/postgres/statement.ts";

/** The tables whose deleted rows are hidden, and not counted. */
const HIDE_DELETED: ReadonlySet<string> = new Set(["contacts", "addresses", "payments"]);

const countOf = (table: string, link: string, condition: string): Column<number> =>
  column.number(`(select count(*) from ${table} t where t.tenant_id = $1 and t.${link} = $2 and ${condition})`);

function countMovingOf({ type, counted }: MergeableNoun, further: Readonly<Record<string, Column<number>>>) {
  const counts = counted.map((table) => {
    return [table, countOf(table, `${type}_id`, HIDE_DELETED.has(table) ? "t.deleted_at is null" : "true")] as const;
  });
  const moving = selectList<Record<string, Column<number>>>({ ...Object.fromEntries(counts), ...further });
  return slowQuery<[id: string]>(`count_moving_of_${type}`, `select ${moving.sql} where $1 > 0`).only(moving.read);
}

/** The numbers of rows that a merge moves; `orders`: the invoices that a warehouse has an order of. */
export const countMoving = {
  company: countMovingOf(mergeableCompany, { orders: countOf("invoices", "company_id", "t.wms_order_id is not null") }),
  contact: countMovingOf(mergeableContact, {}),
};

/** The changes of each that are looked through, the newest first. */
const LOOKED_THROUGH = 200;

const changesOf = (parameter: string) => `(
    select k.field, max(h.at) as at from (
      select h.at, h.changed from changes h
      where h.tenant_id = $1 and h.type = $4 and h.resource_id = ${parameter}::bigint
      order by h.at desc, h.id desc limit ${LOOKED_THROUGH}
    ) h cross join lateral json_object_keys(h.changed::json) k (field) group by k.field
  )`;

/**
 * By field, the one of two companies or contacts whose value was written later. A field without an entry: written at
 * one moment, or not among those changes of both.
 */
export const newerByField = quickQuery<[id: string, otherId: string, type: MergeableNoun["type"]]>(
  "newer_by_field",
  `select one.field, case when one.at > other.at then $2 else $3 end
  from ${changesOf("$2")} one join ${changesOf("$3")} other on other.field = one.field
  where one.at <> other.at`,
).of((rows) => new Map(rows.map(([field, id]) => [String(field), String(id)])));
