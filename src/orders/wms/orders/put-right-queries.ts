import { hasWarehouse, isConnectionOf } from "../../../customers/companies/warehouse-of-company.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import { writeQuery } from "../../../platform/postgres/query.ts";
import type { Parameter, Statement } from "../../../platform/postgres/statement.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { hasStatusToSend } from "../../invoices/invoice.ts";
import { mayBePutOff } from "../../invoices/shown-queries.ts";

/** The condition of an invoice `i` whose order a person settles. */
const isOpenQuestion = "i.wms_shown in ('gone', 'cancelled_there')";

/**
 * Removes the link with an order that is gone or cancelled, and queues the invoice; a trigger enqueues its job. The
 * history keeps the link. Returns false if the order is neither, or if the invoice may not be sent.
 */
export const unlinkAndQueue = writeQuery<[id: string, by: string]>(
  "unlink_and_queue",
  // The last attempt is open again: its order, found gone or cancelled, is looked up before another one is made.
  `update invoices i set wms_state = 'queued', wms_open_since = coalesce(i.wms_moved_at, i.wms_synced_at, i.created_at), wms_open_instance = i.wms_instance,
    wms_instance = null, wms_order_id = null, wms_order_number = null, wms_status = null, wms_error = null, wms_owns_order = false,
    wms_synced_at = null, wms_updated_at = null, wms_poll_at = null, wms_poll_every = null, changed_by = $3, updated_at = moment_after(i.updated_at)
  from companies c
  where i.tenant_id = $1 and i.id = $2 and c.tenant_id = $1 and ${isConnectionOf("c")}
    and ${hasWarehouse("c")} and ${hasStatusToSend} and ${isOpenQuestion}
  returning i.id`,
).exists();

/**
 * Records that a person accepts a refusal, or an order that is gone, cancelled, or not cancelled as its invoice is,
 * until it moves again. False if it is none of these.
 */
export const settleOrder: Writing<[id: string, by: string]> = eitherOf(
  {
    name: "settle_order",
    text: `update invoices i set wms_settled_at = now(), wms_poll_at = now() + interval '1 day', changed_by = $3, updated_at = moment_after(i.updated_at)
  where i.tenant_id = $1 and i.id = $2 and i.wms_settled_at is null and ${isOpenQuestion}
  returning i.id`,
  },
  {
    name: "settle_refusal",
    // Nothing else is followed than before: there is no order, or it is followed until it is final.
    text: `update invoices i set wms_settled_at = now(), changed_by = $3, updated_at = moment_after(i.updated_at)
  where i.tenant_id = $1 and i.id = $2 and i.wms_settled_at is null and i.wms_shown in ('refused', 'cancelled_here', 'shipped_cancelled')
  returning i.id`,
  },
);

type Writing<P extends Parameter[]> = (tenant: TenantId, database: Database, ...parameters: P) => Promise<boolean>;

/** Runs two statements, of which one may change the invoice. Whether one did. */
function eitherOf(one: Statement, other: Statement): Writing<Parameter[]> {
  return async (tenant, database, ...parameters) => {
    const calls = [one, other].map((statement) => ({ statement, parameters }));
    return (await database.write(tenant, calls)).some((rows) => rows.length > 0);
  };
}

/** Removes an acceptance. False if there is none, because the order has moved. */
export const unsettleOrder = writeQuery<[id: string, by: string]>(
  "unsettle_order",
  `update invoices i set wms_settled_at = null, changed_by = $3, updated_at = moment_after(i.updated_at)
  where i.tenant_id = $1 and i.id = $2 and i.wms_settled_at is not null
  returning i.id`,
).exists();

/** The days for which a need may be put off. */
export const putOffDays = [1, 3, 7] as const;

/** Puts the need of an invoice off until the beginning of a day, or until its order moves. False if it may not be. */
export const putNeedOff = writeQuery<[id: string, by: string, until: string, timeZone: string]>(
  "put_off_need",
  `update invoices i set wms_put_off_until = $4::date::timestamp at time zone $5, changed_by = $3, updated_at = moment_after(i.updated_at)
  where i.tenant_id = $1 and i.id = $2 and ${mayBePutOff}
  returning i.id`,
).exists();

/** Shows the need of an invoice that was put off. False if it was not. */
export const showNeedAgain = writeQuery<[id: string, by: string]>(
  "show_need_again",
  `update invoices i set wms_put_off_until = null, changed_by = $3, updated_at = moment_after(i.updated_at)
  where i.tenant_id = $1 and i.id = $2 and i.wms_put_off_until is not null
  returning i.id`,
).exists();

/** Removes the link of an invoice to be confirmed. $3: the order that the person saw; null for any. */
const renounced = (name: string, assignment: string, condition: string): Statement => ({
  name,
  text: `update invoices i set wms_state = 'not_sent', wms_error = null, wms_order_id = null, wms_order_number = null,
    wms_status = null, wms_synced_at = null, wms_updated_at = null, wms_poll_at = null, wms_poll_every = null, wms_owns_order = false,
    ${assignment} changed_by = $4, updated_at = moment_after(i.updated_at)
  where i.tenant_id = $1 and i.id = $2 and i.wms_shown = 'to_be_confirmed' and ($3::bigint is null or i.wms_order_id = $3) and ${condition}
  returning i.id`,
});

/**
 * Removes the link with an order that no warehouse confirms, because a person says that there is none. The history
 * keeps the link, and the invoice is not sent. False if it has no such link. `seen`: the order that the person saw;
 * null: any
 */
export const renounceLink: Writing<[id: string, seen: string | null, by: string]> = eitherOf(
  // An earlier attempt may have made an order: it is open, so that its order is looked up before another one is made.
  renounced("renounce_link_of_attempted", "wms_open_since = now(),", "i.wms_attempt > 0"),
  renounced("renounce_link", "", "i.wms_attempt = 0"),
);
