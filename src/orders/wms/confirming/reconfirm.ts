import type { Actor } from "../../../kit/actor.ts";
import type { Deps } from "../../../kit/deps.ts";
import { changedBy } from "../../../platform/fields/writer.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import type { SendReason } from "../../invoices/wms-error.ts";
import { collectEvidence } from "./collect-evidence.ts";
import { listLinks, storeInstances, type Link } from "./reconfirm-queries.ts";
import type { Evidence, Grade } from "./weigh-evidence.ts";

/** A link without an instance, and what its company's warehouse says of it. */
export type Candidate = { link: Link; evidence: Evidence };

/** The candidates whose evidence is collected together. */
export const CANDIDATES_AT_ONCE = 20;

/** The grades that many links are confirmed by. */
export const grades = ["exact", "strong"] as const satisfies readonly Grade[];

/** All candidates of a tenant, by pages. At the signal it ends early, with the evidence so far. */
export async function* everyCandidate(
  deps: Deps,
  tenant: TenantId,
  signal: AbortSignal,
): AsyncGenerator<Candidate[], void, void> {
  const silent = new Map<string, SendReason>();
  for (let after = "0"; !signal.aborted;) {
    const links = await listLinks(tenant, deps.database, { after, limit: CANDIDATES_AT_ONCE });
    const last = links.at(-1);
    if (last === undefined) return;
    after = last.invoiceId;
    yield await collectEvidence(deps, tenant, links, { signal, silent });
  }
}

/** Whether a candidate is confirmed together with all of a grade: strong includes exact. */
export function isOfGrade({ evidence }: Candidate, grade: (typeof grades)[number]): boolean {
  return evidence.grade === "exact" || evidence.grade === grade;
}

/** Whether the warehouse answered everything, and has an order of the link's id that no other invoice has. */
export function isConfirmable({ evidence }: Candidate): boolean {
  return evidence.order !== null && evidence.heldBy === null;
}

/** Whether the candidate's company has no warehouse: a person must connect it first. */
export function hasNoWarehouse({ evidence }: Candidate): boolean {
  return evidence.failure?.code === "disconnected";
}

/**
 * Confirms candidates that a person chose: their orders are at the instances where they were found, and are followed
 * from now on. Returns the confirmed ones. A link stays unchanged if it has changed since it was read, if the warehouse
 * has no order of it, or if another invoice has its order.
 */
export async function confirm({ database }: Deps, actor: Actor, chosen: readonly Candidate[]): Promise<Candidate[]> {
  const found = [...Map.groupBy(chosen.filter(isConfirmable), orderOf).values()].flatMap((rivals) => {
    const { link, evidence } = best(rivals) ?? {};
    return link === undefined || evidence?.instance == null ? [] : [{ link, instance: evidence.instance }];
  });
  if (found.length === 0) return [];
  const stored = new Set(await storeInstances(actor.tenant, database, found, changedBy(actor)));
  return chosen.filter(({ link }) => stored.has(link.invoiceId));
}

/** Names the order that a link would have. */
function orderOf({ link, evidence }: Candidate): string {
  return `${evidence.instance}/${link.orderId}`;
}

/** The candidate that fits an order better than all others; null if several fit it best. */
function best(rivals: readonly Candidate[]): Candidate | null {
  const ranks = ["exact", "strong", "ambiguous", "none"] as const satisfies readonly Grade[];
  const ofGrade = Map.groupBy(rivals, ({ evidence }) => ranks.indexOf(evidence.grade));
  const [first, ...others] = ofGrade.get(Math.min(...ofGrade.keys())) ?? [];
  return first === undefined || others.length > 0 ? null : first;
}
