import { isLongPaid } from "../../invoices/long-paid.ts";
import { lastMoved, shownStateOf } from "../../invoices/shown-state.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { html, type Html } from "../../web/html.ts";
import { labelledCell } from "../../web/labelled-cell.ts";
import type { Language } from "../../web/language.ts";
import { marked } from "../../web/mark.ts";
import type { PageRequest } from "../../web/page.ts";
import type { ListedOrder } from "../orders/order-list-queries.ts";
import { isOnItsWay, whyNotSent } from "../sending/why-not.ts";
import { invoiceCells, invoiceTick, stateCell } from "./invoice-cells.ts";
import { orderListWords } from "./order-list-words.ts";
import { wayWords } from "./way-words.ts";

/**
 * Invoices with their orders, each with what can be done about it; what can be sent has a tick, unless `withTicks` is false. The table stands in a form of
 * method post, because its buttons name where they go.
 */
export function ordersTable(
  orders: readonly ListedOrder[],
  request: PageRequest,
  isReachable: boolean,
  withTicks = true,
): Html {
  const { language, query } = request;
  const [words, way] = [orderListWords[language], wayWords[language]];
  const hasTicks = withTicks && orders.some((order) => maySend(order, isReachable));
  const search = query.get("search") ?? null;
  return html`<table class="list orders"><thead><tr>
${hasTicks && html`<th scope="col" class="check"><input type="checkbox" data-select-all hidden aria-label="${words.selectAll}"></th>`}
<th scope="col">${way.number}</th><th scope="col">${words.company}</th><th scope="col">${way.issued}</th>
<th scope="col" class="number">${way.total}</th><th scope="col">${words.state}</th><th scope="col">${words.order}</th>
<th scope="col">${words.lastNews}</th><th scope="col"><span class="hidden">${words.send}</span></th></tr></thead>
<tbody>${orders.map((order) => row(order, { request, search, hasTicks, isReachable }))}</tbody></table>`;
}

type Context = { request: PageRequest; search: string | null; hasTicks: boolean; isReachable: boolean };

function row(order: ListedOrder, { request, search, hasTicks, isReachable }: Context): Html {
  const { language, session } = request;
  const { invoice, companyName } = order;
  const words = orderListWords[language];
  const { number, issued, total } = invoiceCells(invoice, search, language);
  return html`<tr id="order-${invoice.id}">
${hasTicks && invoiceTick(invoice, maySend(order, isReachable), language)}
${number}
<td class="wide"><a href="/companies/${invoice.company_id}" title="${companyName}">${marked(companyName, search)}</a></td>
${issued}${total}${stateCell(order, language, isReachable)}
<td class="order" data-label="${words.order}">${orderCell(invoice, search)}</td>
${labelledCell(words.lastNews, lastMoved(invoice, language, session.workspace.timeZone), "date")}
<td class="action">${orderActions(order, language, isReachable)}</td>
</tr>`;
}

function orderCell(
  { wms_order_id: id = null, wms_order_number: number = null, wms_instance: instance = null }: RowByName,
  search: string | null,
): Html | null {
  if (id === null) return null;
  const text = number ?? id;
  return html`<span title="${text}">${marked(text, search)}</span>${instance !== null && html` <a href="/orders?instance=${encodeURIComponent(instance)}">${instance}</a>`}`;
}

/** The buttons of what a person can do about an invoice's order, in a form of method post; null where that is nothing. */
export function orderActions(order: ListedOrder, language: Language, isReachable: boolean): Html | null {
  const { id, number, wms_settled_at: settled = null } = order.invoice;
  const words = orderListWords[language];
  const { is } = shownStateOf(order.invoice);
  const button = (path: string, label: string) =>
    html`<button formaction="/invoices/${id}/${path}">${label}<span class="hidden"> ${number}</span></button>`;
  if (is === "to_be_confirmed") return html`<a class="button" href="/warehouse/reconfirm">${words.confirm}</a>`;
  if (is === "gone" || is === "cancelled_there") {
    return html`${isReachable && order.isConnected && button("send-again", words.sendAgain)}${settled === null && button("settle", words.settle)}`;
  }
  if (!maySend(order, isReachable)) return null;
  return button("send", is === "refused" ? wayWords[language].again : words.send);
}

/** Whether a list offers to send an invoice as it stands. */
export function maySend(
  { invoice, isConnected }: Pick<ListedOrder, "invoice" | "isConnected">,
  isReachable: boolean,
): boolean {
  const standing = { state: invoice.wms_state ?? "", status: invoice.status ?? "", isConnected };
  return !isOnItsWay(standing.state) && !isLongPaid(invoice) && whyNotSent(standing, isReachable) === null;
}
