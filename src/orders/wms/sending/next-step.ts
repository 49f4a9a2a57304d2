import type { Outcome } from "../../../kit/jobs/job.ts";
import { isBreakdown, type CreatedOrder, type Order } from "../../../kit/warehouse/warehouse-client.ts";
import type { FoundOrders, WarehouseFailure } from "../../../kit/warehouse/warehouse-client.ts";
import type { Call } from "../../../platform/postgres/statement.ts";
import { statusesToSend } from "../../invoices/invoice.ts";
import type { SendReason } from "../../invoices/wms-error.ts";
import { MOST_TRIES, nextTry } from "../next-try.ts";
import { isOfFiscalId, isOfNumber, isSameAmount } from "../same-invoice.ts";
import { failureReason } from "./failure-reason.ts";
import { failAbsentHere } from "./lost-order-queries.ts";
import { numberOf, type Sources } from "./lost-orders.ts";
import { backIntoQueue, failSending, leaveOpen, leaveSeen, noteAbsent, type InvoiceToSend } from "./sending-queries.ts";

/** Everything that is known before the first step. */
export type SendState = {
  id: string;
  invoice: InvoiceToSend;
  /** The instance and the lane of the company's warehouse; null if no connection can be used. */
  reached: { instance: string; lane: string } | null;
  sources: Sources;
  /** The number of this try of the job. */
  tries: number;
  /** Milliseconds in which a warehouse shows an order, and between the first two tries. */
  settleMs: number;
  retryMs: number;
  /** From 0 to 1, so that invoices do not retry at the same moment. */
  random: number;
};

/** The answers to the steps so far. */
export type SendAnswers = {
  /** To `look-up`: the orders under each source, up to the first failure. */
  byPair?: { outcome: "found"; sources: { source: string; orders: Order[] }[] } | WarehouseFailure;
  /** To `search-lost`: the orders with the invoice's number that lost attempts may have made. */
  byNumber?: FoundOrders | WarehouseFailure;
  /** To `search-elsewhere`: the other warehouses that have an order of the invoice, or may have one. */
  elsewhere?: readonly string[];
  /** To `create`: the number of the attempt, and the warehouse's answer. Null: the invoice has changed meanwhile. */
  created?: { attempt: string; answer: CreatedOrder | WarehouseFailure } | null;
  /** To `link`: the number of the invoice that has the order. */
  holder?: string;
};

/** The end of the job: records that are committed with it. */
export type SendEnd = { calls: Call[]; outcome: Outcome };

export type SendStep =
  | { step: "look-up" | "search-lost" | "search-elsewhere" | "create" }
  /**
   * Links the invoice with its order, which ends the job unless another invoice has the order. `isOwn`: the warehouse
   * says that the order is this invoice's, and not only that it has its number.
   */
  | { step: "link"; attempt: string; order: Order; isOwn: boolean; remark: SendReason | null }
  | ({ step: "end" } & SendEnd)
  /** `changed`: if the connection was saved after the invoice was read. */
  | { step: "end-beside-connection"; asRead: SendEnd; changed: SendEnd };

/** The next step of sending an invoice. It reads nothing, so each case can be tested by itself. */
export function nextSendStep(state: SendState, answers: SendAnswers): SendStep {
  const { id, invoice, reached } = state;
  const attempt = String(invoice.attempt);
  // The worker that recorded this attempt has died, or could not store the outcome.
  if (invoice.state === "sending") return end(atOnce, leaveOpen(id, attempt));
  if (reached === null) return failed(state, attempt, { code: "disconnected" });
  if (answers.created !== undefined) return afterCreating(state, answers, answers.created);
  // An invoice that failed and was queued again may have an open attempt too.
  return invoice.openMs === null ? createUnlessLost(state, answers) : lookUp(state, answers);
}

const atOnce: Outcome = { outcome: "again", afterMs: 0, counts: false };
const doneAfterAnswer: Outcome = { outcome: "done", answered: true };

/** Looks up the order of an open attempt, or of one that this database may have lost. */
function lookUp(state: SendState, answers: SendAnswers): SendStep {
  const { id, invoice, reached, sources, settleMs } = state;
  const attempt = String(invoice.attempt);
  const { openInstance } = invoice;
  // The key is only for its own host, so a person has to find out whether the other one has an order.
  if (openInstance !== null && openInstance !== reached?.instance) {
    return failed(state, attempt, { code: "movedAway", instance: openInstance });
  }
  const found = answers.byPair;
  if (found === undefined) return { step: "look-up" };
  if (found.outcome !== "found") return afterFailure(state, attempt, found);
  // Under a former source, another installation's order is ignored: a pair has one order, so ours does not exist there.
  const orders = found.sources.flatMap(({ source, orders: all }) =>
    all.filter((order) => source === sources.present || isOfNumber(order, numberOf(invoice))),
  );
  const isTaken = found.sources.some(({ source, orders: all }) => source === sources.decisive && all.length > 0);
  if (orders.length > 0) return adopted(state, answers, attempt, orders, invoice.isLost);
  const openMs = Number(invoice.openMs);
  const afterMs = settleMs - Math.max(0, openMs);
  const later: Outcome = { outcome: "again", afterMs, counts: false, answered: true };
  if (!isTaken && openMs < 0) return end(later, leaveOpen(id, attempt));
  if (!isTaken && afterMs > 0) return end(later);
  return createUnlessLost(state, answers);
}

/**
 * Creates the order, unless a warehouse has one with the invoice's number from before the loss. People enter lost
 * invoices again, and repeat imports that they undo. Such an invoice has a new id, so the pair of its order is
 * different. At that time the company may have had another fiscal id, or another warehouse.
 */
