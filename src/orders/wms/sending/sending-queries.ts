import { taxIdsWithMerged } from "../../../customers/companies/merged-queries.ts";
import { hasWarehouse, isConnectionOf, warehouseColumns } from "../../../customers/companies/warehouse-of-company.ts";
import type { Job } from "../../../kit/jobs/job.ts";
import type { Order } from "../../../kit/warehouse/warehouse-client.ts";
import { columnsOf } from "../../../platform/fields/sql.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import {
  callsOf,
  callWith,
  namedStatement,
  quickQuery,
  runAll,
  stepQuery,
  writeQuery,
} from "../../../platform/postgres/query.ts";
import {
  column,
  selectList,
  type Call,
  type Row,
  type Selected,
  type Statement,
} from "../../../platform/postgres/statement.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { passedOn, type Trace } from "../../../platform/trace.ts";
import { deliveryAddress } from "../../invoices/delivery-queries.ts";
import { invoiceColumns } from "../../invoices/invoice-json.ts";
import { hasStatusToSend } from "../../invoices/invoice.ts";
import { lostSince, openSince } from "../../invoices/locked-queries.ts";
import { storedReason, type SendReason } from "../../invoices/wms-error.ts";
import { lockWorkspace } from "../workspace-warehouse-queries.ts";

/** The days in which people are expected to enter lost invoices again. */
const ENTERED_AGAIN_DAYS = 90;

/** Everything that an attempt to send an invoice depends on. */
const invoiceToSend = selectList({
  state: "i.wms_state",
  attempt: "i.wms_attempt",
  openMs: `extract(epoch from clock_timestamp() - ${openSince("i")}) * 1000`,
  openInstance: "case when i.wms_open_since is not null then i.wms_open_instance end",
  openSource: "case when i.wms_open_since is not null then i.wms_open_source end",
  /** Whether this database may have lost an attempt. */
  isLost: column.flag(`${lostSince("i")} is not null`),
  /** The same, or the invoice may have been entered again. An order that was seen within that time still counts. */
  mayBeLost: column.flag(`${lostSince("i")} is not null or exists (
    select from tenants where id = $1 and orders_lost_at > least(i.wms_open_since, now()) - interval '${ENTERED_AGAIN_DAYS} days')`),
  formerSlugs: column.list<string>("(select to_json(orders_lost_slugs) from tenants where id = $1)"),
  /** Whether, since the loss, a person has confirmed that the company's former warehouses have no order. */
  areFormerChecked: column.flag("c.wms_former_checked_at > (select orders_lost_at from tenants where id = $1)"),
  orderId: "i.wms_order_id",
  trace: "i.wms_trace",
  status: "i.status",
  number: "i.number",
  issuedOn: "i.issued_on",
  currency: "i.currency",
  total: "i.total",
  lines: "i.lines",
  companyId: column.text("c.id"),
  companyAsOf: "c.updated_at",
  companyName: "c.name",
  taxId: "c.tax_id",
  /** The fiscal ids that an open attempt may have named, because companies were merged, or a merge undone. */
  mergedTaxIds: column.list<string>(taxIdsWithMerged("c.id", "i.wms_open_since is not null")),
  ...warehouseColumns("v"),
  workspaceAsOf: "(select w.updated_at from workspace_warehouses w where w.tenant_id = $1)",
  slug: "(select slug from tenants where id = $1)",
  isDelivery: "d.id is not null",
  contactName: "d.contact_name",
  address: "case when d.id is null then c.address else d.address end",
  city: "case when d.id is null then c.city else d.city end",
  county: "case when d.id is null then c.county else d.county end",
  country: "case when d.id is null then c.country else d.country end",
  postalCode: "case when d.id is null then c.postal_code else d.postal_code end",
  phone: "case when d.id is null then c.phone else d.phone end",
  notes: "case when d.id is null then c.delivery_notes else d.delivery_notes end",
});

export type InvoiceToSend = Selected<typeof invoiceToSend>;

/** Null if there is no such invoice, or its company is deleted. */
export const findInvoiceToSend = quickQuery<[id: string]>(
  "find_invoice_to_send",
  `select ${invoiceToSend.sql}
  from invoices i
  join companies c on c.tenant_id = $1 and c.id = i.company_id and c.deleted_at is null
  join companies v on v.tenant_id = $1 and ${isConnectionOf("v")}
  ${deliveryAddress}
  where i.tenant_id = $1 and i.id = $2`,
).first(invoiceToSend.read);

const lockCompany = stepQuery<[id: string]>(
  "lock_company_of_invoice",
  `select updated_at from companies where tenant_id = $1 and id = $2 for share`,
).value();

/**
 * Writes an invoice's outcome. `calls` depends on whether the company and the workspace's connection are still as they
 * were read. A concurrent change of one of them waits for this transaction, and sees its outcome.
 */
