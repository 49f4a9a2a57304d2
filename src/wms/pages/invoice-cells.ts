import { invoiceStatusWords } from "../../invoices/invoice-words.ts";
import { shownState } from "../../invoices/shown-state.ts";
import { daysUntil } from "../../platform/dates.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { html, type Content, type Html } from "../../web/html.ts";
import { labelledCell } from "../../web/labelled-cell.ts";
import { amount, day, nearDay, type Language } from "../../web/language.ts";
import { contains, marked } from "../../web/mark.ts";
import type { ListedOrder } from "../orders/order-list-queries.ts";
import { orderListWords } from "./order-list-words.ts";
import { reasonOf, whyNotOffered } from "./reason.ts";
import { wayWords } from "./way-words.ts";

/** Everything that the cells of a row depend on, beside its invoice. */
type Shown = { search: string | null; language: Language; timeZone: string };

/** The cells that tables of invoices share; what was searched for is marked in the number. */
export function invoiceCells(invoice: RowByName, { search, language, timeZone }: Shown) {
  const { id, issued_on: issued = null, total = null, currency = null } = invoice;
  const words = wayWords[language];
  const number = invoice.number ?? "";
  return {
    number: html`<td class="name"><a href="/invoices/${id}" title="${number}">${marked(number, search)}</a></td>`,
    issued: labelledCell(
      words.issued,
      issued !== null &&
        html`<time datetime="${issued}" title="${day(language, issued)}">${nearDay(language, issued, timeZone)}</time>`,
      "date",
    ),
    total: labelledCell(words.total, amount(language, total, currency), "number"),
  };
}

/** Whether the invoice is paid, and how late its payment is. */
export function paymentCell(
  { status = null, due_on: due = null }: RowByName,
  { language, timeZone }: Omit<Shown, "search">,
): Html {
  const words = orderListWords[language];
  if (status !== "issued") return html`<td class="paid">${invoiceStatusWords[language][status ?? ""] ?? status}</td>`;
  const late = due === null ? 0 : -daysUntil(due.slice(0, 10), timeZone);
  const title = due !== null && html` title="${words.dueOn(day(language, due))}"`;
  return html`<td class="paid"${title}>${late > 0 ? html`<span class="late">${words.late(late)}</span>` : words.unpaid}</td>`;
}

/** The cell that chooses an invoice in a form; empty where it may not be chosen. */
export function invoiceTick({ id, number = "" }: RowByName, mayBeChosen: boolean, language: Language): Html {
  const label = wayWords[language].select(number ?? "");
  return html`<td class="check">${mayBeChosen && html`<input type="checkbox" name="invoices" value="${id}" aria-label="${label}">`}</td>`;
}

/**
 * An invoice's state, and the reason for it or why the list does not offer to send it. The title has the order's number
 * and warehouse. A number that was searched for stands before the reason.
 */
export function stateCell(
  order: Pick<ListedOrder, "invoice" | "isConnected">,
  { search, language, timeZone, isReachable }: Shown & { isReachable: boolean },
): Html {
  const { invoice } = order;
  const { wms_order_id: id = null, wms_order_number: orderNumber = null, wms_instance: instance = null } = invoice;
  const number = orderNumber ?? id;
  const title = [number, instance].filter((part) => part !== null).join(" · ");
  const found = number !== null && search !== null && contains(number, search) && marked(number, search);
  const told = reasonOf(invoice, language, timeZone);
  const reason = told ?? whyNotOffered(order, language, isReachable);
  const parts: Content[] = [found, reason].filter((part) => part !== null && part !== false);
  const whole = told !== null && html` title="${told}"`;
  return html`<td class="why"${title !== "" && html` title="${title}"`}>${shownState(invoice, language)}${
    parts.length > 0 && html`<small${whole}>${parts.length === 2 ? html`${parts[0]} · ${parts[1]}` : parts[0]}</small>`
  }</td>`;
}
