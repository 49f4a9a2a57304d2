import type { Deps } from "../../deps.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import { notice } from "../../web/notice.ts";
import { ownPath } from "../../web/own-path.ts";
import type { Page, PageRequest } from "../../web/page.ts";
import { confirmNoneElsewhere } from "../connection/connection-queries.ts";
import { putOrderAside, settleOrder } from "../orders/put-right-queries.ts";
import { invoiceOf } from "./show-invoice-page.ts";

/** POST /invoices/{id}/send-again: the link is put aside, and the invoice is queued; its order is looked up first. */
export const sendAgainPage: Page = async (deps, request) => {
  const id = await idOf(deps, request);
  const isQueued =
    deps.warehouse !== null && (await putOrderAside(request.actor.tenant, deps.database, id, changedBy(request.actor)));
  return { to: wayBack(request, id), notice: notice("order-again", { done: isQueued ? "1" : "0" }) };
};

/** POST /invoices/{id}/settle: it is right that the order is gone or cancelled, until it moves again. */
export const settlePage: Page = async (deps, request) => {
  const id = await idOf(deps, request);
  const isSettled = await settleOrder(request.actor.tenant, deps.database, id, changedBy(request.actor));
  return { to: wayBack(request, id), notice: notice("order-settled", { done: isSettled ? "1" : "0" }) };
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

/** The list that somebody acted from, or else the invoice. */
function wayBack({ form }: PageRequest, id: string): string {
  return ownPath(form.get("to")) ?? `/invoices/${id}`;
}
