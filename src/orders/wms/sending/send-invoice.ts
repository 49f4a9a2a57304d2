import type { Deps } from "../../../kit/deps.ts";
import type { Job, Outcome } from "../../../kit/jobs/job.ts";
import { laneOf } from "../../../kit/warehouse/instance-url.ts";
import { deliveryDocument } from "../../../kit/warehouse/order-request.ts";
import { now } from "../../../platform/clock.ts";
import { storeUnique, uniqueIndex } from "../../../platform/postgres/taken.ts";
import { parseTraceparent } from "../../../platform/trace.ts";
import { withoutWarehouse } from "../next-try.ts";
import { findHolders, ORDER_INDEX } from "../order-holder-queries.ts";
import { reachStored, type ReachedWarehouse } from "../reached-warehouse.ts";
import { findFormerNames } from "./lost-order-queries.ts";
import { findElsewhere, findLost, sourcesOf, type Sources } from "./lost-orders.ts";
import { nextSendStep, type SendAnswers, type SendEnd, type SendStep } from "./next-step.ts";
import { orderIn } from "./order-in.ts";
import {
  beginAttempt,
  findInvoiceToSend,
  recordOrder,
  writeBesideConnection,
  type InvoiceToSend,
} from "./sending-queries.ts";

/**
 * Sends an invoice to its company's warehouse (docs/wms.md, docs/decisions/0032-sending.md). An attempt is recorded
 * before its call. If its outcome is unknown, the next attempt first looks its order up. An existing order is linked. A
 * missing one counts as absent once the warehouse has had time to show it. So an order that may exist is never created
 * again. Each step is decided from the answers to those before it (next-step.ts).
 */
export async function sendInvoice(deps: Deps, job: Job): Promise<Outcome | "finished"> {
  const { database, warehouse, config } = deps;
  const { tenant, subject } = job;
  const invoice = await findInvoiceToSend(tenant, database, subject);
  if (invoice === null || !["queued", "sending", "unknown"].includes(String(invoice.state))) return { outcome: "done" };
  if (warehouse === null) return withoutWarehouse;
  const reached = reachStored(deps, warehouse, tenant, invoice);
  const sources = sourcesOf(deps, invoice);
  const state = {
    id: subject,
    invoice,
    reached: reached && { instance: reached.instance, lane: laneOf(reached.access.subdomain) },
    sources,
    tries: job.tries,
    settleMs: config.wms.settleSeconds * 1000,
    retryMs: config.wms.retryMs,
    random: Math.random(),
  };
  const answers: SendAnswers = {};
  for (;;) {
    const step = nextSendStep(state, answers);
    if (step.step === "end") return await ended(deps, job, step);
    if (reached === null) throw new Error("no step calls a warehouse that cannot be reached");
    const trace = parseTraceparent(invoice.trace ?? undefined);
    const access = { ...reached.access, signal: job.signal, notAfter: job.leasedUntil, trace };
    const answer = await doStep(deps, { ...reached, access, job, invoice, sources }, step);
    if (answer === "finished") return answer;
    Object.assign(answers, answer);
  }
}

/** Ends the job, together with its records. */
async function ended({ database }: Deps, job: Job, { calls, outcome }: SendEnd): Promise<Outcome | "finished"> {
  if (calls.length === 0) return outcome;
  await database.write(job.tenant, [...calls, job.finish(outcome)]);
  return "finished";
}

/** One attempt: the invoice as it was read, and the client of its warehouse. */
type SendAttempt = ReachedWarehouse & { job: Job; invoice: InvoiceToSend; sources: Sources };

/** Does a step, and returns the answer to it. */
async function doStep(
  deps: Deps,
  attempt: SendAttempt,
  step: Exclude<SendStep, { step: "end" }>,
): Promise<SendAnswers | "finished"> {
  const { database } = deps;
  const { job, invoice } = attempt;
  const former = async () => await findFormerNames(job.tenant, database, invoice.companyId);
  switch (step.step) {
    case "look-up":
      return { byPair: await findByPairs(attempt) };
    case "search-lost":
      return { byNumber: await findLost(deps, attempt, invoice, (await former()).taxIds) };
    case "search-elsewhere":
      return { elsewhere: await findElsewhere(deps, attempt, await former()) };
    case "create":
      return { created: await create(deps, attempt) };
    case "link":
      return await link(deps, attempt, step);
    case "end-beside-connection":
      await writeBesideConnection(job.tenant, database, invoice, (isAsRead) => {
        const { calls, outcome } = isAsRead ? step.asRead : step.changed;
        return [...calls, job.finish(outcome)];
      });
      return "finished";
  }
}

async function findByPairs({
  job,
  access,
  warehouse,
  sources: { all },
}: SendAttempt): Promise<NonNullable<SendAnswers["byPair"]>> {
  const sources = [];
  for (const source of all) {
    const found = await warehouse.findByPair(access, { externalSource: source, externalOrderId: job.subject });
    if (found.outcome !== "found") return found;
    sources.push({ source, orders: found.orders });
  }
  return { outcome: "found", sources };
}

async function create(deps: Deps, { job, invoice, instance, access, warehouse }: SendAttempt) {
  const order = orderIn(deps, job, invoice);
  const clear = JSON.stringify(deliveryDocument(order.delivery));
  const delivery = deps.keyring.encrypt(job.tenant, "invoices.delivered_to", clear);
  const begun = { before: String(invoice.attempt), instance, source: order.externalSource, delivery };
  const attempt = await beginAttempt(job.tenant, deps.database, job, begun);
  return attempt === null ? null : { attempt, answer: await warehouse.createOrder(access, order) };
}

/** The index decides between two invoices that get the same order at the same moment. */
async function link(
  { database, config }: Deps,
  { job, instance }: SendAttempt,
  { attempt, order, isOwn, remark }: Extract<SendStep, { step: "link" }>,
): Promise<SendAnswers | "finished"> {
  const { pollSeconds, finalStatuses } = config.wms;
  const isFinal = finalStatuses.includes((order.status ?? "").toLowerCase());
  const recorded = { instance, order, at: new Date(now()).toISOString(), pollSeconds, isFinal, isOwn, remark };
  const calls = [recordOrder(job.subject, attempt, recorded), job.finish({ outcome: "done", answered: true })];
  const findHolder = async () =>
    (await findHolders(job.tenant, database, instance, [order.orderId], job.subject)).get(order.orderId) ?? null;
  const write = async () => {
    await database.write(job.tenant, calls);
    return null;
  };
  const holder = (await findHolder()) ?? (await storeUnique(write, [uniqueIndex(ORDER_INDEX, findHolder)]));
  return holder === null ? "finished" : { holder };
}
