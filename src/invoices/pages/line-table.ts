import type { Form } from "../../web/forms/form.ts";
import { html, type Html } from "../../web/html.ts";
import { decimal, type Language } from "../../web/language.ts";
import type { FieldMessages } from "../../web/messages.ts";
import { lineAmount } from "../line-amounts.ts";
import { newInvoiceLabels, newInvoiceWords } from "../new-invoice-words.ts";

/** A line as it was typed, with the point that the API's numbers have. */
export type TypedLine = { sku: string; description: string; quantity: string; unit_price: string };

const COLUMNS = ["description", "sku", "quantity", "unit_price"] as const;
/** A form has no more values than there is room for. */
const MOST_LINES = 200;

/** The lines of a form that have something in them, in their order. */
export function typedLines(form: Form): TypedLine[] {
  const lines: TypedLine[] = [];
  for (let at = 0; at < MOST_LINES && COLUMNS.some((name) => form.has(`lines.${at}.${name}`)); at++) {
    const text = (name: string) => (form.get(`lines.${at}.${name}`) ?? "").trim();
    const line = {
      sku: text("sku"),
      description: text("description"),
      quantity: withPoint(text("quantity")),
      unit_price: withPoint(text("unit_price")),
    };
    if (Object.values(line).some((value) => value !== "")) lines.push(line);
  }
  return lines;
}

/** A number that was typed with a comma, as the API's are. */
export function withPoint(typed: string): string {
  return typed.replace(/^(-?\d+),(\d+)$/, "$1.$2");
}

/** The rows to type lines in: those that were typed, with their amounts, and empty ones (assets/lines.js). */
export function lineTable(
  lines: readonly TypedLine[],
  rows: number,
  errors: FieldMessages | null,
  language: Language,
): Html {
  const labels = newInvoiceLabels[language];
  const { amount } = newInvoiceWords[language];
  return html`<table class="list lines" data-lines><thead><tr>${COLUMNS.map((name) => html`<th scope="col">${labels[name]}</th>`)}
<th scope="col" class="number">${amount}</th></tr></thead>
<tbody>${Array.from({ length: Math.min(rows, MOST_LINES) }, (_, at) => row(at, lines[at] ?? null, errors, language))}</tbody></table>`;
}

function row(at: number, line: TypedLine | null, errors: FieldMessages | null, language: Language): Html {
  const labels = newInvoiceLabels[language];
  const { lineLabel, amount: amountLabel } = newInvoiceWords[language];
  const amount = line === null ? null : lineAmount(line.quantity, line.unit_price);
  return html`<tr>${COLUMNS.map((name) => {
    const id = `lines.${at}.${name}`;
    const isWrong = errors?.[id] !== undefined;
    const isNumber = name === "quantity" || name === "unit_price";
    return html`<td data-label="${labels[name]}"><input id="${id}" name="${id}" aria-label="${lineLabel(at + 1, labels[name])}" value="${line?.[name]}" autocomplete="off"${isNumber && html` inputmode="decimal" class="number"`}${isWrong && html` aria-invalid="true"`}></td>`;
  })}<td class="number" data-label="${amountLabel}"><output>${amount !== null && decimal(language, amount)}</output></td></tr>`;
}
