import type { Deps } from "../../../kit/deps.ts";
import type { Job, Outcome } from "../../../kit/jobs/job.ts";
import { laneOf } from "../../../kit/warehouse/instance-url.ts";
import { deliveryDocument } from "../../../kit/warehouse/order-request.ts";
import { isBreakdown, type Order, type WarehouseFailure } from "../../../kit/warehouse/warehouse-client.ts";
import { now } from "../../../platform/clock.ts";
import { storeUnique, uniqueIndex } from "../../../platform/postgres/taken.ts";
import { parseTraceparent } from "../../../platform/trace.ts";
import { statusesToSend } from "../../invoices/invoice.ts";
import type { SendReason } from "../../invoices/send-reasons.ts";
import { findHolders, ORDER_INDEX } from "../order-holder-queries.ts";
import { reachStored, type ReachedWarehouse } from "../reached-warehouse.ts";
import { isOfFiscalId, isOfNumber, isSameAmount } from "../same-invoice.ts";
import { failureReason } from "./failure-reason.ts";
import { failAbsentHere, findFormerNames } from "./lost-order-queries.ts";
import { findElsewhere, findLost, numbered, sourcesOf } from "./lost-orders.ts";
import { orderIn } from "./order-in.ts";
import {
  backIntoQueue,
  beginAttempt,
  failSending,
  findInvoiceToSend,
  leaveOpen,
  leaveSeen,
  noteAbsent,
  recordOrder,
  type InvoiceToSend,
  writeBesideConnection,
} from "./sending-queries.ts";

const LONGEST_RETRY_MS = 15 * 60_000;
const MOST_TRIES = 20;
/** The pause before an invoice is tried again, if this installation can reach no warehouse. */
const WITHOUT_WAREHOUSE_MS = 15 * 60_000;

/** One attempt: the invoice as it was read, and the client of its warehouse. */
type SendAttempt = ReachedWarehouse & { job: Job; invoice: InvoiceToSend };

/**
 * Sends an invoice to its company's warehouse (docs/wms.md, docs/decisions/0032-sending.md). An attempt is recorded
 * before its call. If its outcome is unknown, the next attempt first looks its order up. An existing order is linked. A
 * missing one counts as absent once the warehouse has had time to show it. So an order that may exist is never created
 * again.
 */
export async function sendInvoice(deps: Deps, job: Job): Promise<Outcome | "finished"> {
  const { database, warehouse } = deps;
  const { tenant, subject } = job;
  const invoice = await findInvoiceToSend(tenant, database, subject);
  if (invoice === null || !["queued", "sending", "unknown"].includes(String(invoice.state))) return { outcome: "done" };
  if (warehouse === null) return { outcome: "again", afterMs: WITHOUT_WAREHOUSE_MS, counts: false };
  if (invoice.state === "sending") {
    // The worker that recorded this attempt has died, or could not store the outcome.
    await database.write(tenant, [leaveOpen(subject, String(invoice.attempt))]);
    return { outcome: "again", afterMs: 0, counts: false };
  }
  const reached = reachStored(deps, warehouse, tenant, invoice);
  if (reached === null) return await fail(deps, job, invoice, { code: "disconnected" });
  const trace = parseTraceparent(invoice.trace ?? undefined);
  const access = { ...reached.access, signal: job.signal, notAfter: job.leasedUntil, trace };
  const attempt: SendAttempt = { ...reached, job, invoice, access };
  // An invoice that failed and was queued again may have an open attempt too.
  return invoice.openMs === null ? await createUnlessLost(deps, attempt) : await lookUp(deps, attempt);
}

/** Looks up the order of an open attempt, or of one that this database may have lost. */
async function lookUp(deps: Deps, attempt: SendAttempt): Promise<Outcome | "finished"> {
  const { job, invoice, instance, access, warehouse } = attempt;
  const { openInstance } = invoice;
  // The key is only for its own host, so a person has to find out whether the other one has an order.
  if (openInstance !== null && openInstance !== instance) {
    return await fail(deps, job, invoice, { code: "movedAway", instance: openInstance });
  }
  const { present, decisive, all } = sourcesOf(deps, invoice);
  const orders: Order[] = [];
  let isTaken = false;
  for (const externalSource of all) {
    const found = await warehouse.findByPair(access, { externalSource, externalOrderId: job.subject });
    if (found.outcome !== "found") return await postpone(deps, attempt, String(invoice.attempt), found);
    if (externalSource === decisive) isTaken = found.orders.length > 0;
    // Under a former source, another installation's order is ignored: a pair has one order, so ours does not exist
    // there.
    orders.push(...found.orders.filter((order) => externalSource === present || isOfNumber(order, numbered(invoice))));
  }
  const [order, ...others] = orders;
  if (order === undefined && isTaken) return await createUnlessLost(deps, attempt);
  if (order === undefined) {
    const openMs = Number(invoice.openMs);
    const afterMs = deps.config.wms.settleSeconds * 1000 - Math.max(0, openMs);
    const again: Outcome = { outcome: "again", afterMs, counts: false, answered: true };
    if (openMs < 0) {
      await deps.database.write(job.tenant, [leaveOpen(job.subject, String(invoice.attempt)), job.finish(again)]);
      return "finished";
    }
    if (afterMs > 0) return again;
    return await createUnlessLost(deps, attempt);
  }
  if (others.length > 0) return await failOfSeveral(deps, attempt, [order, ...others]);
  return await adopt(deps, attempt, String(invoice.attempt), order, invoice.isLost);
}

