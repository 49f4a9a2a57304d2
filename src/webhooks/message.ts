import { changeJson } from "../changes/change-json.ts";
import { changeOf } from "../changes/change-queries.ts";
import { now } from "../platform/clock.ts";
import { isoTimestamp } from "../platform/dates.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { Row } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { isOrderEvent, orderAfter } from "./order-events.ts";
import { findOrderNow } from "./order-queries.ts";

/**
 * The message of a delivery (docs/contract.md 19.5): its body, and its id, which is the same in all attempts. Null if
 * the change no longer exists.
 */
export async function messageOf(
  tenant: TenantId,
  database: Database,
  { testId, type, change }: { testId: string | null; type: string | null; change: Row | null },
  webhookId: string,
): Promise<{ id: string; body: string } | null> {
  if (testId !== null) {
    const timestamp = new Date(now()).toISOString();
    return { id: testId, body: JSON.stringify({ type, timestamp, data: { webhook_id: Number(webhookId) } }) };
  }
  if (change === null) return null;
  const row = changeOf(change);
  const { id, at, changed } = row;
  const message = (id: string, data: string) => ({
    id,
    body: `{"type":${JSON.stringify(type)},"timestamp":"${isoTimestamp(String(at))}","data":${data}}`,
  });
  const json = changeJson(change);
  if (!isOrderEvent(type)) return message(String(id), json);
  const order = orderAfter(changed, await findOrderNow(tenant, database, row));
  return message(`${id}.${type}`, `${json.slice(0, -1)},"order":${JSON.stringify(order)}}`);
}
