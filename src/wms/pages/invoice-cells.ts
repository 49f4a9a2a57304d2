import type { RowByName } from "../../platform/fields/reader.ts";
import { html } from "../../web/html.ts";
import { labelledCell } from "../../web/labelled-cell.ts";
import { amount, day, nearDay, type Language } from "../../web/language.ts";
import { marked } from "../../web/mark.ts";
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
