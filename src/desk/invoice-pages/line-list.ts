import type { PaperFact, PaperTable } from "../../kit/paper/paper.ts";
import { rowTable, type RowColumn } from "../../kit/tables/rows.ts";
import { lineAmount, totalsOf } from "../../kit/web/assets/numbers.js";
import { html, type Html } from "../../kit/web/html.ts";
import { amount, decimal, quantityIn, type Language } from "../../kit/web/language.ts";
import { storedLines, type InvoiceLine } from "../../orders/invoices/invoice.ts";
import { hasOtherTotal } from "../../orders/invoices/other-total.ts";
import { wayWords } from "../../orders/wms/pages/way-words.ts";
import type { RowByName } from "../../platform/fields/reader.ts";

/**
 * An invoice's lines as texts, with their sum, the VAT of each rate, and its total if that differs. Null without lines.
 */
export function invoiceLines(
  { lines, currency = null, total = null }: RowByName,
  language: Language,
): (PaperTable & { sums: PaperFact[] }) | null {
  const words = wayWords[language];
  const parsed = storedLines(lines ?? null);
  if (parsed.length === 0) return null;
  const of = (value: string) => amount(language, value, currency) ?? "";
  const sums = totalsOf(parsed, currency);
  const isTaxed = sums.byRate.length > 0;
  const isOther = hasOtherTotal({ lines: lines ?? null, total, currency });
  const rateOf = ({ vat_rate: rate }: InvoiceLine) => (rate === undefined ? "" : `${quantityIn(language, rate)} %`);
  const vats = sums.byRate.map(({ rate, vat }) => ({ label: words.vatOf(quantityIn(language, rate)), value: of(vat) }));
  const columns = [
    { kind: "wide", label: words.description, isShown: true },
    { kind: "code", label: words.sku, isShown: true },
    { kind: "number", label: words.quantity, isShown: true },
    { kind: "number", label: words.price, isShown: true },
    { kind: "number", label: words.vat, isShown: isTaxed },
    { kind: "number", label: words.amount, isShown: true },
  ] as const;
  const cells = (line: InvoiceLine) => [
    line.description,
    line.sku ?? "",
    [quantityIn(language, line.quantity), line.unit].filter(Boolean).join(" "),
    decimal(language, line.unit_price, currency),
    ...(isTaxed ? [rateOf(line)] : []),
    of(lineAmount(line.quantity, line.unit_price, currency) ?? "0"),
  ];
  return {
    columns: columns.filter(({ isShown }) => isShown).map(({ kind, label }) => ({ kind, label })),
    rows: parsed.map((line) => cells(line)),
    sums: [
      { label: words.sum, value: of(sums.net) },
      ...vats,
      ...(isTaxed ? [{ label: words.withVat, value: of(sums.total) }] : []),
      ...(isOther ? [{ label: words.total, value: of(total ?? "") }] : []),
    ],
  };
}

/** The same as a table of a page. */
export function lineList(invoice: RowByName, language: Language): Html {
  const lines = invoiceLines(invoice, language);
  if (lines === null) return html`<p class="empty">${wayWords[language].noLines}</p>`;
  const { columns, rows, sums } = lines;
  const foot = sums.map(
    ({ label, value }) =>
      html`<tr class="sum"><th scope="row" colspan="${columns.length - 1}" class="number">${label}</th><td class="number" data-label="${label}"><strong>${value}</strong></td></tr>`,
  );
  const shown = columns.map(({ kind, label }, at): RowColumn<readonly string[]> => [kind, label, (row) => row[at]]);
  return rowTable(rows, shown, html`${foot}`);
}
