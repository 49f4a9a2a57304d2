import { mergedCompanies } from "../../../customers/companies/merged-queries.ts";
import type { Deps } from "../../../kit/deps.ts";
import type { Job, Outcome } from "../../../kit/jobs/job.ts";
import {
  isBreakdown,
  type WarehouseFailure,
  type WarehouseAccess,
  type WarehouseClient,
} from "../../../kit/warehouse/warehouse-client.ts";
import { now } from "../../../platform/clock.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { LONGEST_PAUSE_MS, longestPauseMs, withoutWarehouse } from "../next-try.ts";
import { reachStored, type ReachedWarehouse } from "../reached-warehouse.ts";
import { findAccess, findDue, nextDueMs, recordNews, type Followed, type OrderNews } from "./follow-queries.ts";

/** The most orders of one call (docs/wms.md 2). */
export const ORDERS_AT_ONCE = 100;
/** The longest pause between two reads of an order that does not change. */
const MOST_SECONDS = 3_600;

/**
 * Reads the orders of a company that are due from its warehouse (docs/wms.md 5). The company is the job's subject. If
 * it was merged into another, its orders are that one's. The job runs again when the next order is due, and ends when
 * no order is followed.
 */
export async function followOrders(deps: Deps, job: Job): Promise<Outcome | "finished"> {
  const { database, warehouse } = deps;
  const { tenant, subject } = job;
  if (warehouse === null) return withoutWarehouse;
  const reached = await reach(deps, warehouse, tenant, subject);
  // A company without a connection is followed again when it gets one.
  if (reached === null) return { outcome: "done" };
  const { instance, access } = reached;
  const company = reached.isMerged ? await mergedCompanies.into(tenant, database, subject) : subject;
  if (company === null) return { outcome: "done" };
  const by = { company, sender: subject, instance };
  const due = await findDue(tenant, database, { ...by, limit: ORDERS_AT_ONCE });
  if (due.length === 0) {
    const afterMs = await nextDueMs(tenant, database, by);
    return afterMs === null ? { outcome: "done" } : { outcome: "again", afterMs, counts: false };
  }
  const found = await readOrders(reached.warehouse, { ...access, signal: job.signal }, due);
  const outcome: Outcome =
    found.failure === null
      ? { outcome: "again", afterMs: 0, counts: false, answered: true }
      : afterFailure(found.failure, job.tries, deps.config.wms.retryMs);
  await database.write(tenant, [recordNews(instance, found.news, rules(deps)), job.finish(outcome)]);
  return "finished";
}

/** A company's warehouse by its present connection. `isMerged`: the company went into another. */
export async function reach(
  deps: Deps,
  warehouse: WarehouseClient,
  tenant: TenantId,
  companyId: string,
): Promise<(ReachedWarehouse & { isMerged: boolean }) | null> {
  const stored = await findAccess(tenant, deps.database, companyId);
  const reached = stored && reachStored(deps, warehouse, tenant, stored);
  return reached && { ...reached, isMerged: stored.isMerged };
}

/** A warehouse's news of some orders, at most ORDERS_AT_ONCE. `failure`: why it said nothing of the others. */
export async function readOrders(
  warehouse: WarehouseClient,
  access: WarehouseAccess,
  followed: readonly Followed[],
): Promise<{ news: OrderNews[]; failure: WarehouseFailure | null }> {
  const ids = [...new Set(followed.map(({ orderId }) => orderId))];
  const { orders, missing, failure } = await warehouse.ordersByIds(access, ids);
  const found = new Map(orders.map((order) => [order.orderId, order]));
  const news = followed.flatMap(({ invoiceId, orderId }): OrderNews[] => {
    const order = found.get(orderId) ?? null;
    return order !== null || missing.includes(orderId) ? [{ invoiceId, orderId, order }] : [];
  });
  return { news, failure };
}

/** The pauses after an answer until orders are read again. */
export function rules({ config }: Deps) {
  const { pollSeconds, finalStatuses } = config.wms;
  const mostSeconds = Math.max(MOST_SECONDS, pollSeconds);
  return { at: now(), pollSeconds, mostSeconds, finalStatuses };
}

function afterFailure(failure: WarehouseFailure, tries: number, retryMs: number): Outcome {
  const answered = !isBreakdown(failure);
  if (failure.outcome === "throttled" && failure.retryAfterMs !== null) {
    return { outcome: "again", afterMs: failure.retryAfterMs, counts: false, answered };
  }
  // A rejected key stays rejected until a person writes another one. That enqueues the job again.
  const longest = failure.outcome === "credentials" ? LONGEST_PAUSE_MS : longestPauseMs(retryMs, tries);
  return { outcome: "again", afterMs: Math.random() * longest, counts: true, answered };
}
