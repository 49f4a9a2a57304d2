import { changeJson } from "../../kit/changes/change-json.ts";
import { changeOf } from "../../kit/changes/change-queries.ts";
import type { Store } from "../../kit/deps.ts";
import { now } from "../../platform/clock.ts";
import { isoTimestamp } from "../../platform/dates.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { resourceOfChange } from "../feed/resource-of-change.ts";
import { messageOfChange } from "./message-of-change.ts";
import { isOrderEvent, orderAfter } from "./order-events.ts";
import { findOrderNow } from "./order-queries.ts";

/**
 * The message of a delivery (docs/contract.md 19.5): its body, and its id, which is the same in all attempts. Null if
 * the change no longer exists.
 */
export async function messageOf(
  deps: Store,
  tenant: TenantId,
  { testId, type, change }: { testId: string | null; type: string | null; change: Row | null },
  webhook: { id: string; isFull: boolean },
): Promise<{ id: string; body: string } | null> {
  if (testId !== null) {
    const timestamp = new Date(now()).toISOString();
    return { id: testId, body: JSON.stringify({ type, timestamp, data: { webhook_id: Number(webhook.id) } }) };
  }
  if (change === null) return null;
  const row = changeOf(change);
  const { id, at, changed, resourceId } = row;
  const order = isOrderEvent(type)
    ? orderAfter(changed, await findOrderNow(tenant, deps.database, resourceId, at, id))
    : null;
  const data = [
    changeJson(change).slice(0, -1),
    ...(order === null ? [] : [`"order":${JSON.stringify(order)}`]),
    ...(webhook.isFull ? [`"resource":${await resourceOfChange(deps, tenant, row)}`] : []),
  ].join(",");
  return messageOfChange({ id, at: isoTimestamp(at), event: String(type), data: `${data}}` });
}
