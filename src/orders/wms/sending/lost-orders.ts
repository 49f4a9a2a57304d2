import type { Deps } from "../../../kit/deps.ts";
import type { Job } from "../../../kit/jobs/job.ts";
import type { FoundOrders, Order, WarehouseFailure } from "../../../kit/warehouse/warehouse-client.ts";
import { findByNumber } from "../find-by-number.ts";
import { reachStored, type ReachedWarehouse } from "../reached-warehouse.ts";
import { isOfFiscalId, isOfNumber } from "../same-invoice.ts";
import { findNeighbours, type FormerNames } from "./lost-order-queries.ts";
import { sourceOf } from "./order-in.ts";
import type { InvoiceToSend } from "./sending-queries.ts";

/**
 * The orders with an invoice's number that attempts of its tenant may have made.
 * @param formerTaxIds of its company, besides the present one
 */
export async function findLost(
  deps: Deps,
  { warehouse, access }: Pick<ReachedWarehouse, "warehouse" | "access">,
  invoice: InvoiceToSend,
  formerTaxIds: readonly string[],
): Promise<FoundOrders | WarehouseFailure> {
  const sources: ReadonlySet<string | null> = new Set([null, ...sourcesOf(deps, invoice).all]);
  const orders = new Map<number, Order>();
  for (const taxId of new Set([invoice.taxId, ...formerTaxIds])) {
    const found = await findByNumber(warehouse, access, { ...numberOf(invoice), taxId });
    if (found.outcome !== "found") return found;
    const ours = found.orders.filter((order) => {
      const isNumbered = order.invoiceReference !== null && isOfNumber(order, numberOf(invoice));
      return isNumbered && isOfFiscalId(order, { taxId }) && sources.has(order.externalSource);
    });
    for (const order of ours) orders.set(order.orderId, order);
  }
  return { outcome: "found", orders: [...orders.values()] };
}

/**
 * The other warehouses that have an order of the invoice, or may have one. The workspace's warehouses are asked, each
 * with a company's key for it. A former warehouse of the company that cannot be asked may have one: a person looks
 * there.
 */
export async function findElsewhere(
  deps: Deps,
  { job, invoice, access, warehouse }: ReachedWarehouse & { job: Job; invoice: InvoiceToSend },
  former: FormerNames,
): Promise<string[]> {
  const present = access.subdomain.toLowerCase();
  const unknown = new Set(former.subdomains.filter((subdomain) => subdomain !== present));
  const pairs = sourcesOf(deps, invoice).all.map((externalSource) => ({
    externalSource,
    externalOrderId: job.subject,
  }));
  for (const neighbour of await findNeighbours(job.tenant, deps.database, access.subdomain)) {
    const reached = reachStored(deps, warehouse, job.tenant, neighbour);
    if (reached === null) continue;
    const there = { ...reached, access: { ...access, ...reached.access } };
    const answers = await Promise.all([
      findLost(deps, there, invoice, former.taxIds),
      ...pairs.map((pair) => there.warehouse.findByPair(there.access, pair)),
    ]);
    const isAbsent = answers.every((answer) => answer.outcome === "found" && !answer.orders.some(isOfInvoice));
    if (isAbsent) unknown.delete(reached.access.subdomain.toLowerCase());
    else unknown.add(reached.access.subdomain.toLowerCase());
  }
  return [...unknown].map((subdomain) => warehouse.instanceOf(subdomain) ?? subdomain);

  function isOfInvoice(order: Order): boolean {
    return isOfNumber(order, numberOf(invoice));
  }
}

/**
 * `all`: the sources under which an invoice's order may have been made. They are the `decisive` one, those of the
 * tenant's former slugs, and, if an attempt may be lost, the present one. The `decisive` source is that of the open
 * attempt, or else the present one.
 */
export type Sources = { present: string; decisive: string; all: string[] };

export function sourcesOf({ config }: Deps, invoice: InvoiceToSend): Sources {
  const present = sourceOf(config, String(invoice.slug));
  const decisive = invoice.openSource ?? present;
  const former = invoice.formerSlugs.map((slug) => sourceOf(config, slug));
  return { present, decisive, all: [...new Set([decisive, ...(invoice.mayBeLost ? [present] : []), ...former])] };
}

export function numberOf({ number }: InvoiceToSend): { number: string } {
  return { number: String(number) };
}
