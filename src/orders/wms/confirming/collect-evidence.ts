import type { Deps } from "../../../kit/deps.ts";
import type {
  WarehouseFailure,
  Order,
  Pair,
  WarehouseAccess,
  WarehouseClient,
} from "../../../kit/warehouse/warehouse-client.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import type { SendReason } from "../../invoices/wms-error.ts";
import { findByNumber } from "../find-by-number.ts";
import { reach } from "../following/follow-orders.ts";
import { findHolders } from "../order-holder-queries.ts";
import { failureReason } from "../sending/failure-reason.ts";
import { pairOf } from "../sending/order-in.ts";
import type { Link } from "./reconfirm-queries.ts";
import { noEvidence, weighEvidence, type Evidence } from "./weigh-evidence.ts";

type EvidenceOptions = {
  signal?: AbortSignal | undefined;
  /**
   * Companies whose warehouse did not answer, with the reason. They are skipped from then on. The function adds to it.
   */
  silent: Map<string, SendReason>;
};

/**
 * Reads evidence for at most a hundred links from the warehouses of their companies, several companies at the same
 * time.
 */
export async function collectEvidence(
  deps: Deps,
  tenant: TenantId,
  links: readonly Link[],
  asking: EvidenceOptions,
): Promise<{ link: Link; evidence: Evidence }[]> {
  const unasked: SendReason = { code: deps.warehouse === null ? "unreachable" : "disconnected" };
  const byCompany = Map.groupBy(links, ({ companyId }) => companyId);
  const answers = await Promise.all(
    [...byCompany].map(([companyId, group]) => ofCompany(deps, tenant, companyId, group, asking)),
  );
  const collected = new Map(answers.flat());
  return links.map((link) => {
    return { link, evidence: collected.get(link) ?? noEvidence(null, unasked) };
  });
}

/** One link after the other, so that orders which are sent to the same warehouse do not wait. */
async function ofCompany(
  deps: Deps,
  tenant: TenantId,
  companyId: string,
  links: readonly Link[],
  { signal, silent }: EvidenceOptions,
): Promise<[link: Link, evidence: Evidence][]> {
  const { config } = deps;
  const isAsked = links.some(({ isConnected }) => isConnected);
  const reached = deps.warehouse === null || !isAsked ? null : await reach(deps, deps.warehouse, tenant, companyId);
  if (reached === null) return [];
  const { instance, warehouse } = reached;
  const access = { ...reached.access, signal };
  const byIds = silent.has(companyId) ? null : await lookUpByIds(warehouse, access, links);
  if (byIds !== null && byIds.failure !== null) silent.set(companyId, byIds.failure);
  const ids = links.map(({ orderId }) => orderId);
  const holders = await findHolders(tenant, deps.database, instance, ids, "0");
  const collected: [Link, Evidence][] = [];
  for (const link of links) {
    const silence = silent.get(companyId) ?? null;
    if (silence !== null || byIds === null) {
      collected.push([link, noEvidence(instance, silence ?? { code: "disconnected" })]);
      continue;
    }
    const pair = pairOf(config, link.slug, link.invoiceId);
    const asked = await lookUpOthers(warehouse, access, link, pair);
    if ("failure" in asked) {
      const reason = failureReason(asked.failure);
      if (wouldFailAgain(asked.failure)) silent.set(companyId, reason);
      collected.push([link, noEvidence(instance, reason)]);
    } else {
      const byId = byIds.orders.get(link.orderId) ?? null;
      const heldBy = holders.get(link.orderId) ?? null;
      collected.push([link, weighEvidence(instance, link, pair, { byId, heldBy, ...asked })]);
    }
  }
  return collected;
}

async function lookUpByIds(
  warehouse: WarehouseClient,
  access: WarehouseAccess,
  links: readonly Link[],
): Promise<{ orders: Map<number, Order>; failure: SendReason | null }> {
  const ids = [...new Set(links.map(({ orderId }) => orderId))];
  const { orders, unasked, failure } = await warehouse.ordersByIds(access, ids);
  const late = unasked.length === 0 ? null : failureReason(failure ?? { outcome: "unknown", reason: "timeout" });
  return { orders: new Map(orders.map((order) => [order.orderId, order])), failure: late };
}

async function lookUpOthers(
  warehouse: WarehouseClient,
  access: WarehouseAccess,
  link: Link,
  pair: Pair,
): Promise<{ byPair: Order[]; byNumber: Order[] } | { failure: WarehouseFailure }> {
  const [byPair, byNumber] = await Promise.all([
    warehouse.findByPair(access, pair),
    findByNumber(warehouse, access, link),
  ]);
  if (byPair.outcome !== "found") return { failure: byPair };
  if (byNumber.outcome !== "found") return { failure: byNumber };
  return { byPair: byPair.orders, byNumber: byNumber.orders };
}

/** Whether the next call to the same warehouse would fail in the same way. */
function wouldFailAgain(failure: WarehouseFailure): boolean {
  if (failure.outcome === "unknown") return failure.reason === "timeout" || failure.reason === "stopped";
  return failure.outcome !== "refused" && failure.outcome !== "missing";
}