/**
 * Creates the order, unless a warehouse has one with the invoice's number from before the loss. People enter lost
 * invoices again, and repeat imports that they undo. Such an invoice has a new id, so the pair of its order is
 * different. At that time the company may have had another fiscal id, or another warehouse.
 */
async function createUnlessLost(deps: Deps, attempt: SendAttempt): Promise<Outcome | "finished"> {
  const { job, invoice } = attempt;
  if (!invoice.mayBeLost) return await create(deps, attempt);
  const former = await findFormerNames(job.tenant, deps.database, String(invoice.companyId));
  const found = await findLost(deps, attempt, invoice, former.taxIds);
  if (found.outcome !== "found") return await postpone(deps, attempt, String(invoice.attempt), found);
  const [order, ...others] = found.orders;
  if (order !== undefined && others.length > 0) return await failOfSeveral(deps, attempt, [order, ...others]);
  if (order !== undefined) return await adopt(deps, attempt, String(invoice.attempt), order, true);
  const instances = invoice.areFormerChecked ? [] : await findElsewhere(deps, attempt, former);
  if (instances.length === 0) return await create(deps, attempt);
  const error: SendReason = { code: "lostElsewhere", instances };
  const finish = job.finish({ outcome: "done", answered: true });
  await deps.database.write(job.tenant, [failAbsentHere(job.subject, String(invoice.attempt), error), finish]);
  return "finished";
}

async function failOfSeveral(deps: Deps, attempt: SendAttempt, orders: [Order, ...Order[]]): Promise<"finished"> {
  const ids = orders.map(({ orderId }) => orderId);
  return await leaveToPerson(deps, attempt, String(attempt.invoice.attempt), orders[0], { code: "several", ids });
}

/** Creates the order, after it is certain that no earlier attempt made one. */
async function create(deps: Deps, attempt: SendAttempt): Promise<Outcome | "finished"> {
  const { job, invoice, instance, access, warehouse } = attempt;
  if (!statusesToSend.includes(String(invoice.status))) {
    const record = noteAbsent(job.subject, String(invoice.attempt), { code: "status", status: String(invoice.status) });
    await deps.database.write(job.tenant, [record, job.finish({ outcome: "done" })]);
    return "finished";
  }
  const before = String(invoice.attempt);
  const order = orderIn(deps, job, invoice);
  const clear = JSON.stringify(deliveryDocument(order.delivery));
  const delivery = deps.keyring.encrypt(job.tenant, "invoices.delivered_to", clear);
  const begun = { before, instance, source: order.externalSource, delivery };
  const number = await beginAttempt(job.tenant, deps.database, job.subject, begun);
  // Another worker has begun it.
  if (number === null) return { outcome: "again", afterMs: 0, counts: false };
  const created = await warehouse.createOrder(access, order);
  if ("order" in created) return await adopt(deps, attempt, number, created.order);
  if (created.outcome === "unknown") {
    const outcome = again(deps, attempt, false);
    const isLast = job.tries >= MOST_TRIES;
    const record = [leaveOpen(job.subject, number)];
    if (isLast) record.push(failSending(job.subject, number, { code: "gaveUp", after: { code: "unknown" } }));
    await deps.database.write(job.tenant, [
      ...record,
      job.finish(isLast ? { outcome: "done", answered: false } : outcome),
    ]);
    return "finished";
  }
  return await postpone(deps, attempt, number, created);
}

/**
 * Links the invoice with the order in the warehouse's answer, unless that belongs to another invoice.
 * @param isOfLost whether this database may have lost the invoice's state at the time of the order
 */
