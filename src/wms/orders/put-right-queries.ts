import { hasWarehouse } from "../../companies/live-company-queries.ts";
import { hasStatusToSend } from "../../invoices/invoice.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

/** The condition of an invoice `i` of which a person says what is right. */
const isOpenQuestion = "i.wms_shown in ('gone', 'cancelled_there')";

const againStatement: Statement = {
  name: "put_order_aside",
  // The last attempt is open again, as of when the order was seen to be gone or cancelled: its order is looked for before another
  // one is made.
  text: `update invoices i set wms_state = 'queued', wms_open_since = coalesce(i.wms_moved_at, i.wms_synced_at, i.created_at), wms_open_instance = i.wms_instance,
    wms_instance = null, wms_order_id = null, wms_order_number = null, wms_status = null, wms_error = null, wms_owns_order = false,
    wms_synced_at = null, wms_updated_at = null, wms_poll_at = null, wms_poll_every = null, changed_by = $3, updated_at = moment_after(i.updated_at)
  from companies c
  where i.tenant_id = $1 and i.id = $2 and c.tenant_id = $1 and c.id = i.company_id and c.deleted_at is null
    and ${hasWarehouse("c")} and ${hasStatusToSend} and ${isOpenQuestion}
  returning i.id`,
};

/**
 * Puts the link with an order that is gone or cancelled aside, into the history, and queues the invoice: its job comes with the
 * statement. False where the order is neither, or the invoice may not be sent. @param by as `changed_by`
 */
export async function putOrderAside(tenant: TenantId, database: Database, id: string, by: string): Promise<boolean> {
  const [rows] = await database.write(tenant, [{ statement: againStatement, parameters: [id, by] }]);
  return rows?.[0] !== undefined;
}

const settleStatement: Statement = {
  name: "settle_order",
  text: `update invoices i set wms_settled_at = now(), wms_poll_at = now() + interval '1 day', changed_by = $3, updated_at = moment_after(i.updated_at)
  where i.tenant_id = $1 and i.id = $2 and i.wms_settled_at is null and ${isOpenQuestion}
  returning i.id`,
};

/** Keeps that an order is right as it is, gone or cancelled, until it moves again; false where it is neither. */
export async function settleOrder(tenant: TenantId, database: Database, id: string, by: string): Promise<boolean> {
  const [rows] = await database.write(tenant, [{ statement: settleStatement, parameters: [id, by] }]);
  return rows?.[0] !== undefined;
}
