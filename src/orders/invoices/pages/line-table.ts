import { assets } from "../../../kit/web/assets.ts";
import { lineAmount, readBeside, totalsOf, writtenNumber, type LineTotals } from "../../../kit/web/assets/numbers.js";
import { errorLine, inInput } from "../../../kit/web/forms/field.ts";
import type { Form } from "../../../kit/web/forms/form.ts";
import { pageErrors } from "../../../kit/web/forms/page-errors.ts";
import { readTyped, type ReadInput } from "../../../kit/web/forms/typed.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { decimal, type Language } from "../../../kit/web/language.ts";
import { messagesIn, type FieldMessages } from "../../../kit/web/messages.ts";
import type { FieldErrors } from "../../../platform/fields/field-reasons.ts";
import { lineFields, type InvoiceLine } from "../invoice.ts";
import { newInvoiceLabels, newInvoiceWords } from "./new-invoice-words.ts";

const COLUMNS = ["sku", "description", "quantity", "unit", "unit_price", "vat_rate"] as const;
/** A line has a value in one of these: a unit and a rate may be there before anything is typed. */
const OWN_COLUMNS = ["sku", "description", "quantity", "unit_price"] as const;
/** Maximum lines of a form: more would exceed its number of values. */
export const MOST_LINES = 200;
/** The usual units, as people write them. */
const UNITS = {
  en: ["pcs", "kg", "l", "m", "box", "pallet", "h"],
  ro: ["buc", "kg", "l", "m", "cutie", "bax", "palet", "ora"],
};
const LISTS: Readonly<Record<string, string>> = { sku: "skus", unit: "units", vat_rate: "rates" };
/** The empty lines below the typed ones. */
const EMPTY_LINES = 3;

/** The VAT rates that lines offer, and whether new ones begin with the first. */
export type VatChoices = { vatRates: readonly string[]; beginsWithVat: boolean };

/** A line as typed. */
export type TypedLine = Record<(typeof COLUMNS)[number], string>;

/** The lines of a form that are not empty, in order. Throws if there are more than MOST_LINES. */
export function typedLines(form: Form): TypedLine[] {
  if (COLUMNS.some((name) => form.has(`lines.${MOST_LINES}.${name}`))) throw pageErrors.tooManyValues();
  const lines: TypedLine[] = [];
  for (let at = 0; at < MOST_LINES && COLUMNS.some((name) => form.has(`lines.${at}.${name}`)); at++) {
    const text = (name: string) => (form.get(`lines.${at}.${name}`) ?? "").trim();
    const line = {
      description: text("description"),
      sku: text("sku"),
      quantity: text("quantity"),
      unit: text("unit"),
      unit_price: text("unit_price"),
      vat_rate: text("vat_rate").replace(/\s*%$/, ""),
    };
    if (OWN_COLUMNS.some((name) => line[name] !== "")) lines.push(line);
  }
  return lines;
}

/** Stored lines as a person would type them. */
export function asTyped(lines: readonly InvoiceLine[], language: Language): TypedLine[] {
  return lines.slice(0, MOST_LINES).map(({ sku, description, quantity, unit_price: price, unit, vat_rate: rate }) => ({
    sku: sku ?? "",
    description: inInput(description),
    quantity: writtenNumber(quantity, language),
    unit: unit ?? "",
    unit_price: writtenNumber(price, language),
    vat_rate: rate === undefined ? "" : writtenNumber(rate, language),
  }));
}

/** The number of lines without a SKU: the warehouse gets only their descriptions. */
export function withoutSku(lines: readonly { sku?: string | null }[]): number {
  return lines.filter(({ sku = null }) => (sku ?? "") === "").length;
}

/** The typed lines in the API's format, with the errors of ambiguous numbers. */
export function readTypedLines(
  lines: readonly TypedLine[],
  language: Language,
  currency: string | null | undefined,
): ReadInput[] {
  return lines.map((line, at) => readTyped(lineFields, line, language, { at: `lines.${at}.`, currency }));
}

/** The net, VAT and total of the lines that have a quantity and a price. */
export function totalsIn(lines: readonly ReadInput[], currency: string | null | undefined): LineTotals {
  return totalsOf(
    lines.map((line) => ({
      quantity: numberIn(line, "quantity"),
      unit_price: numberIn(line, "unit_price"),
      vat_rate: numberIn(line, "vat_rate"),
    })),
    currency,
  );
}