export async function writeBesideConnection(
  tenant: TenantId,
  database: Database,
  { companyId, companyAsOf, workspaceAsOf }: Pick<InvoiceToSend, "companyId" | "companyAsOf" | "workspaceAsOf">,
  calls: (isAsRead: boolean) => Call[],
): Promise<void> {
  await database.transaction(tenant, async (run) => {
    const workspace = await lockWorkspace(run);
    const isAsRead = (workspace?.asOf ?? null) === workspaceAsOf && (await lockCompany(run, companyId)) === companyAsOf;
    await runAll(run, calls(isAsRead));
  });
}

/** The assignments for an invoice of which no attempt has made an order. */
const ABSENT = "wms_open_since = null, wms_absent_at = now()";

const beginning = callsOf<[id: string, before: string, instance: string, source: string, delivery: string]>(
  "begin_attempt",
  `update invoices i set wms_state = 'sending', wms_attempt = i.wms_attempt + 1, wms_error = null,
    ${ABSENT}, wms_open_instance = $4, wms_open_source = $5, delivered_to = $6
  where i.tenant_id = $1 and i.id = $2 and i.wms_attempt = $3 and i.wms_state in ('queued', 'unknown') and i.wms_order_id is null and ${hasStatusToSend}
  returning i.wms_attempt`,
);

/**
 * Records that no earlier attempt made an order, and that the next one begins at this instance and under this source.
 * @param begun with the delivery that the warehouse receives, encrypted
 * Returns the number of the attempt; null if another worker has begun it meanwhile, or the invoice was cancelled during
 * the look-ups. Throws isStaleAttempt if the job is another worker's: it would end the job by what it read before.
 */
export async function beginAttempt(
  tenant: TenantId,
  database: Database,
  { subject: id, hold }: Pick<Job, "subject" | "hold">,
  { before, instance, source, delivery }: { before: string; instance: string; source: string; delivery: string },
): Promise<string | null> {
  const [rows] = await database.write(tenant, [beginning(id, before, instance, source, delivery), hold()]);
  return rows?.[0]?.[0] ?? null;
}

/** The assignment for an attempt that certainly made no order: the warehouse received no delivery. */
const UNDELIVERED = "delivered_to = case when wms_open_since is null then null else delivered_to end";

/**
 * The assignment for an invoice that no warehouse has or gets, or that failed since a merged company has no connection
 * any more: next it is sent by the connection of its own company.
 */
const OF_ITS_COMPANY = `wms_via = case when wms_open_since is null or $4 = '${storedReason({ code: "disconnected" })}' then null else wms_via end`;

/**
 * The call that records that an attempt's outcome is unknown. If the database's clock was set back, an open attempt may
 * have a time in the future: it gets the present time.
 */
export const leaveOpen = callsOf<[id: string, attempt: string]>(
  "leave_open",
  `update invoices set wms_state = 'unknown', wms_open_since = now()
  where tenant_id = $1 and id = $2 and wms_attempt = $3 and (wms_state = 'sending'
    or wms_state in ('queued', 'unknown') and wms_open_since > now())`,
);

const queueingBack = callsOf<[id: string, attempt: string, error: string | null]>(
  "back_into_queue",
  `update invoices set wms_state = case when wms_open_since is null then 'queued' else 'unknown' end, wms_error = $4, ${UNDELIVERED}
  where tenant_id = $1 and id = $2 and wms_attempt = $3 and wms_state in ('queued', 'sending', 'unknown')`,
);

/** The call that returns an invoice to the queue; the warehouse has certainly not executed the last attempt. */
export function backIntoQueue(id: string, attempt: string, error: SendReason | null): Call {
  return queueingBack(id, attempt, error && storedReason(error));
}

const failing = callsOf<[id: string, attempt: string, error: string]>(
  "fail_sending",
  `update invoices set wms_state = 'failed', wms_error = $4, ${UNDELIVERED}, ${OF_ITS_COMPANY}
  where tenant_id = $1 and id = $2 and wms_attempt = $3 and wms_state in ('queued', 'sending', 'unknown')`,
);

/** The call that makes an invoice fail, until it is queued again. An open attempt stays open. */
export function failSending(id: string, attempt: string, error: SendReason): Call {
  return failing(id, attempt, storedReason(error));
}

const leavingSeen = callsOf<[id: string, attempt: string, error: string, instance: string, source: string]>(
  "leave_seen_order",
  `update invoices set wms_state = 'failed', wms_error = $4, wms_open_since = least(wms_open_since, now()), wms_open_instance = $5,
    wms_open_source = $6
  where tenant_id = $1 and id = $2 and wms_attempt = $3 and wms_state in ('queued', 'sending', 'unknown')`,
);

