import { isLongPaid } from "../../invoices/long-paid.ts";
import { checkOf, hasNeed, lastMoved, putOffUntil, shownStateOf } from "../../invoices/shown-state.ts";
import { stepWords } from "../../invoices/status-steps.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { html, type Content, type Html } from "../../web/html.ts";
import { icon } from "../../web/icon.ts";
import { labelledCell } from "../../web/labelled-cell.ts";
import type { Language } from "../../web/language.ts";
import { marked } from "../../web/mark.ts";
import type { PageRequest } from "../../web/page.ts";
import { shellWords } from "../../web/shell-words.ts";
import { sortHead } from "../../web/sort-head.ts";
import type { OrderSort } from "../orders/order-filters.ts";
import type { ListedOrder } from "../orders/order-list-queries.ts";
import { putOffDays } from "../orders/put-right-queries.ts";
import { isOnItsWay, whyNotSent } from "../sending/why-not.ts";
import { invoiceCells, invoiceTick, paymentCell, stateCell } from "./invoice-cells.ts";
import { orderListWords } from "./order-list-words.ts";
import { wayWords } from "./way-words.ts";

type Options = {
  isReachable: boolean;
  /** The order of the list, which the heads change; null if it has only one. */
  sort: OrderSort | null;
  /** Whether the company is the same in all rows. */
  isOfCompany?: boolean;
};

/** Invoices with their orders, each with its actions. Those that can be sent have a tick, and are sent together. */
export function ordersForm(orders: readonly ListedOrder[], request: PageRequest, options: Options): Html {
  const words = orderListWords[request.language];
  const hasTicks = orders.some((order) => maySend(order, options.isReachable));
  return html`<form method="post" action="/orders/send" data-select>
<input type="hidden" name="to" value="${request.address}">
${ordersTable(orders, request, { ...options, hasTicks })}
${
  hasTicks &&
  html`<fieldset class="bulk"><legend class="hidden">${words.sendSelected}</legend>
<span>${words.selected} <span data-selected></span></span><button class="main">${words.sendSelected}</button></fieldset>`
}</form>`;
}

function ordersTable(
  orders: readonly ListedOrder[],
  request: PageRequest,
  options: Options & { hasTicks: boolean },
): Html {
  const { language, query } = request;
  const { isReachable, isOfCompany = false, sort, hasTicks } = options;
  const [words, way] = [orderListWords[language], wayWords[language]];
  const head = (label: string, sorts: readonly [OrderSort, ...OrderSort[]], kind: "number" | null = null) =>
    sort === null
      ? html`<th scope="col"${kind !== null && html` class="${kind}"`}>${label}</th>`
      : sortHead(label, sorts, sort, query, kind);
  return html`<table class="list orders"><thead><tr>
${hasTicks && html`<th scope="col" class="check"><input type="checkbox" data-select-all hidden aria-label="${words.selectAll}"></th>`}
${head(way.number, ["number", "-number"])}${!isOfCompany && html`<th scope="col">${words.company}</th>`}
${head(way.issued, ["-issued_on", "issued_on"])}${head(way.total, ["-total", "total"], "number")}<th scope="col">${words.paid}</th>
<th scope="col">${words.order}</th>${head(words.lastNews, ["-synced_at"])}<th scope="col"><span class="hidden">${words.send}</span></th></tr></thead>
<tbody>${orders.map((order) => row(order, { request, hasTicks, isReachable, isOfCompany }))}</tbody></table>`;
}

type Context = { request: PageRequest; hasTicks: boolean; isReachable: boolean; isOfCompany: boolean };

function row(order: ListedOrder, { request, hasTicks, isReachable, isOfCompany }: Context): Html {
  const { language, session, query } = request;
  const { invoice, companyName } = order;
  const { timeZone } = session.workspace;
  const shown = { search: query.get("search") ?? null, language, timeZone };
  const { number, issued, total } = invoiceCells(invoice, shown);
  return html`<tr id="order-${invoice.id}">
${hasTicks && invoiceTick(invoice, maySend(order, isReachable), language)}
${number}
${!isOfCompany && html`<td class="wide"><a href="/companies/${invoice.company_id}" title="${companyName}">${marked(companyName, shown.search)}</a></td>`}
${issued}${total}${paymentCell(invoice, shown)}${stateCell(order, { ...shown, isReachable })}
${labelledCell(orderListWords[language].lastNews, lastMoved(invoice, language, timeZone), "date")}
<td class="action">${compactActions(order, language, isReachable)}</td>
</tr>`;
}

/** The actions for an invoice's order: the buttons in their order, and the days to put its need off. */
type Actions = { buttons: Content[]; putOff: Html[] };

/**
 * The actions for an invoice's order, in a form of method post: two buttons at most, and a menu; null where there is
 * none.
 */
export function orderActions(order: ListedOrder, language: Language, isReachable: boolean): Html | null {
  const { buttons, putOff } = actionsOf(order, language, isReachable);
  if (putOff.length === 0) return buttons.length === 0 ? null : html`${buttons}`;
  const summary = buttons.length < 2 ? orderListWords[language].putOffFor : points(language);
  return html`${buttons}${menu(order, summary, putOff)}`;
}

/** The same in a row: one button, and a menu. A draft has the button that issues it. */
function compactActions(order: ListedOrder, language: Language, isReachable: boolean): Html | null {
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
  return html`${first}${menu(order, points(language), rest)}`;
}

/** The same in half a page: a menu, but for the short button that sends or confirms. */
export function foldedActions(order: ListedOrder, language: Language, isReachable: boolean): Html | null {
  const { buttons, putOff } = actionsOf(order, language, isReachable);
  const all = [...buttons, ...putOff];
  if (all.length === 0) return null;
  const isShort = ["not_sent", "to_be_confirmed"].includes(shownStateOf(order.invoice).is);
  return isShort ? html`${all}` : menu(order, points(language), all);
}

function actionsOf(order: ListedOrder, language: Language, isReachable: boolean): Actions {
  const { invoice } = order;
  const words = orderListWords[language];
  const { is } = shownStateOf(invoice);
  const button = (path: string, label: string) =>
    html`<button formaction="/invoices/${invoice.id}/${path}">${label}<span class="hidden"> ${invoice.number}</span></button>`;
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
  if (is === "refused") {
    const again = maySend(order, isReachable) && button("send", wayWords[language].again);
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

/** The words in the place of the button while an order may not be asked for once more; null if it may. */
function checking(invoice: RowByName, language: Language): Html | null {
  const check = checkOf(invoice);
  const words = orderListWords[language];
  return check && html`<span class="muted">${check === "asked" ? words.checking : words.checked}</span>`;
}

function menu({ invoice }: ListedOrder, summary: Content, actions: readonly Content[]): Html {
  return html`<details class="menu"><summary class="button">${summary}<span class="hidden"> ${invoice.number}</span></summary>
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
  const takeUp = putOffUntil(invoice) === null ? [] : ([0] as const);
  return [...takeUp, ...putOffDays].map(
    (days) =>
      html`<button formaction="/invoices/${id}/put-off" name="days" value="${days}">${days === 0 ? words.takeUp : words.days[days]}<span class="hidden"> ${number}</span></button>`,
  );
}

/** Whether a list offers to send an invoice as it stands. */
export function maySend(
  { invoice, isConnected }: Pick<ListedOrder, "invoice" | "isConnected">,
  isReachable: boolean,
): boolean {
  const standing = { state: invoice.wms_state ?? "", status: invoice.status ?? "", isConnected };
  return !isOnItsWay(standing.state) && !isLongPaid(invoice) && whyNotSent(standing, isReachable) === null;
}
