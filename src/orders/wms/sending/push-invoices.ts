import type { Deps } from "../../../kit/deps.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { sendSentence, type SendReason } from "../../invoices/wms-error.ts";
import { isOnItsWay, whyNotSent } from "../may-be-sent.ts";
import {
  findStandingByNumber,
  listFailed,
  listPushable,
  listPushableOfCompany,
  type InvoiceStanding,
} from "./push-queries.ts";
import { queueInvoices } from "./sending-queries.ts";

export type Pushed = { queued: number; skipped: { number: string; reason: string }[] };

/** The most invoices that one statement queues. */
const AT_ONCE = 500;

/**
 * Queues the invoices of a company that were never sent, or those of every connected company (null). Returns the
 * invoices that cannot be queued, with reasons. Invoices that were sent, or that are being sent, are ignored.
 */
export async function pushMany(
  deps: Deps,
  tenant: TenantId,
  companyId: string | null,
  signal: AbortSignal,
): Promise<Pushed> {
  const { database, warehouse } = deps;
  const pushed: Pushed = { queued: 0, skipped: [] };
  for (let after = "0"; ;) {
    signal.throwIfAborted();
    const page = { after, limit: AT_ONCE };
    const found =
      companyId === null
        ? await listPushable(tenant, database, page)
        : await listPushableOfCompany(tenant, database, { ...page, company: companyId });
    const last = found.at(-1);
    if (last === undefined) break;
    after = last.id;
    await push(
      deps,
      tenant,
      found.map((invoice) => ({ invoice, reason: whyNotPushed(invoice, warehouse !== null) })),
      pushed,
    );
  }
  return pushed;
}

/** Queues one invoice, also one that failed before. Null if no invoice has the number. */
export async function pushOne(deps: Deps, tenant: TenantId, number: string): Promise<Pushed | null> {
  const invoice = await findStandingByNumber(tenant, deps.database, number);
  if (invoice === null) return null;
  const pushed: Pushed = { queued: 0, skipped: [] };
  const reason = isOnItsWay(invoice.state)
    ? `It is ${invoice.state} already.`
    : sentenceOrNull(whyNotSent(invoice, deps.warehouse !== null));
  await push(deps, tenant, [{ invoice, reason }], pushed);
  return pushed;
}

async function push(
  { database }: Deps,
  tenant: TenantId,
  invoices: readonly { invoice: InvoiceStanding; reason: string | null }[],
  pushed: Pushed,
): Promise<void> {
  const ids = invoices.flatMap(({ invoice, reason }) => (reason === null ? [invoice.id] : []));
  const queued = new Set(ids.length === 0 ? [] : await queueInvoices(tenant, database, ids));
  pushed.queued += queued.size;
  for (const { invoice, reason } of invoices) {
    if (queued.has(invoice.id)) continue;
    pushed.skipped.push({ number: invoice.number, reason: reason ?? "It has changed meanwhile." });
  }
}

function whyNotPushed(invoice: InvoiceStanding, isReachable: boolean): string | null {
  if (invoice.state === "failed") return "It failed before: wms redrive queues it again.";
  return sentenceOrNull(whyNotSent(invoice, isReachable));
}

function sentenceOrNull(why: SendReason | null): string | null {
  return why && sendSentence(why);
}

/** Queues the failed invoice of a number, or all failed ones (null). Returns how many it queued. */
export async function redrive(
  { database }: Deps,
  tenant: TenantId,
  number: string | null,
  signal?: AbortSignal,
): Promise<number> {
  let queued = 0;
  for (let after = "0"; ;) {
    signal?.throwIfAborted();
    const ids = await listFailed(tenant, database, { number, after, limit: AT_ONCE });
    const last = ids.at(-1);
    if (last === undefined) break;
    after = last;
    queued += (await queueInvoices(tenant, database, ids)).length;
  }
  return queued;
}
