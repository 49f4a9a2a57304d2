import { hasWarehouse, isConnectionOf } from "../../../customers/companies/warehouse-of-company.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import { writeQuery } from "../../../platform/postgres/query.ts";
import type { Statement } from "../../../platform/postgres/statement.ts";
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
  // The last attempt is open again, since the order was found gone or cancelled. So its order is looked up before another
  // one is made.
  `update invoices i set wms_state = 'queued', wms_open_since = coalesce(i.wms_moved_at, i.wms_synced_at, i.created_at), wms_open_instance = i.wms_instance,
    wms_instance = null, wms_order_id = null, wms_order_number = null, wms_status = null, wms_error = null, wms_owns_order = false,
    wms_synced_at = null, wms_updated_at = null, wms_poll_at = null, wms_poll_every = null, changed_by = $3, updated_at = moment_after(i.updated_at)
  from companies c
  where i.tenant_id = $1 and i.id = $2 and c.tenant_id = $1 and ${isConnectionOf("c")}
    and ${hasWarehouse("c")} and ${hasStatusToSend} and ${isOpenQuestion}
  returning i.id`,
).exists();

const settleStatement: Statement = {
  name: "settle_order",
  text: `update invoices i set wms_settled_at = now(), wms_poll_at = now() + interval '1 day', changed_by = $3, updated_at = moment_after(i.updated_at)
  where i.tenant_id = $1 and i.id = $2 and i.wms_settled_at is null and ${isOpenQuestion}
  returning i.id`,
};

// Nothing else is followed than before: there is no order, or it is followed until it is final.
const settleRefusalStatement: Statement = {
  name: "settle_refusal",
  text: `update invoices i set wms_settled_at = now(), changed_by = $3, updated_at = moment_after(i.updated_at)
  where i.tenant_id = $1 and i.id = $2 and i.wms_settled_at is null and i.wms_shown in ('refused', 'cancelled_here', 'shipped_cancelled')
  returning i.id`,
};

/**
 * Records that a person accepts a refusal, or an order that is gone, cancelled, or not cancelled as its invoice is,
 * until it moves again. False if it is none of these.
 */
export async function settleOrder(tenant: TenantId, database: Database, id: string, by: string): Promise<boolean> {
  const parameters = [id, by];
  const answers = await database.write(tenant, [
    { statement: settleStatement, parameters },
    { statement: settleRefusalStatement, parameters },
  ]);
  return answers.some((rows) => rows.length > 0);
}

/** Takes an acceptance back. False if there is none, because the order has moved. */
export const unsettleOrder = writeQuery<[id: string, by: string]>(
  "unsettle_order",
  `update invoices i set wms_settled_at = null, changed_by = $3, updated_at = moment_after(i.updated_at)
  where i.tenant_id = $1 and i.id = $2 and i.wms_settled_at is not null
  returning i.id`,
).exists();

/** The days for which a need may be put off. */
export const putOffDays = [1, 3, 7] as const;

const putOffStatement: Statement = {
  name: "put_off_need",
  text: `update invoices i set wms_put_off_until = $3::date::timestamp at time zone $4, changed_by = $5, updated_at = moment_after(i.updated_at)
  where i.tenant_id = $1 and i.id = $2 and ${mayBePutOff}
  returning i.id`,
};

const showAgainStatement: Statement = {
  name: "take_need_up",
  text: `update invoices i set wms_put_off_until = null, changed_by = $3, updated_at = moment_after(i.updated_at)
  where i.tenant_id = $1 and i.id = $2 and i.wms_put_off_until is not null
  returning i.id`,
};

/**
 * Puts the need of an invoice off until the beginning of a day in a time zone (null: until now), or until its order
 * moves. False if it has no need that may be put off.
 */
export async function putNeedOff(
  tenant: TenantId,
  database: Database,
  id: string,
  { until, timeZone, by }: { until: string | null; timeZone: string; by: string },
): Promise<boolean> {
  const call =
    until === null
      ? { statement: showAgainStatement, parameters: [id, by] }
      : { statement: putOffStatement, parameters: [id, until, timeZone, by] };
  const [rows] = await database.write(tenant, [call]);
  return rows?.[0] !== undefined;
}

/** The link of `to_be_confirmed`, taken away; $3: the order that the person saw, null for any. */
const renounced = (name: string, state: string, whose: string): Statement => ({
  name,
  text: `update invoices i set wms_state = 'not_sent', wms_error = null, wms_order_id = null, wms_order_number = null,
    wms_status = null, wms_synced_at = null, wms_updated_at = null, wms_poll_at = null, wms_poll_every = null, wms_owns_order = false,
    ${state} changed_by = $4, updated_at = moment_after(i.updated_at)
  where i.tenant_id = $1 and i.id = $2 and i.wms_shown = 'to_be_confirmed' and ($3::bigint is null or i.wms_order_id = $3) and ${whose}
  returning i.id`,
});

// An earlier attempt may have made an order: it is open, so that its order is looked up before another one is made.
const renounceAttemptedStatement = renounced(
  "renounce_link_of_attempted",
  "wms_open_since = now(),",
  "i.wms_attempt > 0",
);
const renounceStatement = renounced("renounce_link", "", "i.wms_attempt = 0");

/**
 * Removes the link with an order that no warehouse confirms, because a person says that it is none. The history keeps
 * the link, and the invoice is not sent. False if it has no such link.
 * @param seen the id of the order that the person saw; null: any
 */
export async function renounceLink(
  tenant: TenantId,
  database: Database,
  id: string,
  { seen, by }: { seen: string | null; by: string },
): Promise<boolean> {
  const parameters = [id, seen, by];
  const answers = await database.write(tenant, [
    { statement: renounceAttemptedStatement, parameters },
    { statement: renounceStatement, parameters },
  ]);
  return answers.some((rows) => rows.length > 0);
}
