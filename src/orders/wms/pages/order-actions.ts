import { html, type Content, type Html } from "../../../kit/web/html.ts";
import { icon } from "../../../kit/web/icon.ts";
import type { Language } from "../../../kit/web/language.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import type { RowByName } from "../../../platform/fields/reader.ts";
import { isLongPaid } from "../../invoices/long-paid.ts";
import { checkOf, hasNeed, putOffUntil, shownStateOf } from "../../invoices/shown-state.ts";
import { stepWords } from "../../invoices/status-steps.ts";
import { sendReasonOf } from "../../invoices/wms-error.ts";
import { isOnItsWay, whyNotSent } from "../may-be-sent.ts";
import type { ListedOrder } from "../orders/order-list-queries.ts";
import { putOffDays } from "../orders/put-right-queries.ts";
import { orderListWords } from "./order-list-words.ts";
import { wayWords } from "./way-words.ts";

/** The key of what sends an invoice, or else of the menu that puts its need off. */
export const SEND_KEY = html` aria-keyshortcuts="s"`;

/** The actions for an invoice's order: the buttons in their order, and the days to put its need off. */
type Actions = { buttons: Content[]; putOff: Html[] };

/**
 * The actions for an invoice's order, in a form of method post: two buttons at most, and a menu; null if there is
 * none. @param isNamed whether the menu has its name beside two buttons too
 */
export function orderActions(
  order: ListedOrder,
  language: Language,
  isReachable: boolean,
  isNamed = false,
): Html | null {
  const { buttons, putOff } = actionsOf(order, language, isReachable);
  const [shown, others] = [buttons.slice(0, 2), buttons.slice(2)];
  const folded = [...others, ...putOff];
  if (folded.length === 0) return shown.length === 0 ? null : html`${shown}`;
  const isPutOff = others.length === 0 && (isNamed || shown.length < 2);
  const summary = isPutOff ? orderListWords[language].putOffFor : points(language);
  return html`${shown}${menu(order, summary, folded, isReachable)}`;
}

/** The same in a row: one button, and a menu. A draft has the button that issues it. */
export function compactActions(order: ListedOrder, language: Language, isReachable: boolean): Html | null {
  const { buttons, putOff } = actionsOf(order, language, isReachable);
  const { id, number, status } = order.invoice;
  const [first = null, ...others] =
    status === "draft" && buttons.length === 0
      ? [
          html`<button formaction="/invoices/${id}/status" name="step" value="issue">${stepWords[language].issue.act}<span class="hidden"> ${number}</span></button>`,
        ]
      : buttons;
  const rest = [...others, ...putOff];
  if (rest.length === 0) return first === null ? null : html`${first}`;
  return html`${first}${menu(order, points(language), rest, isReachable)}`;
}

/** The same in half a page: a menu, except for the short button that sends or confirms. */
export function foldedActions(order: ListedOrder, language: Language, isReachable: boolean): Html | null {
  const { buttons, putOff } = actionsOf(order, language, isReachable);
  const all = [...buttons, ...putOff];
  if (all.length === 0) return null;
  const isShort = ["not_sent", "to_be_confirmed"].includes(shownStateOf(order.invoice).is);
  return isShort ? html`${all}` : menu(order, points(language), all, isReachable);
}

function actionsOf(order: ListedOrder, language: Language, isReachable: boolean): Actions {
  const { invoice } = order;
  const words = orderListWords[language];
  const { is } = shownStateOf(invoice);
  const button = (path: string, label: string) =>
    html`<button formaction="/invoices/${invoice.id}/${path}"${path === "send" && SEND_KEY}>${label}<span class="hidden"> ${invoice.number}</span></button>`;
  const isNeeded = hasNeed(invoice);
  const mayAsk = isReachable && order.isConnected;
  const putOff = isNeeded ? putOffChoices(invoice, language) : [];
  if (is === "to_be_confirmed")
    return { buttons: [html`<a class="button" href="/warehouse/reconfirm">${words.confirm}</a>`], putOff: [] };
  if (is === "gone" || is === "cancelled_there") {
    const isOpen = (invoice.wms_settled_at ?? null) === null;
    return {
      buttons: [mayAsk && button("send-again", words.sendAgain), isOpen && button("settle", words.settle)].filter(
        Boolean,
      ),
      putOff,
    };
  }
  if (is === "cancelled_here" || is === "shipped_cancelled") {
    const isOpen = (invoice.wms_settled_at ?? null) === null;
    const isGoingOn = is === "cancelled_here" && mayAsk;
    const ask = isGoingOn && (checking(invoice, language) ?? button("check", words.check));
    const stop = isGoingOn && isStoppable(invoice) && button("cancel-there", words.cancelThere);
    return { buttons: [stop, ask, isOpen && button("settle", words.settle)].filter(Boolean), putOff };
  }
  if (is === "refused") {
    // Another attempt with the same key would fail again.
    const again =
      order.isKeyRefused === true && sendReasonOf(invoice.wms_error ?? "").code === "credentials"
        ? html`<a class="button" href="/companies/${invoice.company_id}/warehouse">${words.instance}<span class="hidden"> ${order.companyName}</span></a>`
        : maySend(order, isReachable) && button("send", wayWords[language].again);
    return { buttons: [again, isNeeded && button("settle", words.settle)].filter(Boolean), putOff };
  }
  if ((is === "open" || is === "being_checked") && isNeeded) {
    return {
      buttons: [mayAsk && (checking(invoice, language) ?? button("check", words.check))].filter(Boolean),
      putOff,
    };
  }
  return { buttons: maySend(order, isReachable) ? [button("send", words.send)] : [], putOff: [] };
}

/** Whether the warehouse can be asked to cancel the order: it is not being asked, and did not say no. */
function isStoppable({ wms_cancel: cancel = null }: RowByName): boolean {
  return cancel === null || cancel === "failed";
}

/** The words in the place of the button while an order may not be asked for once more; null if it may. */
function checking(invoice: RowByName, language: Language): Html | null {
  const check = checkOf(invoice);
  const words = orderListWords[language];
  return check && html`<span class="muted">${check === "asked" ? words.checking : words.checked}</span>`;
}

/** The key opens the menu only if there is nothing to send. */
function menu(order: ListedOrder, summary: Content, actions: readonly Content[], isReachable: boolean): Html {
  return html`<details class="menu"><summary class="button"${!maySend(order, isReachable) && SEND_KEY}>${summary}<span class="hidden"> ${order.invoice.number}</span></summary>
<div>${actions}</div></details>`;
}

/** Three points, which screen readers hear as a word. */
function points(language: Language): Html {
  return html`${icon("more")}<span class="hidden">${shellWords[language].more}</span>`;
}

/** The button that ends the rest of a need, and those that put it off for some days. */
function putOffChoices(invoice: RowByName, language: Language): Html[] {
  const { id, number } = invoice;
  const words = orderListWords[language];
  const showAgain = putOffUntil(invoice) === null ? [] : ([0] as const);
  return [...showAgain, ...putOffDays].map(
    (days) =>
      html`<button formaction="/invoices/${id}/put-off" name="days" value="${days}">${days === 0 ? words.showAgain : words.days[days]}<span class="hidden"> ${number}</span></button>`,
  );
}

/** Whether a list offers to send an invoice as it is. */
function maySend(
  { invoice, isConnected }: Pick<ListedOrder, "invoice" | "isConnected">,
  isReachable: boolean,
): boolean {
  const standing = { state: invoice.wms_state ?? "", status: invoice.status ?? "", isConnected };
  return !isOnItsWay(standing.state) && !isLongPaid(invoice) && whyNotSent(standing, isReachable) === null;
}
