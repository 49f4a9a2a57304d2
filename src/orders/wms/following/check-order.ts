import type { Deps } from "../../../kit/deps.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { CHECK_MS } from "../../invoices/shown-state.ts";
import { sendReasonOf } from "../../invoices/wms-error.ts";
import { findCheckable, followNow, lookUpNow, type Checkable } from "./check-queries.ts";

/** The outcome of a person's check of an order. `until`: PostgreSQL's text of a moment. */
export type OrderCheck =
  | { outcome: "asked" | "nothing" | "unreachable" | "disconnected" | "elsewhere" | "key-refused" }
  | { outcome: "lately"; seconds: number }
  /** The warehouse asked for a pause, or gave no answer several times: it is checked automatically at this moment. */
  | { outcome: "later"; until: string };

/**
 * Has the warehouse asked about an invoice's order now, at most once in CHECK_MS. It hastens the job that would do so
 * later, so the person's request waits for no warehouse. A pause that a warehouse requested stays.
 */
export async function checkOrder(deps: Deps, tenant: TenantId, id: string): Promise<OrderCheck> {
  const { database, warehouse } = deps;
  const found = await findCheckable(tenant, database, id);
  const isAttempt = found?.state === "unknown";
  if (found === null || !(found.isFollowed || isAttempt)) return { outcome: "nothing" };
  if (warehouse === null) return { outcome: "unreachable" };
  if (!found.isConnected) return { outcome: "disconnected" };
  const instance = warehouse.instanceOf(found.subdomain ?? "");
  if (!isAttempt && found.instance !== instance) return { outcome: "elsewhere" };
  const lately = recentlyChecked(found);
  if (lately !== null) return lately;
  if (found.isKeyRefused) return { outcome: "key-refused" };
  const pause = isAttempt ? requestedPause(found) : found.isOverdue ? found.followPause : null;
  if (pause !== null) return { outcome: "later", until: pause };
  const isDue = isAttempt
    ? await lookUpNow(tenant, database, id)
    : await followNow(tenant, database, id, found.instance ?? "");
  if (!isDue) return { outcome: "lately", seconds: 0 };
  return found.closedUntil === null ? { outcome: "asked" } : { outcome: "later", until: found.closedUntil };
}

function recentlyChecked({ askedSeconds }: Checkable): OrderCheck | null {
  if (askedSeconds === null || askedSeconds * 1000 >= CHECK_MS) return null;
  return { outcome: "lately", seconds: Math.max(0, Math.floor(askedSeconds)) };
}

/** Other pauses of an attempt are its own: it waits until the warehouse has had time to show its order. */
function requestedPause({ error, sendPause }: Checkable): string | null {
  return error !== null && sendReasonOf(error).code === "throttled" ? sendPause : null;
}
