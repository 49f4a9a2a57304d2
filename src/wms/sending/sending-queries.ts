import { hasWarehouse } from "../../companies/live-company-queries.ts";
import { invoiceColumns } from "../../invoices/invoice-json.ts";
import { keptInvoice } from "../../invoices/invoice-queries.ts";
import { hasStatusToSend } from "../../invoices/invoice.ts";
import { storedReason, type SendReason } from "../../invoices/send-reasons.ts";
import { writing } from "../../platform/fields/keeping.ts";
import { columnsOf } from "../../platform/fields/sql.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { selectList, type Call, type Row, type Selected, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { passedOn, type Trace } from "../../platform/trace.ts";
import type { Order } from "../../warehouse/warehouse-client.ts";

/** Since when an attempt is open, or may have been made that this database has lost. */
const openSince = `coalesce(i.wms_open_since,
    (select orders_lost_at from tenants where id = $1 and orders_lost_at > i.created_at))`;

/** Within so many days people enter again what a database has lost. */
const ENTERED_AGAIN_DAYS = 90;

/** Everything that an attempt to send an invoice depends on, as PostgreSQL's text. */
const invoiceToSend = selectList({
  state: "i.wms_state",
  attempt: "i.wms_attempt",
  openMs: `extract(epoch from clock_timestamp() - ${openSince}) * 1000`,
  openInstance: "case when i.wms_open_since is not null then i.wms_open_instance end",
  openSource: "case when i.wms_open_since is not null then i.wms_open_source end",
  lostSlug: "(select orders_lost_slug from tenants where id = $1)",
  mayBeLost: `exists (select from tenants where id = $1 and orders_lost_at > now() - interval '${ENTERED_AGAIN_DAYS} days')`,
  orderId: "i.wms_order_id",
  trace: "i.wms_trace",
  status: "i.status",
  number: "i.number",
  issuedOn: "i.issued_on",
  currency: "i.currency",
  total: "i.total",
  lines: "i.lines",
  companyId: "c.id",
  companyAsOf: "c.updated_at",
  companyName: "c.name",
  taxId: "c.tax_id",
  subdomain: "c.wms_subdomain",
  key: "c.wms_api_key",
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

const invoiceToSendStatement: Statement = {
  name: "invoice_to_send",
  text: `select ${invoiceToSend.sql}
  from invoices i
  join companies c on c.tenant_id = $1 and c.id = i.company_id and c.deleted_at is null
  left join lateral (
    select * from addresses a
    where a.tenant_id = $1 and a.company_id = i.company_id and a.type = 'delivery' and a.deleted_at is null
    order by a.is_default desc, a.id limit 1
  ) d on true
  where i.tenant_id = $1 and i.id = $2`,
};

/** Null where there is no such invoice, or its company is deleted. */
export async function findInvoiceToSend(
  tenant: TenantId,
  database: Database,
  id: string,
): Promise<InvoiceToSend | null> {
  return invoiceToSend.first(await database.quick.read(tenant, invoiceToSendStatement, [id]));
}

const lockCompanyStatement: Statement = {
  name: "lock_company_of_invoice",
  text: `select updated_at from companies where tenant_id = $1 and id = $2 for share`,
};

/**
 * Writes what an invoice becomes whose company is still as it was read, or is not any more. Whoever changes the company waits for it, and
 * finds what was written.
 */
export async function writeBesideCompany(
  tenant: TenantId,
  database: Database,
  { companyId, companyAsOf }: Pick<InvoiceToSend, "companyId" | "companyAsOf">,
  calls: (isAsRead: boolean) => Call[],
): Promise<void> {
  await database.transaction(tenant, async (run) => {
    const [row] = await run(lockCompanyStatement, [companyId]);
    for (const { statement, parameters } of calls(row?.[0] === companyAsOf)) await run(statement, parameters);
  });
}

const beginStatement: Statement = {
  name: "begin_attempt",
  text: `update invoices set wms_state = 'sending', wms_attempt = wms_attempt + 1, wms_error = null,
    wms_open_since = null, wms_open_instance = $4, wms_open_source = $5
  where tenant_id = $1 and id = $2 and wms_attempt = $3 and wms_state in ('queued', 'unknown') and wms_order_id is null
  returning wms_attempt`,
};

/**
 * Records that the next attempt begins, at this instance and under this source. Answers the number of the attempt; null
 * where somebody else has begun it meanwhile.
 */
export async function beginAttempt(
  tenant: TenantId,
  database: Database,
  id: string,
  { before, instance, source }: { before: string; instance: string; source: string },
): Promise<string | null> {
  const [rows] = await database.write(tenant, [
    { statement: beginStatement, parameters: [id, before, instance, source] },
  ]);
  return rows?.[0]?.[0] ?? null;
}

const openStatement: Statement = {
  name: "leave_attempt_open",
  text: `update invoices set wms_state = 'unknown', wms_open_since = now()
  where tenant_id = $1 and id = $2 and wms_attempt = $3 and (wms_state = 'sending'
    or wms_state in ('queued', 'unknown') and wms_open_since > now())`,
};

/**
 * The call that says of an attempt that nobody knows what became of it. An attempt that was left open at a time that is in
 * the future by now, because the database's clock was set back, is left open anew.
 */
export function leaveOpen(id: string, attempt: string): Call {
  return { statement: openStatement, parameters: [id, attempt] };
}

const backStatement: Statement = {
  name: "back_into_queue",
  text: `update invoices set wms_state = case when wms_open_since is null then 'queued' else 'unknown' end, wms_error = $4
  where tenant_id = $1 and id = $2 and wms_attempt = $3 and wms_state in ('queued', 'sending', 'unknown')`,
};

/** The call that has an invoice wait for its next attempt; the attempt before was certainly not executed. */
export function backIntoQueue(id: string, attempt: string, error: SendReason | null): Call {
  return { statement: backStatement, parameters: [id, attempt, error && storedReason(error)] };
}

const failStatement: Statement = {
  name: "fail_sending",
  text: `update invoices set wms_state = 'failed', wms_error = $4,
    wms_open_since = case when $5::boolean then null else wms_open_since end
  where tenant_id = $1 and id = $2 and wms_attempt = $3 and wms_state in ('queued', 'sending', 'unknown')`,
};

/**
 * The call that gives up, until somebody queues the invoice again. An open attempt stays open, unless its order is proved
 * to be absent (`isAbsent`).
 */
export function failSending(id: string, attempt: string, error: SendReason, isAbsent = false): Call {
  return { statement: failStatement, parameters: [id, attempt, storedReason(error), isAbsent] };
}

const sentStatement: Statement = {
  name: "record_order",
  text: `update invoices set wms_state = 'sent', wms_owns_order = true, wms_error = $12, wms_instance = $4, wms_order_id = $5,
    wms_order_number = $6, wms_status = $7, wms_updated_at = $8, wms_synced_at = $9, wms_open_since = null,
    wms_is_final = $11::integer is null, wms_moved_at = $9,
    wms_poll_every = $10::integer,
    wms_poll_at = now() + $11::integer * interval '1 second',
    changed_by = 'worker', updated_at = moment_after(updated_at)
  where tenant_id = $1 and id = $2 and wms_attempt = $3 and wms_order_id is null
    and wms_state in ('sending', 'unknown', 'queued')`,
};

export type RecordedOrder = {
  instance: string;
  order: Order;
  /** When the answer came, in ISO 8601. */
  at: string;
  pollSeconds: number;
  isFinal: boolean;
  /** A remark on the order, for people; null: it is as the invoice is. */
  remark: SendReason | null;
};

/** The call that records the order of an attempt. ORDER_INDEX refuses it where the order is another invoice's. */
export function recordOrder(id: string, attempt: string, recorded: RecordedOrder): Call {
  const { instance, order, at, pollSeconds, isFinal } = recorded;
  const remark = recorded.remark && storedReason(recorded.remark);
  const { orderId, orderNumber, status, updatedAt } = order;
  const next = isFinal ? null : pollSeconds;
  const parameters = [id, attempt, instance, orderId, orderNumber, status, updatedAt, at, pollSeconds, next, remark];
  return { statement: sentStatement, parameters };
}

/** The condition under which an invoice may be sent, of an invoice `i` and its company `c`. */
const isSendable = `i.wms_state in ('not_sent', 'failed') and i.wms_order_id is null and ${hasStatusToSend}
  and ${hasWarehouse("c")} and c.deleted_at is null`;

const queueStatement = writing(
  "queue_invoice",
  {
    write: `update invoices i set wms_state = 'queued', wms_error = null, wms_trace = $3 from companies c
    where i.tenant_id = $1 and i.id = $2 and c.tenant_id = $1 and c.id = i.company_id and ${isSendable}
    returning i.*`,
    answer: columnsOf(invoiceColumns, "written"),
  },
  keptInvoice,
);

/**
 * Queues an invoice that may be sent; its job comes with the statement. Null where it may not; else as invoiceJson
 * reads it.
 * @param trace of the request that asks for it: the calls of the warehouse are a part of it
 */
export async function queueInvoice(
  tenant: TenantId,
  database: Database,
  id: string,
  trace: Trace | null = null,
): Promise<Row | null> {
  const parameters = [id, passedOn(trace)];
  const [rows] = await database.write(tenant, [{ statement: queueStatement, parameters }]);
  return rows?.[0] ?? null;
}

const queueManyStatement: Statement = {
  name: "queue_invoices",
  text: `update invoices i set wms_state = 'queued', wms_error = null, wms_trace = null from companies c
  where i.tenant_id = $1 and i.id = any($2::bigint[]) and ($3::bigint is null or i.company_id = $3)
    and c.tenant_id = $1 and c.id = i.company_id and ${isSendable}
  returning i.id`,
};

/** Queues those of some invoices that may be sent; their ids. @param companyId whose alone; null: whoever's */
export async function queueInvoices(
  tenant: TenantId,
  database: Database,
  ids: readonly string[],
  companyId: string | null = null,
): Promise<string[]> {
  const [rows = []] = await database.write(tenant, [{ statement: queueManyStatement, parameters: [ids, companyId] }]);
  return rows.map(([id]) => String(id));
}

const lookUpStatement: Statement = {
  name: "look_up_orders",
  text: "update tenants set orders_lost_at = now()",
};

/**
 * Has every tenant's invoices that are there by now looked up in their warehouses before they are sent: orders may have been made of them that this
 * database has lost.
 */
export async function lookUpOrders(database: Database): Promise<void> {
  await database.owner([{ statement: lookUpStatement, parameters: [] }]);
}
