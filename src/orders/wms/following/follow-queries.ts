import { hasWarehouse, warehouseColumns } from "../../../customers/companies/warehouse-of-company.ts";
import type { Order } from "../../../kit/warehouse/warehouse-client.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import { quickQuery } from "../../../platform/postgres/query.ts";
import { column, selectList, type Call, type Selected, type Statement } from "../../../platform/postgres/statement.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { storedReason } from "../../invoices/send-reasons.ts";

/** A company's access to its warehouse, as stored. */
const connection = selectList({ ...warehouseColumns("c"), isMerged: column.flag("c.merged_into is not null") });

/**
 * Null if the company has no connection, or is deleted without having been merged into another. `key` is encrypted.
 */
export const findAccess = quickQuery<[companyId: string]>(
  "find_access",
  `select ${connection.sql} from companies c
  where c.tenant_id = $1 and c.id = $2 and (c.deleted_at is null or c.merged_into is not null) and ${hasWarehouse("c")}`,
).first(connection.read);

const followedColumns = {
  invoiceId: column.text("i.id"),
  number: column.text("i.number"),
  orderId: column.number("i.wms_order_id"),
  status: "i.wms_status",
};
const followed = selectList(followedColumns);
const placed = selectList({
  ...followedColumns,
  companyId: column.text("i.company_id"),
  /** The company whose connection the order is followed with. */
  sender: column.text("coalesce(i.wms_via, i.company_id)"),
  instance: column.text("i.wms_instance"),
});

/** An order that is followed. */
export type Followed = Selected<typeof followed>;

const dueStatement: Statement = {
  name: "find_due",
  text: `select ${followed.sql} from invoices i
  where i.tenant_id = $1 and i.company_id = $2 and i.wms_instance = $3 and i.wms_order_id is not null
    and coalesce(i.wms_via, i.company_id) = $4 and i.wms_poll_at <= now() order by i.wms_poll_at, i.id limit $5`,
};

/** Orders that one connection follows. `sender`: the company that has it, which may be merged into this one. */
export type FollowedBy = { companyId: string; sender: string; instance: string };

/** The orders that are due. */
export async function findDue(
  tenant: TenantId,
  database: Database,
  { companyId, sender, instance }: FollowedBy,
  limit: number,
): Promise<Followed[]> {
  return (await database.quick.read(tenant, dueStatement, [companyId, instance, sender, limit])).map(followed.read);
}

const listStatement: Statement = {
  name: "list_followed",
  text: `select ${placed.sql} from invoices i
  where i.tenant_id = $1 and (i.company_id, i.id) > ($2, $3) and i.wms_order_id is not null and i.wms_instance is not null
    and case when $4::text is null then i.wms_poll_at is not null else i.number = $4 end
  order by i.company_id, i.id limit $5`,
};

/** Followed orders, or that of one invoice's number, by company and id, after a position. */
export async function listFollowed(
  tenant: TenantId,
  database: Database,
  { after, number, limit }: { after: { companyId: string; id: string }; number: string | null; limit: number },
): Promise<Selected<typeof placed>[]> {
  const rows = await database.slow.read(tenant, listStatement, [after.companyId, after.id, number, limit]);
  return rows.map(placed.read);
}

const nextStatement: Statement = {
  name: "next_due_ms",
  text: `select extract(epoch from min(i.wms_poll_at) - clock_timestamp()) * 1000 from invoices i
  where i.tenant_id = $1 and i.company_id = $2 and i.wms_instance = $3 and coalesce(i.wms_via, i.company_id) = $4
    and i.wms_poll_at is not null`,
};

/** Milliseconds until the next order is due; null: none is followed. */
export async function nextDueMs(
  tenant: TenantId,
  database: Database,
  { companyId, sender, instance }: FollowedBy,
): Promise<number | null> {
  const [row] = await database.quick.read(tenant, nextStatement, [companyId, instance, sender]);
  const ms = row?.[0] ?? null;
  return ms === null ? null : Math.max(0, Number(ms));
}

