import { rowTable, type RowColumn } from "../../kit/tables/rows.ts";
import { lineAmount, totalsOf } from "../../kit/web/assets/numbers.js";
import { html, type Html } from "../../kit/web/html.ts";
import { amount, decimal, quantityIn, type Language } from "../../kit/web/language.ts";
import { storedLines, type InvoiceLine } from "../../orders/invoices/invoice.ts";
import { hasOtherTotal } from "../../orders/invoices/other-total.ts";
import { wayWords } from "../../orders/wms/pages/way-words.ts";
import type { RowByName } from "../../platform/fields/reader.ts";

/** An invoice's lines with their sum, the VAT of each rate, and its total if that differs. */
export function lineList({ lines, currency = null, total = null }: RowByName, language: Language): Html {
  const words = wayWords[language];
  const parsed = storedLines(lines ?? null);
  if (parsed.length === 0) return html`<p class="empty">${words.noLines}</p>`;
  const of = (value: string) => amount(language, value, currency);
  const sums = totalsOf(parsed, currency);
  const isTaxed = sums.byRate.length > 0;
  const isOther = hasOtherTotal({ lines: lines ?? null, total, currency });
  const rateOf = ({ vat_rate: rate }: InvoiceLine) => rate !== undefined && `${quantityIn(language, rate)} %`;
  const columns: RowColumn<InvoiceLine>[] = [
    ["wide", words.description, ({ description }) => description],
    ["code", words.sku, ({ sku }) => sku],
    [
      "number",
      words.quantity,
      ({ quantity, unit }) => html`${quantityIn(language, quantity)}${unit && html` ${unit}`}`,
    ],
    ["number", words.price, ({ unit_price: price }) => decimal(language, price, currency)],
    ...(isTaxed ? [["number", words.vat, rateOf] satisfies RowColumn<InvoiceLine>] : []),
    ["number", words.amount, ({ quantity, unit_price: price }) => of(lineAmount(quantity, price, currency) ?? "0")],
  ];
  const vats = sums.byRate.map(({ rate, vat }) => ({ label: words.vatOf(quantityIn(language, rate)), value: vat }));
  const foot = [
    { label: words.sum, value: sums.net },
    ...vats,
    ...(isTaxed ? [{ label: words.withVat, value: sums.total }] : []),
    ...(isOther ? [{ label: words.total, value: total ?? "" }] : []),
  ].map(
    ({ label, value }) =>
      html`<tr class="sum"><th scope="row" colspan="${columns.length - 1}" class="number">${label}</th><td class="number" data-label="${label}"><strong>${of(value)}</strong></td></tr>`,
  );
  return rowTable(parsed, columns, html`${foot}`);
}
