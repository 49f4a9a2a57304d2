import { MOVED_TABLES } from "../../exchange/merging/merge-queries.ts";
import { quickQuery, slowQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Column } from "../../platform/postgres/statement.ts";

const countOf = (from: string, condition = "true"): Column<number> =>
  column.number(`(select count(*) from ${from} t where t.tenant_id = $1 and t.company_id = $2 and ${condition})`);

const moving = selectList({
  ...(Object.fromEntries(MOVED_TABLES.map((table) => [table, countOf(table)])) as Record<
    (typeof MOVED_TABLES)[number],
    Column<number>
  >),
  contacts: countOf("contacts", "t.deleted_at is null"),
  addresses: countOf("addresses", "t.deleted_at is null"),
  payments: countOf("payments", "t.deleted_at is null"),
  /** The invoices that a warehouse has an order of. */
  orders: countOf("invoices", "t.wms_order_id is not null"),
});

/** The rows of a company that a merge moves, in numbers. */
export const countMoving = slowQuery<[companyId: string]>("count_moving", `select ${moving.sql} where $1 > 0`).only(
  moving.read,
);

/** The changes of each company that are looked through, the newest first. */
const LOOKED_THROUGH = 200;

const changesOf = (parameter: string) => `(
    select k.field, max(h.at) as at from (
      select h.at, h.changed from changes h
      where h.tenant_id = $1 and h.type = 'company' and h.resource_id = ${parameter}::bigint
      order by h.at desc, h.id desc limit ${LOOKED_THROUGH}
    ) h cross join lateral json_object_keys(h.changed::json) k (field) group by k.field
  )`;

/** The fields of the first company that were written later than those of the second. */
export const fieldsNewerIn = quickQuery<[companyId: string, otherId: string]>(
  "fields_newer_in",
  `select one.field from ${changesOf("$2")} one join ${changesOf("$3")} other on other.field = one.field
  where one.at > other.at`,
).all(([field]) => String(field));