/** A warehouse's news of an order. `order` null: it has none with this id. */
export type OrderNews = { invoiceId: string; orderId: number; order: Order | null };

/** `at`: the time of the answer, in milliseconds since the epoch. */
export type FollowRules = { at: number; pollSeconds: number; mostSeconds: number; finalStatuses: readonly string[] };

/** The pause between two reads of an order that is gone, or that a person accepted as it is. */
const SECONDS_OF_DAY = 86_400;

const newsTable = `json_to_recordset($2::json) as n (
    id bigint, order_id bigint, is_there boolean, order_number text, status text, updated_at timestamptz
  )`;
/** An order that is older than the stored one is an outdated answer. */
const isNews = `n.is_there and (i.wms_updated_at is null or n.updated_at is null or n.updated_at >= i.wms_updated_at)`;
const isMoved = `(case when n.is_there then i.wms_gone_at is not null or (${isNews} and n.status is distinct from i.wms_status) else i.wms_gone_at is null end)`;
const isChange = `(${isMoved} or ${isNews} and n.order_number is distinct from i.wms_order_number)`;
const status = `case when ${isNews} then n.status else i.wms_status end`;
const isFinal = `coalesce(lower(${status}) = any($7::text[]), false)`;
const every = `case when ${isChange} then $4::integer else least(coalesce(i.wms_poll_every, $4::integer) * 2, $5::integer) end`;

const answeredAt = "to_timestamp($3::double precision / 1000)";

const newsStatement: Statement = {
  name: "record_news_of_orders",
  // On Citus no function of the time may stand in a case, and only an immutable one beside a column: neither now()
  // nor the sum of a time and an interval. The moment is the answer's, and summed as seconds.
  text: `update invoices i set
    wms_status = ${status},
    wms_is_final = ${isFinal},
    wms_gone_at = case when not n.is_there then coalesce(i.wms_gone_at, ${answeredAt}) end,
    wms_moved_at = case when ${isMoved} then ${answeredAt} else i.wms_moved_at end,
    wms_order_number = case when ${isNews} then n.order_number else i.wms_order_number end,
    wms_updated_at = case when ${isNews} then coalesce(n.updated_at, i.wms_updated_at) else i.wms_updated_at end,
    wms_error = case when n.is_there then nullif(i.wms_error, $6) else $6 end,
    wms_synced_at = ${answeredAt},
    wms_poll_every = ${every},
    wms_poll_at = case
      when not n.is_there or ${isFinal} and i.wms_settled_at is not null and not ${isMoved}
        then to_timestamp($3::double precision / 1000 + greatest($4::integer, ${SECONDS_OF_DAY}))
      when ${isFinal} then null
      else to_timestamp($3::double precision / 1000 + ${every}) end,
    changed_by = case when ${isChange} then 'worker' else i.changed_by end,
    updated_at = case when ${isChange} then moment_after(i.updated_at) else i.updated_at end
  from ${newsTable}
  where i.tenant_id = $1 and i.id = n.id and n.id = n.id + 0 and i.wms_order_id = n.order_id and i.wms_instance = $8`,
};

/** The call that stores what a warehouse said of orders, and when each is read next. */
export function recordNews(instance: string, news: readonly OrderNews[], rules: FollowRules): Call {
  const entries = news.map(({ invoiceId, orderId, order }) => ({
    id: invoiceId,
    order_id: orderId,
    is_there: order !== null,
    order_number: order?.orderNumber ?? null,
    status: order?.status ?? null,
    updated_at: order?.updatedAt ?? null,
  }));
  const { at, pollSeconds, mostSeconds, finalStatuses } = rules;
  const gone = storedReason({ code: "gone" });
  const parameters = [JSON.stringify(entries), at, pollSeconds, mostSeconds, gone, finalStatuses, instance];
  return { statement: newsStatement, parameters };
}