async function adopt(
  deps: Deps,
  attempt: SendAttempt,
  number: string,
  order: Order,
  isOfLost = false,
): Promise<"finished"> {
  const { database, config } = deps;
  const { job, invoice, instance } = attempt;
  if (!isOfInvoice(order, invoice)) {
    const theirs = { number: order.invoiceReference, fiscalId: order.clientCui };
    const ours = { number: invoice.number, fiscalId: invoice.taxId };
    return await leaveToPerson(deps, attempt, number, order, { code: "another", orderId: order.orderId, theirs, ours });
  }
  const { pollSeconds, finalStatuses } = config.wms;
  const isFinal = finalStatuses.includes((order.status ?? "").toLowerCase());
  const remark = remarkOn(order, invoice, isOfLost);
  const recorded = { instance, order, at: new Date(now()).toISOString(), pollSeconds, isFinal, remark };
  const record = recordOrder(job.subject, number, recorded);
  const findHolder = async () =>
    (await findHolders(job.tenant, database, instance, [order.orderId])).get(order.orderId) ?? null;
  const finish = job.finish({ outcome: "done", answered: true });
  const write = async () => {
    await database.write(job.tenant, [record, finish]);
    return null;
  };
  // The index decides between two invoices that get the same order at the same moment.
  const holder = (await findHolder()) ?? (await storeUnique(write, [uniqueIndex(ORDER_INDEX, findHolder)]));
  if (holder === null) return "finished";
  return await leaveToPerson(deps, attempt, number, order, { code: "held", orderId: order.orderId, number: holder });
}

function isOfInvoice(order: Order, invoice: InvoiceToSend): boolean {
  return isOfNumber(order, numbered(invoice)) && isOfFiscalId(order, invoice);
}

function remarkOn({ total: theirs }: Order, { total: ours }: InvoiceToSend, isOfLost: boolean): SendReason | null {
  const totals = theirs === null || ours === null || isSameAmount(theirs, ours) ? null : { theirs, ours };
  if (isOfLost) return { code: "beforeLoss", ...totals };
  return totals && { code: "total", ...totals };
}

/** Fails with the attempt open, because the order may or may not be the invoice's. */
async function leaveToPerson(
  deps: Deps,
  { job, invoice, instance }: SendAttempt,
  number: string,
  order: Order,
  error: SendReason,
): Promise<"finished"> {
  const source = order.externalSource ?? sourcesOf(deps, invoice).present;
  const finish = job.finish({ outcome: "done", answered: true });
  await deps.database.write(job.tenant, [leaveSeen(job.subject, number, { error, instance, source }), finish]);
  return "finished";
}

/** Handles a failed call: the invoice fails if the refusal is final, and waits for another attempt otherwise. */
async function postpone(
  deps: Deps,
  attempt: SendAttempt,
  number: string,
  failure: WarehouseFailure,
): Promise<Outcome | "finished"> {
  const { job, invoice } = attempt;
  const answered = !isBreakdown(failure);
  const failed = (error: SendReason) => fail(deps, job, { ...invoice, attempt: number }, error, answered);
  const error = failureReason(failure);
  if (failure.outcome === "refused") return await failed(error);
  if (failure.outcome === "credentials") return await refuseKey(deps, attempt, number);
  const waitMs = failure.outcome === "throttled" ? failure.retryAfterMs : null;
  if (waitMs === null && job.tries >= MOST_TRIES) return await failed({ code: "gaveUp", after: error });
  const outcome = again(deps, attempt, answered, waitMs);
  await deps.database.write(job.tenant, [backIntoQueue(job.subject, number, error), job.finish(outcome)]);
  return "finished";
}

/** Fails until the connection is saved again; retries at once if it was saved after the invoice was read. */
async function refuseKey({ database }: Deps, { job, invoice }: SendAttempt, number: string): Promise<"finished"> {
  const { tenant, subject } = job;
  await writeBesideConnection(tenant, database, invoice, (isAsRead) =>
    isAsRead
      ? [failSending(subject, number, { code: "credentials" }), job.finish({ outcome: "done", answered: true })]
      : [
          backIntoQueue(subject, number, null),
          job.finish({ outcome: "again", afterMs: 0, counts: true, answered: true }),
        ],
  );
  return "finished";
}

/**
 * The next attempt, in the lane of the called warehouse. The pause grows with each attempt, and is random so that
 * invoices do not retry at the same moment. A pause that the warehouse requests does not count as an attempt.
 */
function again(
  { config }: Deps,
  { job, access }: SendAttempt,
  answered: boolean,
  waitMs: number | null = null,
): Outcome {
  const { retryMs } = config.wms;
  const longest = Math.min(retryMs * 2 ** Math.min(job.tries - 1, 30), LONGEST_RETRY_MS);
  // A pause of zero would repeat the call without end.
  const afterMs = waitMs === null ? Math.random() * longest : Math.max(waitMs, retryMs);
  return { outcome: "again", afterMs, counts: waitMs === null, answered, lane: laneOf(access.subdomain) };
}

async function fail(
  { database }: Deps,
  job: Job,
  { attempt }: InvoiceToSend,
  error: SendReason,
  answered?: boolean,
): Promise<"finished"> {
  const outcome: Outcome = answered === undefined ? { outcome: "done" } : { outcome: "done", answered };
  await database.write(job.tenant, [failSending(job.subject, String(attempt), error), job.finish(outcome)]);
  return "finished";
}
