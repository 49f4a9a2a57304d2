import { shownState } from "../../invoices/shown-state.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { html, type Html } from "../../web/html.ts";
import { labelledCell } from "../../web/labelled-cell.ts";
import { amount, day, type Language } from "../../web/language.ts";
import { marked } from "../../web/mark.ts";
import type { ListedOrder } from "../orders/order-list-queries.ts";
import { reasonOf, whyNotOffered } from "./reason.ts";
import { wayWords } from "./way-words.ts";

/** The cells that tables of invoices share; what was searched for is marked in the number. */
export function invoiceCells(invoice: RowByName, search: string | null, language: Language) {
  const { id, issued_on: issued = null, total = null, currency = null } = invoice;
  const words = wayWords[language];
  const number = invoice.number ?? "";
  return {
    number: html`<td class="name"><a href="/invoices/${id}" title="${number}">${marked(number, search)}</a></td>`,
    issued: labelledCell(
      words.issued,
      issued !== null && html`<time datetime="${issued}">${day(language, issued)}</time>`,
      "date",
    ),
    total: labelledCell(words.total, amount(language, total, currency), "number"),
  };
}

/** The cell that chooses an invoice in a form; empty where it may not be chosen. */
export function invoiceTick({ id, number = "" }: RowByName, mayBeChosen: boolean, language: Language): Html {
  const label = wayWords[language].select(number ?? "");
  return html`<td class="check">${mayBeChosen && html`<input type="checkbox" name="invoices" value="${id}" aria-label="${label}">`}</td>`;
}

/** An invoice's state and its reason, or why the list does not offer to send it. */
export function stateCell(
  order: Pick<ListedOrder, "invoice" | "isConnected">,
  { language, timeZone, isReachable }: { language: Language; timeZone: string; isReachable: boolean },
): Html {
  const { invoice } = order;
  const reason = reasonOf(invoice, language, timeZone) ?? whyNotOffered(order, language, isReachable);
  return html`<td class="why">${shownState(invoice, language)}${reason !== null && html` <small>${reason}</small>`}</td>`;
}
