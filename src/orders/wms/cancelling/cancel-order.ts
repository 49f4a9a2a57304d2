import type { Actor } from "../../../kit/actor.ts";
import type { Deps } from "../../../kit/deps.ts";
import type { Job, Outcome } from "../../../kit/jobs/job.ts";
import {
  isBreakdown,
  type Order,
  type WarehouseClient,
  type WarehouseFailure,
} from "../../../kit/warehouse/warehouse-client.ts";
import { changedBy } from "../../../platform/fields/writer.ts";
import type { Call } from "../../../platform/postgres/statement.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import type { SendReason } from "../../invoices/wms-error.ts";
import { rules } from "../following/follow-orders.ts";
import { recordNews } from "../following/follow-queries.ts";
import { MOST_TRIES, nextTry, withoutWarehouse } from "../next-try.ts";
import { reachStored } from "../reached-warehouse.ts";
import { failureReason } from "../sending/failure-reason.ts";
import {
  findCancellable,
  findOrderToCancel,
  noteCancellation,
  queueCancellation,
  type Cancellable,
  type OrderToCancel,
} from "./cancel-queries.ts";

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
  if (warehouse === null) return withoutWarehouse;
  const { calls, outcome } = await tryToCancel(deps, warehouse, job, asked);
  await database.write(tenant, [...calls, job.finish(outcome)]);
  return "finished";
}

/** The end of the job: records that are committed with it. */
type End = { calls: Call[]; outcome: Outcome };

async function tryToCancel(deps: Deps, warehouse: WarehouseClient, job: Job, asked: OrderToCancel): Promise<End> {
  const { subject: id } = job;
  const { orderId, instance } = asked;
  const reached = reachStored(deps, warehouse, job.tenant, asked);
  if (reached === null) return failed(id, orderId, { code: "disconnected" });
  if (reached.instance !== instance) return failed(id, orderId, { code: "movedAway", instance });
  const access = { ...reached.access, signal: job.signal, notAfter: job.leasedUntil };
  const done = (...calls: Call[]): End => ({ calls, outcome: { outcome: "done", answered: true } });
  const news = (order: Order | null) => recordNews(instance, [{ invoiceId: id, orderId, order }], rules(deps));

  const found = await reached.warehouse.order(access, orderId);
  if (found.outcome === "missing") return done(news(null));
  if (found.outcome !== "found") return afterFailure(deps, job, orderId, { failure: found, isAsked: false });
  if (isOver(deps, found.order)) return done(news(found.order));
  // The invoice may have been reopened while the warehouse answered.
  if ((await findOrderToCancel(job.tenant, deps.database, id)) === null) return done();
  const answer = await reached.warehouse.cancelOrder(access, orderId);
  switch (answer.outcome) {
    case "cancelled":
      return done(noteCancellation(id, orderId, "asked", null), news(answer.order));
    case "kept": {
      const refusal: SendReason = { code: "refused", words: answer.message };
      return done(noteCancellation(id, orderId, "kept", refusal), news(answer.order ?? found.order));
    }
    case "unsupported":
      return done(noteCancellation(id, orderId, "unsupported", { code: "noCancelling" }));
    default:
      return afterFailure(deps, job, orderId, { failure: answer, isAsked: true });
  }
}

/** Whether nothing can be cancelled any more. */
function isOver({ config }: Deps, { status }: Order): boolean {
  const word = (status ?? "").toLowerCase();
  return ["cancelled", "canceled"].includes(word) || config.wms.finalStatuses.includes(word);
}

/** @param isAsked whether the failed call was the one that cancels */
function afterFailure(
  { config }: Deps,
  { subject: id, tries }: Job,
  orderId: number,
  { failure, isAsked }: { failure: WarehouseFailure; isAsked: boolean },
): End {
  const answered = !isBreakdown(failure);
  const error = failureReason(failure);
  const waitMs = failure.outcome === "throttled" ? failure.retryAfterMs : null;
  const isLast = failure.outcome === "credentials" || (waitMs === null && tries >= MOST_TRIES);
  if (isLast) return failed(id, orderId, error, answered);
  const again = nextTry({ tries, retryMs: config.wms.retryMs, random: Math.random() }, waitMs);
  const isUnknown = isAsked && failure.outcome === "unknown";
  return {
    calls: isUnknown ? [noteCancellation(id, orderId, "unknown", error)] : [],
    outcome: { ...again, answered },
  };
}

function failed(id: string, orderId: number, error: SendReason, answered?: boolean): End {
  const outcome: Outcome = answered === undefined ? { outcome: "done" } : { outcome: "done", answered };
  return { calls: [noteCancellation(id, orderId, "failed", error)], outcome };
}