/** A line's number as read; null if it is invalid. */
function numberIn({ input }: ReadInput, name: "quantity" | "unit_price" | "vat_rate"): string | null {
  const value = input[name];
  return typeof value === "string" ? value : null;
}

/** The labels of the lines' fields, by their names in messages. */
export function labelsOf(
  lines: readonly TypedLine[],
  label: (name: (typeof COLUMNS)[number], line: number) => string,
): Record<string, string> {
  return Object.fromEntries(
    lines.flatMap((_, at) => COLUMNS.map((name) => [`lines.${at}.${name}`, label(name, at + 1)])),
  );
}

/**
 * The rows for lines, with the units and VAT rates that they offer: the typed ones with their amounts, and empty ones
 * (assets/lines.js). @param errors in the API's format
 */
export function lineTable(
  lines: readonly TypedLine[],
  errors: FieldErrors | null,
  language: Language,
  { vatRates, beginsWithVat, currency }: VatChoices & { currency: string | null | undefined },
): Html {
  const labels = newInvoiceLabels[language];
  const { amount, fullForm } = newInvoiceWords[language];
  const read = readTypedLines(lines, language, currency);
  const rates = vatRates.map((rate) => writtenNumber(rate, language));
  const begin = beginsWithVat ? (rates[0] ?? "") : "";
  const messages =
    errors &&
    messagesIn(
      language,
      errors,
      labelsOf(lines, (name) => labels[name]),
    );
  return html`<table class="list lines" data-lines="/invoices/earlier-lines" data-full="${fullForm}"><thead><tr>${COLUMNS.map((name) => html`<th scope="col"${isNumber(name) && html` class="number"`}>${labels[name]}</th>`)}
<th scope="col" class="number">${amount}</th></tr></thead>
<tbody>${Array.from({ length: Math.min(lines.length + EMPTY_LINES, MOST_LINES) }, (_, at) => row(at, lines[at] ?? null, read[at] ?? null, messages, { language, currency, begin }))}</tbody></table><script type="module" src="${assets.pathOf("lines.js")}"></script><datalist id="skus"></datalist><datalist id="units">${UNITS[language].map(option)}</datalist><datalist id="rates">${rates.map(option)}</datalist><p role="status" class="hint" data-told></p>`;
}

function row(
  at: number,
  line: TypedLine | null,
  read: ReadInput | null,
  errors: FieldMessages | null,
  { language, currency, begin }: { language: Language; currency: string | null | undefined; begin: string },
): Html {
  const labels = newInvoiceLabels[language];
  const { lineLabel, amount: amountLabel } = newInvoiceWords[language];
  const amount = read && lineAmount(numberIn(read, "quantity"), numberIn(read, "unit_price"), currency);
  return html`<tr>${COLUMNS.map((name) => {
    const id = `lines.${at}.${name}`;
    const isWrong = errors?.[id] !== undefined;
    const described = [isWrong && `${id}-error`, isNumber(name) && `${id}-read`].filter(Boolean).join(" ");
    return html`<td data-label="${labels[name]}"><input id="${id}" name="${id}" aria-label="${lineLabel(at + 1, labels[name])}" value="${line?.[name] ?? (name === "vat_rate" ? begin : undefined)}"${name === "vat_rate" && begin !== "" && html` data-begins="${begin}"`} autocomplete="off"${LISTS[name] !== undefined && html` list="${LISTS[name]}"`}${isNumber(name) && html` inputmode="decimal" class="number"`}${described !== "" && html` aria-describedby="${described}"`}${isWrong && html` aria-invalid="true"`}>${
      isNumber(name) &&
      html`<small class="read" id="${id}-read">${!isWrong && readBeside(line?.[name] ?? "", language, name === "unit_price" ? currency : null)}</small>`
    }${errorLine(id, errors)}</td>`;
  })}<td class="number" data-label="${amountLabel}"><output>${amount !== null && decimal(language, amount, currency)}</output></td></tr>`;
}

function isNumber(name: string): boolean {
  return name !== "sku" && name !== "description" && name !== "unit";
}

function option(value: string): Html {
  return html`<option value="${value}">`;
}
