import {
  hasWarehouse,
  isConnectionOf,
  keyRefusedAt,
  subdomainOf,
  warehouseColumns,
} from "../../../customers/companies/warehouse-of-company.ts";
import { enqueue } from "../../../kit/jobs/job-queries.ts";
import { laneOf } from "../../../kit/warehouse/instance-url.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import { callsOf, quickQuery, stepQuery } from "../../../platform/postgres/query.ts";
import { column, selectList, type Call, type Selected } from "../../../platform/postgres/statement.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { storedReason, type SendReason } from "../../invoices/wms-error.ts";

export const CANCEL_ORDER_JOB = "cancel-order";

/** A warehouse without the call is asked again after this time: its program may have it by then. */
const UNSUPPORTED_DAYS = 30;

const toCancel = selectList({
  cancel: "i.wms_cancel",
  orderId: column.number("i.wms_order_id"),
  instance: column.text("i.wms_instance"),
  ...warehouseColumns("c"),
});

export type OrderToCancel = Selected<typeof toCancel>;

/** Null unless the invoice is cancelled and its order is not. */
export const findOrderToCancel = quickQuery<[id: string]>(
  "find_order_to_cancel",
  `select ${toCancel.sql} from invoices i
  join companies c on c.tenant_id = $1 and ${isConnectionOf("c")}
  where i.tenant_id = $1 and i.id = $2 and i.wms_shown = 'cancelled_here' and i.wms_cancel in ('queued', 'unknown')`,
).first(toCancel.read);

const cancellable = selectList({
  status: column.text("i.status"),
  shown: column.text("i.wms_shown"),
  cancel: "i.wms_cancel",
  orderId: "i.wms_order_id",
  instance: "i.wms_instance",
  isConnected: column.flag(hasWarehouse("c")),
  isKeyRefused: column.flag(`${keyRefusedAt("c")} is not null`),
  subdomain: subdomainOf("c"),
  isUnsupported: column.flag(`(select u.id from invoices u
    where u.tenant_id = $1 and u.wms_instance = i.wms_instance and u.wms_cancel = 'unsupported'
      and u.wms_cancel_at > now() - interval '${UNSUPPORTED_DAYS} days'
    order by u.wms_cancel_at desc limit 1) is not null`),
});

/** An invoice, and the facts that decide whether its order can be cancelled in the warehouse. */
export type Cancellable = Selected<typeof cancellable>;

export const findCancellable = quickQuery<[id: string]>(
  "find_cancellable",
  `select ${cancellable.sql} from invoices i
  join companies c on c.tenant_id = $1 and ${isConnectionOf("c")}
  where i.tenant_id = $1 and i.id = $2`,
).first(cancellable.read);

const queue = stepQuery<[id: string, by: string]>(
  "queue_cancellation",
  `update invoices i set wms_cancel = 'queued', wms_cancel_error = null, wms_cancel_at = now(), changed_by = $3,
    updated_at = moment_after(i.updated_at)
  where i.tenant_id = $1 and i.id = $2 and i.wms_shown = 'cancelled_here'
    and (i.wms_cancel is null or i.wms_cancel in ('asked', 'kept', 'failed', 'unsupported'))
  returning i.id`,
).exists();

/** Asks for the cancellation of an invoice's order, with its job. False if it is under way, or not needed. */
export async function queueCancellation(
  tenant: TenantId,
  database: Database,
  id: string,
  { subdomain, by }: { subdomain: string; by: string },
): Promise<boolean> {
  return await database.transaction(tenant, async (run) => {
    if (!(await queue(run, id, by))) return false;
    await run(enqueue(CANCEL_ORDER_JOB, [id], laneOf(subdomain)));
    return true;
  });
}

const noting = callsOf<[id: string, orderId: number, state: string, error: string | null]>(
  "note_cancellation",
  `update invoices set wms_cancel = $4, wms_cancel_error = $5, wms_cancel_at = now()
  where tenant_id = $1 and id = $2 and wms_order_id = $3 and wms_shown = 'cancelled_here' and wms_cancel is not null`,
);

/** The call that records how far a cancellation is, unless the invoice or its order has changed. */
export function noteCancellation(
  id: string,
  orderId: number,
  state: "unknown" | "asked" | "kept" | "unsupported" | "failed",
  error: SendReason | null,
): Call {
  return noting(id, orderId, state, error && storedReason(error));
}