/** The call that makes an invoice fail with its attempt open, because the order that was seen may be its own. */
export function leaveSeen(
  id: string,
  attempt: string,
  { error, instance, source }: { error: SendReason; instance: string; source: string },
): Call {
  return leavingSeen(id, attempt, storedReason(error), instance, source);
}

/** The call that records that no warehouse has an order of an invoice whose status forbids sending. */
export const noteAbsent = callsOf<[id: string, attempt: string]>(
  "note_absent_order",
  `update invoices set wms_state = 'not_sent', wms_error = null, ${ABSENT}, delivered_to = null, wms_via = null
  where tenant_id = $1 and id = $2 and wms_attempt = $3 and wms_state in ('queued', 'unknown')`,
);

const sentStatement = namedStatement(
  "record_order",
  `update invoices set wms_state = 'sent', wms_owns_order = true, wms_error = :remark, wms_instance = :instance,
    wms_order_id = :order_id, wms_order_number = :order_number, wms_status = :status, wms_updated_at = :updated_at,
    wms_synced_at = :at, wms_open_since = null, wms_is_final = :next_seconds::integer is null, wms_moved_at = :at,
    wms_poll_every = :poll_seconds::integer,
    wms_poll_at = now() + :next_seconds::integer * interval '1 second',
    changed_by = 'worker', updated_at = moment_after(updated_at)
  where tenant_id = $1 and id = :id and wms_attempt = :attempt and not wms_owns_order
    and (wms_state in ('sending', 'unknown', 'queued') or wms_state = 'sent' and :is_own::boolean)`,
);

export type RecordedOrder = {
  instance: string;
  order: Order;
  /** The time of the answer, in ISO 8601. */
  at: string;
  pollSeconds: number;
  isFinal: boolean;
  /** Whether the warehouse says that the order is this invoice's. Else it gives way to one that a file named. */
  isOwn: boolean;
  /** A remark on the order, for people; null if it matches the invoice. */
  remark: SendReason | null;
};

/**
 * The call that records the order of an attempt; its own one also in place of one that a file named meanwhile.
 * ORDER_INDEX rejects it if another invoice has the order.
 */
export function recordOrder(id: string, attempt: string, recorded: RecordedOrder): Call {
  const { instance, order, at, pollSeconds, isFinal, isOwn, remark } = recorded;
  return callWith(sentStatement, {
    id,
    attempt,
    instance,
    order_id: order.orderId,
    order_number: order.orderNumber,
    status: order.status,
    updated_at: order.updatedAt,
    at,
    poll_seconds: pollSeconds,
    next_seconds: isFinal ? null : pollSeconds,
    is_own: isOwn,
    remark: remark && storedReason(remark),
  });
}

/**
 * The condition for queueing an invoice `i` by the connection of a company `c`. An invoice that the warehouse may have
 * can be queued in any status, because its order is looked up.
 */
export const isSendable = `i.wms_state in ('not_sent', 'failed') and i.wms_order_id is null and (${hasStatusToSend} or ${openSince("i")} is not null)
  and ${hasWarehouse("c")} and ${isConnectionOf("c")}`;

const queue = writeQuery<[id: string, trace: string | null]>(
  "queue_invoice",
  `update invoices i set wms_state = 'queued', wms_error = null, wms_trace = $3 from companies c
  where i.tenant_id = $1 and i.id = $2 and c.tenant_id = $1 and ${isSendable}
  returning ${columnsOf(invoiceColumns, "i")}`,
).row();

/**
 * Queues an invoice that may be sent; a trigger enqueues its job. Returns the row in the format of invoiceJson, or null
 * if the invoice may not be sent.
 * @param trace of the request, which the calls of the warehouse continue
 */
export async function queueInvoice(
  tenant: TenantId,
  database: Database,
  id: string,
  trace: Trace | null = null,
): Promise<Row | null> {
  return await queue(tenant, database, id, passedOn(trace));
}

/** Queues those of the invoices that may be sent, and returns their ids. */
export const queueInvoices = writeQuery<[ids: readonly string[]]>(
  "queue_invoices",
  `update invoices i set wms_state = 'queued', wms_error = null, wms_trace = null from companies c
  where i.tenant_id = $1 and i.id = any($2::bigint[]) and c.tenant_id = $1 and ${isSendable}
  returning i.id`,
).all(([id]) => String(id));

const lookUpStatement: Statement = {
  name: "look_up_orders",
  text: "update tenants set orders_lost_at = now()",
};

/**
 * Records a loss for every tenant. Earlier invoices are locked (`hasLockedColumns`) and looked up in their warehouses
 * before they are sent, because this database may have lost their orders.
 */
export async function lookUpOrders(database: Database): Promise<void> {
  await database.owner([{ statement: lookUpStatement, parameters: [] }]);
}
