import { changeJson } from "../changes/change-json.ts";
import { changeOf } from "../changes/change-queries.ts";
import { now } from "../platform/clock.ts";
import { isoTimestamp } from "../platform/dates.ts";
import type { Row } from "../platform/postgres/statement.ts";

/**
 * The message of a delivery (docs/contract.md 19.5): its body, and its id, which is the same in all attempts. Null if
 * the change no longer exists.
 */
export function messageOf(
  { testId, type, change }: { testId: string | null; type: string | null; change: Row | null },
  webhookId: string,
): { id: string; body: string } | null {
  if (testId !== null) {
    const timestamp = new Date(now()).toISOString();
    return { id: testId, body: JSON.stringify({ type, timestamp, data: { webhook_id: Number(webhookId) } }) };
  }
  if (change === null) return null;
  const { id, at } = changeOf(change);
  const body = `{"type":${JSON.stringify(type)},"timestamp":"${isoTimestamp(String(at))}","data":${changeJson(change)}}`;
  return { id: String(id), body };
}
