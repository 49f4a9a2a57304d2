import { hasWarehouse, warehouseColumns } from "../../../customers/companies/warehouse-of-company.ts";
import type { Order } from "../../../kit/warehouse/warehouse-client.ts";
import { callWith, namedStatement, quickQuery, slowQuery } from "../../../platform/postgres/query.ts";
import { column, oneValue, selectList, type Call, type Selected } from "../../../platform/postgres/statement.ts";
import { storedReason } from "../../invoices/wms-error.ts";

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

/** Orders that one connection follows. `sender`: the company that has it, which may be merged into this one. */
type FollowedBy = { company: string; sender: string; instance: string };

const OF_SENDER = `i.tenant_id = $1 and i.company_id = :company and i.wms_instance = :instance
    and coalesce(i.wms_via, i.company_id) = :sender`;

/** The orders that are due. */
export const findDue = quickQuery<FollowedBy & { limit: number }>(
  "find_due",
  `select ${followed.sql} from invoices i
  where ${OF_SENDER} and i.wms_order_id is not null and i.wms_poll_at <= now() order by i.wms_poll_at, i.id limit :limit`,
).all(followed.read);

/** Followed orders, or that of one invoice's number, by company and id, after a position. */
export const listFollowed = slowQuery<{ company: string; id: string; number: string | null; limit: number }>(
  "list_followed",
  `select ${placed.sql} from invoices i
  where i.tenant_id = $1 and (i.company_id, i.id) > (:company, :id) and i.wms_order_id is not null and i.wms_instance is not null
    and case when :number::text is null then i.wms_poll_at is not null else i.number = :number end
  order by i.company_id, i.id limit :limit`,
).all(placed.read);

/** Milliseconds until the next order is due; null: none is followed. */
export const nextDueMs = quickQuery<FollowedBy>(
  "next_due_ms",
  `select extract(epoch from min(i.wms_poll_at) - clock_timestamp()) * 1000 from invoices i
  where ${OF_SENDER} and i.wms_poll_at is not null`,
).of((rows) => {
  const ms = oneValue(rows);
  return ms === null ? null : Math.max(0, Number(ms));
});

/** A warehouse's news of an order. `order` null: it has none with this id. */
export type OrderNews = { invoiceId: string; orderId: number; order: Order | null };

/** `at`: the time of the answer, in milliseconds since the epoch. */
export type FollowRules = { at: number; pollSeconds: number; mostSeconds: number; finalStatuses: readonly string[] };

/** The pause between two reads of an order that is gone, or that a person accepted as it is. */
const SECONDS_OF_DAY = 86_400;

const newsTable = `json_to_recordset(:news::json) as n (
    id bigint, order_id bigint, is_there boolean, order_number text, status text, updated_at timestamptz
  )`;
/** An order that is older than the stored one is an outdated answer. */
const isNews = `n.is_there and (i.wms_updated_at is null or n.updated_at is null or n.updated_at >= i.wms_updated_at)`;
const isMoved = `(case when n.is_there then i.wms_gone_at is not null or (${isNews} and n.status is distinct from i.wms_status) else i.wms_gone_at is null end)`;
const isChange = `(${isMoved} or ${isNews} and n.order_number is distinct from i.wms_order_number)`;
const status = `case when ${isNews} then n.status else i.wms_status end`;
const isFinal = `coalesce(lower(${status}) = any(:final_statuses::text[]), false)`;
const every = `case when ${isChange} then :poll_seconds::integer else least(coalesce(i.wms_poll_every, :poll_seconds::integer) * 2, :most_seconds::integer) end`;

const answeredAt = "to_timestamp(:at::double precision / 1000)";

const newsStatement = namedStatement(
  "record_news_of_orders",
  // On Citus no function of the time may stand in a case, and only an immutable one beside a column: neither now()
  // nor the sum of a time and an interval. The moment is the answer's, and summed as seconds.
  `update invoices i set
    wms_status = ${status},
    wms_is_final = ${isFinal},
    wms_gone_at = case when not n.is_there then coalesce(i.wms_gone_at, ${answeredAt}) end,
    wms_moved_at = case when ${isMoved} then ${answeredAt} else i.wms_moved_at end,
    wms_order_number = case when ${isNews} then n.order_number else i.wms_order_number end,
    wms_updated_at = case when ${isNews} then coalesce(n.updated_at, i.wms_updated_at) else i.wms_updated_at end,
    wms_error = case when n.is_there then nullif(i.wms_error, :gone) else :gone end,
    wms_synced_at = ${answeredAt},
    wms_poll_every = ${every},
    wms_poll_at = case
      when not n.is_there or ${isFinal} and i.wms_settled_at is not null and not ${isMoved}
        then to_timestamp(:at::double precision / 1000 + greatest(:poll_seconds::integer, ${SECONDS_OF_DAY}))
      when ${isFinal} then null
      else to_timestamp(:at::double precision / 1000 + ${every}) end,
    changed_by = case when ${isChange} then 'worker' else i.changed_by end,
    updated_at = case when ${isChange} then moment_after(i.updated_at) else i.updated_at end
  from ${newsTable}
  where i.tenant_id = $1 and i.id = n.id and n.id = n.id + 0 and i.wms_order_id = n.order_id and i.wms_instance = :instance`,
);

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
  return callWith(newsStatement, {
    news: JSON.stringify(entries),
    at: rules.at,
    poll_seconds: rules.pollSeconds,
    most_seconds: rules.mostSeconds,
    final_statuses: rules.finalStatuses,
    gone: storedReason({ code: "gone" }),
    instance,
  });
}
