import type { Actor } from "../../../kit/actor.ts";
import type { Deps } from "../../../kit/deps.ts";
import type { Job, Outcome } from "../../../kit/jobs/job.ts";
import { isBreakdown, type Order, type WarehouseFailure } from "../../../kit/warehouse/warehouse-client.ts";
import { changedBy } from "../../../platform/fields/writer.ts";
import type { Call } from "../../../platform/postgres/statement.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import type { SendReason } from "../../invoices/wms-error.ts";
import { rules } from "../following/follow-orders.ts";
import { recordNews } from "../following/follow-queries.ts";
import { reachStored } from "../reached-warehouse.ts";
import { failureReason } from "../sending/failure-reason.ts";
import {
  findCancellable,
  findOrderToCancel,
  noteCancellation,
  queueCancellation,
  type Cancellable,
} from "./cancel-queries.ts";

const LONGEST_RETRY_MS = 15 * 60_000;
const MOST_TRIES = 20;
const WITHOUT_WAREHOUSE_MS = 15 * 60_000;

/** Whether a person can have the order of an invoice cancelled in its warehouse. Returns the subdomain to call. */
export async function cancellableAt(deps: Deps, tenant: TenantId, id: string): Promise<string | null> {
  const found = await findCancellable(tenant, deps.database, id);
  return found === null || obstacleOf(deps, found) !== null ? null : found.subdomain;
}

/** Why the warehouse of an order cannot be asked to cancel it; null if it can. */
function obstacleOf({ warehouse }: Deps, found: Cancellable): SendReason | null {
  const { orderId, instance, subdomain, isConnected, isKeyRefused, isUnsupported } = found;
  if (orderId === null) return { code: "withoutOrder" };
  if (warehouse === null) return { code: "unreachable" };
  if (!isConnected || subdomain === null) return { code: "disconnected" };
  if (isKeyRefused) return { code: "credentials" };
  if (warehouse.instanceOf(subdomain) !== instance) return { code: "movedAway", instance: instance ?? "" };
  return isUnsupported ? { code: "noCancelling" } : null;
}

/** Why the order of an invoice is not cancelled in its warehouse; null if it is, or is being cancelled already. */
export function whyNotCancelled(deps: Deps, found: Cancellable): SendReason | null {
  const { status, shown, cancel } = found;
  if (shown === "cancelled" || cancel === "queued" || cancel === "unknown") return null;
  if (status !== "cancelled") return { code: "notCancelled" };
  return obstacleOf(deps, found) ?? { code: "over" };
}

/** Asks for the cancellation; a job calls the warehouse. False if that is impossible, or not needed. */
export async function askToCancelThere(deps: Deps, actor: Actor, id: string): Promise<boolean> {
  const { tenant } = actor;
  const subdomain = await cancellableAt(deps, tenant, id);
  return (
    subdomain !== null && (await queueCancellation(tenant, deps.database, id, { subdomain, by: changedBy(actor) }))
  );
}

/**
 * Cancels the order of a cancelled invoice in its warehouse (docs/wms.md 8). The order is read first, so that a call
 * whose answer was lost is not repeated once the order is cancelled. A repeated call has no further effect.
 */
export async function cancelOrder(deps: Deps, job: Job): Promise<Outcome | "finished"> {
  const { database, warehouse } = deps;
  const { tenant, subject } = job;
  const asked = await findOrderToCancel(tenant, database, subject);
  if (asked === null) return { outcome: "done" };
  if (warehouse === null) return { outcome: "again", afterMs: WITHOUT_WAREHOUSE_MS, counts: false };
  const { orderId, instance } = asked;
  const end = async (calls: Call[], outcome: Outcome) => {
    await database.write(tenant, [...calls, job.finish(outcome)]);
    return "finished" as const;
  };
  const note = (...state: [Parameters<typeof noteCancellation>[2], SendReason | null]) =>
    noteCancellation(subject, orderId, ...state);
  const news = (order: Order | null) => recordNews(instance, [{ invoiceId: subject, orderId, order }], rules(deps));
  const postpone = async (failure: WarehouseFailure, isCalled: boolean) => {
    const answered = !isBreakdown(failure);
    const error = failureReason(failure);
    const waitMs = failure.outcome === "throttled" ? failure.retryAfterMs : null;
    if (failure.outcome === "credentials" || (waitMs === null && job.tries >= MOST_TRIES))
      return await end([note("failed", error)], { outcome: "done", answered });
    const state = isCalled && failure.outcome === "unknown" ? [note("unknown", error)] : [];
    return await end(state, { ...pause(deps, job.tries, waitMs), answered });
  };

  const reached = reachStored(deps, warehouse, tenant, asked);
  if (reached === null) return await end([note("failed", { code: "disconnected" })], { outcome: "done" });
  if (reached.instance !== instance)
    return await end([note("failed", { code: "movedAway", instance })], { outcome: "done" });
  const access = { ...reached.access, signal: job.signal, notAfter: job.leasedUntil };
  const found = await reached.warehouse.order(access, orderId);
  const done: Outcome = { outcome: "done", answered: true };
  if (found.outcome === "missing") return await end([news(null)], done);
  if (found.outcome !== "found") return await postpone(found, false);
  if (isOver(deps, found.order)) return await end([news(found.order)], done);
  const answer = await reached.warehouse.cancelOrder(access, orderId);
  switch (answer.outcome) {
    case "cancelled":
      return await end([note("asked", null), news(answer.order)], done);
    case "kept":
      return await end(
        [note("kept", { code: "refused", words: answer.message }), news(answer.order ?? found.order)],
        done,
      );
    case "unsupported":
      return await end([note("unsupported", { code: "noCancelling" })], done);
    default:
      return await postpone(answer, true);
  }
}

/** Whether nothing can be cancelled any more. */
function isOver({ config }: Deps, { status }: Order): boolean {
  const word = (status ?? "").toLowerCase();
  return ["cancelled", "canceled"].includes(word) || config.wms.finalStatuses.includes(word);
}

/** The next attempt, after a random pause that grows with each, so that orders do not retry at the same moment. */
function pause({ config }: Deps, tries: number, waitMs: number | null): Outcome & { outcome: "again" } {
  const { retryMs } = config.wms;
  const longest = Math.min(retryMs * 2 ** Math.min(tries - 1, 30), LONGEST_RETRY_MS);
  const afterMs = waitMs === null ? Math.random() * longest : Math.max(waitMs, retryMs);
  return { outcome: "again", afterMs, counts: waitMs === null };
}
