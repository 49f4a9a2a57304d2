import { quickQuery, writeQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";

/** Whether there is a row: by the first of an index, because `exists` may look at all of them. */
const hasAny = (from: string, by = "id") => `(select id from ${from} order by ${by} limit 1) is not null`;

/** Since when the orders of the earliest invoices are shipped, some of each usual status: no index has the moment. */
const shippedEarly = ["shipped", "delivered", "completed", "closed"]
  .map(
    (status) => `(
    select coalesce(wms_moved_at, wms_updated_at, wms_synced_at) as at from invoices
    where tenant_id = $1 and wms_shown = 'final:${status}' order by issued_on nulls first, id limit 20
  )`,
  )
  .join(" union all ");

const HAS_ORDER = hasAny(
  "invoices where tenant_id = $1 and wms_order_id is not null",
  "company_id, wms_synced_at desc nulls last, id",
);

const steps = selectList({
  company: column.flag(hasAny("companies where tenant_id = $1 and deleted_at is null")),
  // Connections leave their history, and those from before it have made orders. The workspace's leaves its row.
  warehouse: column.flag(`${hasAny("changes where tenant_id = $1 and type = 'connection'", "resource_id, at, id")}
    or ${hasAny("workspace_warehouses where tenant_id = $1")} or ${HAS_ORDER}`),
  // The first admin of a workspace is invited too, but by no user.
  colleague: column.flag(`${hasAny("users where tenant_id = $1 and id <> $2")}
    or ${hasAny("invitations where tenant_id = $1 and invited_by is not null")}`),
  order: column.flag(HAS_ORDER),
  isHidden: column.flag("(select first_steps_hidden_at is not null from users where tenant_id = $1 and id = $2)"),
  isOver: column.flag(`(select s.at < now() - interval '14 days' from (${shippedEarly}) s order by s.at limit 1)`),
});

/**
 * The steps of a new workspace, and whether each is done. `isHidden`: by the user. `isOver`: an order was shipped 14
 * days ago.
 */
export type FirstSteps = Selected<typeof steps>;

export const findFirstSteps = quickQuery<[userId: string]>("find_first_steps", `select ${steps.sql}`).only(steps.read);

export const hideFirstSteps = writeQuery<[userId: string]>(
  "hide_first_steps",
  "update users set first_steps_hidden_at = now() where tenant_id = $1 and id = $2 and first_steps_hidden_at is null",
).nothing();
