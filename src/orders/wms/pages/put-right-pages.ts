import type { Deps } from "../../../kit/deps.ts";
import { timeOf } from "../../../kit/web/language.ts";
import { notice } from "../../../kit/web/notice.ts";
import { ownPath } from "../../../kit/web/own-path.ts";
import type { Page, PageRequest } from "../../../kit/web/page.ts";
import { dayAfter } from "../../../platform/dates.ts";
import { changedBy } from "../../../platform/fields/writer.ts";
import { isId } from "../../../platform/ids.ts";
import { invoiceOf } from "../../invoices/pages/invoice-of.ts";
import { askToCancelThere } from "../cancelling/cancel-order.ts";
import { confirmNoneElsewhere } from "../connection/connection-queries.ts";
import { checkOrder } from "../following/check-order.ts";
import {
  putNeedOff,
  putOffDays,
  unlinkAndQueue,
  renounceLink,
  settleOrder,
  showNeedAgain,
  unsettleOrder,
} from "../orders/put-right-queries.ts";

/** POST /invoices/{id}/send-again: the link is removed, and the invoice is queued; its order is looked up first. */
export const sendAgainPage: Page = async (deps, request) => {
  const id = await idOf(deps, request);
  const isQueued =
    deps.warehouse !== null &&
    (await unlinkAndQueue(request.actor.tenant, deps.database, id, changedBy(request.actor)));
  return { to: wayBack(request, id), notice: notice("order-again", { done: isQueued ? "1" : "0" }) };
};

/** POST /invoices/{id}/settle: a person accepts that the order is gone, cancelled or refused, until it moves again. */
export const settlePage: Page = async (deps, request) => {
  const id = await idOf(deps, request);
  const isSettled = await settleOrder(request.actor.tenant, deps.database, id, changedBy(request.actor));
  return { to: wayBack(request, id), notice: notice("order-settled", { done: isSettled ? "1" : "0", id }) };
};

/** POST /invoices/{id}/unsettle: the acceptance is taken back, so the order needs attention again. */
export const unsettlePage: Page = async (deps, request) => {
  const id = await idOf(deps, request);
  const isDone = await unsettleOrder(request.actor.tenant, deps.database, id, changedBy(request.actor));
  return { to: wayBack(request, id), notice: notice("order-unsettled", { done: isDone ? "1" : "0" }) };
};

/** POST /invoices/{id}/cancel-there: the warehouse is asked to cancel the order. The page does not wait for it. */
export const cancelTherePage: Page = async (deps, request) => {
  const id = await idOf(deps, request);
  const isAsked = await askToCancelThere(deps, request.actor, id);
  return { to: wayBack(request, id), notice: notice("order-cancelling", { done: isAsked ? "1" : "0" }) };
};

/** POST /invoices/{id}/check: the warehouse is asked about the order now. The page does not wait for its answer. */
export const checkPage: Page = async (deps, request) => {
  const id = await idOf(deps, request);
  const check = await checkOrder(deps, request.actor.tenant, id);
  const { timeZone } = request.session.workspace;
  const values = {
    outcome: check.outcome,
    ...("seconds" in check && { seconds: String(check.seconds) }),
    ...("until" in check && { until: timeOf(request.language, check.until, timeZone) }),
  };
  return { to: wayBack(request, id), notice: notice("order-checked", values) };
};

/** POST /invoices/{id}/put-off: its need rests for `days` of putOffDays; any other value ends the rest. */
export const putOffPage: Page = async (deps, request) => {
  const { actor, form, session } = request;
  const id = await idOf(deps, request);
  const { timeZone } = session.workspace;
  const days = putOffDays.find((each) => String(each) === form.get("days")) ?? null;
  const until = days === null ? null : dayAfter(days, timeZone);
  const by = changedBy(actor);
  const isDone =
    until === null
      ? await showNeedAgain(actor.tenant, deps.database, id, by)
      : await putNeedOff(actor.tenant, deps.database, id, by, until, timeZone);
  const values = { done: isDone ? "1" : "0", id, ...(until !== null && { until }) };
  return { to: wayBack(request, id), notice: notice("need-put-off", values) };
};

/** POST /invoices/{id}/not-an-order: its link is with no order of a warehouse. `order`: the id that the person saw. */
export const notAnOrderPage: Page = async (deps, request) => {
  const { actor, form } = request;
  const { invoice } = await invoiceOf(deps, request);
  const id = String(invoice.id);
  const seen = form.get("order") ?? null;
  const isDone =
    (seen === null || isId(seen)) && (await renounceLink(actor.tenant, deps.database, id, seen, changedBy(actor)));
  const values = { done: isDone ? "1" : "0", number: invoice.number ?? "" };
  return { to: wayBack(request, id), notice: notice("link-renounced", values) };
};

/**
 * POST /invoices/{id}/none-elsewhere: confirms that no former warehouse has a lost order; the waiting invoices are
 * sent.
 */
export const noneElsewherePage: Page = async (deps, request) => {
  const id = await idOf(deps, request);
  const by = changedBy(request.actor);
  const isQueued = deps.warehouse !== null && (await confirmNoneElsewhere(request.actor.tenant, deps.database, id, by));
  return { to: wayBack(request, id), notice: notice("order-again", { done: isQueued ? "1" : "0" }) };
};

async function idOf(deps: Deps, request: PageRequest): Promise<string> {
  return String((await invoiceOf(deps, request)).invoice.id);
}

/** The list where the action began, otherwise the invoice. */
function wayBack({ form }: PageRequest, id: string): string {
  return ownPath(form.get("to")) ?? `/invoices/${id}`;
}
