import { recordBar } from "../../../kit/web/frame/record-bar.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import type { Language } from "../../../kit/web/language.ts";
import { hasNeed, shownStateOf } from "../../invoices/shown-state.ts";
import { stepsFrom, stepWords, type StepName } from "../../invoices/status-steps.ts";
import { sendReasonOf } from "../../invoices/wms-error.ts";
import { isOnItsWay, whyNotSent } from "../may-be-sent.ts";
import type { ListedOrder } from "../orders/order-list-queries.ts";
import type { InvoiceStanding } from "../sending/push-queries.ts";
import { orderActions, SEND_KEY } from "./order-actions.ts";
import { wayWords } from "./way-words.ts";

/**
 * The buttons of an invoice: the first one is the main one in its state. Its order comes before its payment. Rare
 * actions are in the menu. @param reach how its company is called or written to; `mail`: a letter about the invoice
 */
export function invoiceActions(
  order: ListedOrder,
  standing: InvoiceStanding | null,
  language: Language,
  isReachable: boolean,
  { mail, ...reach }: { phone: string | null | undefined; email: string | null | undefined; mail: string | null },
): Html {
  const { id, status = null } = order.invoice;
  const words = wayWords[language];
  const ofOrder = orderButtons(order, standing, language, isReachable);
  const steps = stepsFrom(status);
  const step = (names: readonly StepName[]) =>
    steps
      .filter((name) => names.includes(name))
      .map(
        (name) =>
          html`<button formaction="/invoices/${id}/status" name="step" value="${name}">${stepWords[language][name].act}</button>`,
      );
  const cancel =
    steps.includes("cancel") &&
    html`<a class="button danger" href="/invoices/${id}/cancel">${stepWords[language].cancel.act}</a>`;
  const isCancelledThere = shownStateOf(order.invoice).is === "cancelled_there";
  const reopen = step(["reopen"]);
  const next = isCancelledThere ? [cancel] : step(["issue", "pay"]);
  // Where the goods of a cancelled invoice are under way, reopening it is one of the answers; never the first.
  const isInWarehouse = hasNeed(order.invoice) && ofOrder !== null;
  const menu = html`<a class="button" href="/invoices/${id}/copy">${words.copy}</a>
<button type="button" class="print" data-print>${words.print}</button>
<a class="button" href="/invoices/${id}/pdf">${words.pdf}</a>
${mail !== null && html`<a class="button" href="${mail}">${words.writeMail}</a>`}
${steps.includes("unpay") && html`<form method="post">${step(["unpay"])}</form>`}
${steps.includes("reopen") && !isInWarehouse && html`<form method="post">${reopen}</form>`}
${!isCancelledThere && cancel}`;
  const main = (status === "draft" ? [...next, ofOrder] : [ofOrder, ...next, isInWarehouse && reopen]).filter(Boolean);
  return html`${main.length > 0 && html`<form method="post" class="primary">${main}</form>`}
${recordBar({ ...reach, log: `/companies/${order.invoice.company_id}#note`, edit: `/invoices/${id}/edit`, menu }, language)}`;
}

function orderButtons(
  order: ListedOrder,
  standing: InvoiceStanding | null,
  language: Language,
  isReachable: boolean,
): Html | null {
  const { id, wms_error: error = null } = order.invoice;
  const words = wayWords[language];
  const isReady = standing !== null && whyNotSent(standing, isReachable) === null && !isOnItsWay(standing.state);
  const actions =
    orderActions(order, language, isReachable, true) ??
    (isReady
      ? html`<button formaction="/invoices/${id}/send"${SEND_KEY}>${standing.isOpen ? words.lookUp : words.send}</button>`
      : null);
  const isLostElsewhere = error !== null && sendReasonOf(error).code === "lostElsewhere";
  if (actions === null) return null;
  return html`${actions}${isLostElsewhere && html`<button formaction="/invoices/${id}/none-elsewhere">${words.noneElsewhere}</button>`}`;
}