function createUnlessLost(state: SendState, answers: SendAnswers): SendStep {
  const { id, invoice } = state;
  const attempt = String(invoice.attempt);
  if (invoice.mayBeLost) {
    const { byNumber, elsewhere } = answers;
    if (byNumber === undefined) return { step: "search-lost" };
    if (byNumber.outcome !== "found") return afterFailure(state, attempt, byNumber);
    if (byNumber.orders.length > 0) return adopted(state, answers, attempt, byNumber.orders, true);
    if (!invoice.areFormerChecked && elsewhere === undefined) return { step: "search-elsewhere" };
    if (elsewhere !== undefined && elsewhere.length > 0) {
      return end(doneAfterAnswer, failAbsentHere(id, attempt, { code: "lostElsewhere", instances: [...elsewhere] }));
    }
  }
  // It is certain that no earlier attempt made an order.
  if (statusesToSend.includes(String(invoice.status))) return { step: "create" };
  return end({ outcome: "done" }, noteAbsent(id, attempt));
}

function afterCreating(
  state: SendState,
  answers: SendAnswers,
  created: NonNullable<SendAnswers["created"]> | null,
): SendStep {
  if (created === null) return end(atOnce);
  const { id, tries } = state;
  const { attempt, answer } = created;
  if ("order" in answer) return adopted(state, answers, attempt, [answer.order]);
  if (answer.outcome !== "unknown") return afterFailure(state, attempt, answer);
  if (tries < MOST_TRIES) return end(retry(state, false), leaveOpen(id, attempt));
  const gaveUp = failSending(id, attempt, { code: "gaveUp", after: { code: "unknown" } });
  return end({ outcome: "done", answered: false }, leaveOpen(id, attempt), gaveUp);
}

/**
 * Links the invoice with the order, unless there are several, or it belongs to another invoice.
 * @param isOfLost whether this database may have lost the invoice's state at the time of the order
 */
function adopted(
  state: SendState,
  { holder, byNumber, created }: SendAnswers,
  attempt: string,
  [order, ...others]: readonly Order[],
  isOfLost = false,
): SendStep {
  const { invoice } = state;
  if (order === undefined) throw new Error("there is no order to adopt");
  const { orderId } = order;
  const toPerson = (error: SendReason) => leftToPerson(state, attempt, order, error);
  if (others.length > 0) return toPerson({ code: "several", ids: [order, ...others].map((each) => each.orderId) });
  if (!isOfNumber(order, numberOf(invoice)) || !isOfFiscalId(order, invoice)) {
    const theirs = { number: order.invoiceReference, fiscalId: order.clientCui };
    const ours = { number: invoice.number, fiscalId: invoice.taxId };
    return toPerson({ code: "another", orderId, theirs, ours });
  }
  if (holder !== undefined) return toPerson({ code: "held", orderId, number: holder });
  const isOwn = byNumber === undefined || created !== undefined;
  return { step: "link", attempt, order, isOwn, remark: remarkOn(order, invoice, isOfLost) };
}

function remarkOn({ total: theirs }: Order, { total: ours }: InvoiceToSend, isOfLost: boolean): SendReason | null {
  const totals = theirs === null || ours === null || isSameAmount(theirs, ours) ? null : { theirs, ours };
  if (isOfLost) return { code: "beforeLoss", ...totals };
  return totals && { code: "total", ...totals };
}

/** Fails with the attempt open, because the order may or may not be the invoice's. */
function leftToPerson({ id, reached, sources }: SendState, attempt: string, order: Order, error: SendReason): SendStep {
  const source = order.externalSource ?? sources.present;
  return end(doneAfterAnswer, leaveSeen(id, attempt, { error, instance: String(reached?.instance), source }));
}

/** After a failed call the invoice fails if the refusal is final, and waits for another try otherwise. */
function afterFailure(state: SendState, attempt: string, failure: WarehouseFailure): SendStep {
  const { id, tries } = state;
  const answered = !isBreakdown(failure);
  const error = failureReason(failure);
  if (failure.outcome === "refused") return failed(state, attempt, error, answered);
  if (failure.outcome === "credentials") return keyRefused(id, attempt);
  const waitMs = failure.outcome === "throttled" ? failure.retryAfterMs : null;
  if (waitMs === null && tries >= MOST_TRIES) return failed(state, attempt, { code: "gaveUp", after: error }, answered);
  return end(retry(state, answered, waitMs), backIntoQueue(id, attempt, error));
}

/** Fails until the connection is saved again; retries at once if it was saved after the invoice was read. */
function keyRefused(id: string, attempt: string): SendStep {
  return {
    step: "end-beside-connection",
    asRead: { calls: [failSending(id, attempt, { code: "credentials" })], outcome: doneAfterAnswer },
    changed: {
      calls: [backIntoQueue(id, attempt, null)],
      outcome: { outcome: "again", afterMs: 0, counts: true, answered: true },
    },
  };
}

/** The next try, in the lane of the called warehouse. */
function retry(state: SendState, answered: boolean, waitMs: number | null = null): Outcome {
  return { ...nextTry(state, waitMs), answered, ...(state.reached && { lane: state.reached.lane }) };
}

function failed({ id }: SendState, attempt: string, error: SendReason, answered?: boolean): SendStep {
  const outcome: Outcome = answered === undefined ? { outcome: "done" } : { outcome: "done", answered };
  return end(outcome, failSending(id, attempt, error));
}

function end(outcome: Outcome, ...calls: Call[]): SendStep {
  return { step: "end", calls, outcome };
}
