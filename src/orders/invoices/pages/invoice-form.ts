import { customChoices, customHints, customLabels } from "../../../customers/custom-fields/custom-inputs.ts";
import { errorSummary, fieldRow, type FieldValues } from "../../../kit/web/forms/field.ts";
import type { Form } from "../../../kit/web/forms/form.ts";
import { readTyped, type ReadInput } from "../../../kit/web/forms/typed.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { decimal, type Language } from "../../../kit/web/language.ts";
import { messagesIn } from "../../../kit/web/messages.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import type { CustomTable } from "../../../platform/fields/custom.ts";
import type { FieldErrors } from "../../../platform/fields/field-reasons.ts";
import type { Field, Input } from "../../../platform/fields/fields.ts";
import { inFieldOrder, validate, type Mode } from "../../../platform/fields/validation.ts";
import { invoice } from "../invoice.ts";
import { placeChoices, placeIn, placeLine, type GoodsPlaces } from "./delivery.ts";
import {
  labelsOf,
  lineTable,
  readTypedLines,
  totalsIn,
  typedLines,
  type TypedLine,
  type VatChoices,
} from "./line-table.ts";
import { newInvoiceLabels, newInvoiceWords } from "./new-invoice-words.ts";

/** The fields of an invoice in a form, without its lines. Its status has buttons, because some of its steps ask. */
export const invoiceFields = invoice.fields.filter(({ kind, name }) => kind !== "list" && name !== "status");

const DELIVERY = "delivery_address_id";

/** A stored or typed currency that the list lacks is added to it. */
const CURRENCIES = ["RON", "EUR", "USD", "MDL", "HUF"];

/** The invoice that already has a number. */
type NamedInvoice = { id: number; number: string };

export type InvoiceForm = {
  language: Language;
  /** The names of the fields to fill in, and the others' values with the reason why they stay. */
  fields: readonly string[];
  locked: Html | null;
  values: FieldValues;
  custom: CustomTable;
  /** Null if the lines stay as they are. */
  lines: readonly TypedLine[] | null;
  /** The places for the goods; null if the address stays as it is. */
  delivery: GoodsPlaces | null;
  /** In the place of the total: the choice between two. */
  totals?: Html | null;
  /** The VAT rates that lines offer. */
  details: VatChoices;
  /** In the API's format. */
  errors: FieldErrors | null;
  holder: NamedInvoice | null;
  /** Notes beside fields, and beside `lines`: changes that were stored meanwhile. */
  notes: Readonly<Record<string, Html>>;
  /** A line above the buttons. */
  remarks?: Html | null;
  /** A line above the form. */
  obstacle: Html | null;
  action: string;
  /** The hidden fields. */
  hidden: Html;
  /** The buttons, the first for Enter and Ctrl Enter. */
  buttons: Html;
  /** The target of Cancel. */
  back: string;
};

/**
 * A posted invoice as input. Numbers are read in the page's language. An empty total becomes the sum of the lines, if
 * the form has lines.
 */
export function readInvoice(form: Form, names: readonly string[], mode: Mode, language: Language): ReadInput {
  const fields = invoiceFields.filter(({ name }) => names.includes(name));
  const currency = form.get("currency");
  const own = readTyped(fields, form.input(names), language, { currency });
  const lines = typedLines(form);
  const hasLines = form.has("lines.0.sku") || form.has("lines.0.description");
  const read = readTypedLines(lines, language, currency);
  const isSummed = lines.length > 0 && (form.get("total") ?? "").trim() === "";
  const unclear: FieldErrors = Object.assign({}, own.errors, ...read.map((line) => line.errors));
  const input: Input = {
    ...own.input,
    ...(isSummed && { total: totalsIn(read, currency).total }),
    ...(hasLines && { lines: read.map((line) => line.input) }),
  };
  if (Object.keys(unclear).length === 0) return { input, errors: null };
  // The other errors are shown with those of the ambiguous numbers, which the input no longer has.
  const others = validate(invoice.fields, input, mode).errors;
  return { input, errors: inFieldOrder(invoice.fields, { ...others, ...unclear }) };
}

/**
 * As the form's first button, it takes Enter and does nothing. Enter in the number goes on to the lines once
 * assets/lines.js has taken this button out; before that, Enter would create an invoice that has only a number.
 */
const ENTER_WAITS = html`<button disabled hidden data-until-script></button>`;

/** The form of a new or existing invoice. */
export function invoiceForm(form: InvoiceForm): Html {
  const { language, lines, errors: found, holder, notes, locked, action, back, delivery } = form;
  const words = newInvoiceWords[language];
  const labels = newInvoiceLabels[language];
  const errors =
    found &&
    messagesIn(language, found, {
      ...labels,
      ...customLabels(form.custom),
      ...labelsOf(lines ?? [], (name, line) => words.lineLabel(line, labels[name])),
    });
  const chosen = form.values[DELIVERY] || null;
  const places = delivery && placeChoices(delivery, chosen, language);
  const values: FieldValues = { ...form.values, ...(places !== null && { [DELIVERY]: places.value }) };
  const choices = {
    currency: CURRENCIES.map((value) => ({ value, label: value })),
    ...(places !== null && { [DELIVERY]: places.choices }),
  };
  const hints = { total: words.totalHint };
  const own = {
    values,
    labels: customLabels(form.custom),
    errors,
    language,
    choices: customChoices(form.custom, values, language),
    hints: customHints(form.custom, language),
    notes,
  };
  const row = (one: Field) => fieldRow(one, { values, labels, errors, language, choices, hints, notes });
  const isMoreOpen = form.custom.fields.some(({ name }) => (errors?.[name] ?? notes[name]) !== undefined);
  const shown = invoiceFields.filter(
    ({ name }) => form.fields.includes(name) && (name !== DELIVERY || places !== null),
  );
  const isTotalOpen = (values.total ?? "") !== "" || errors?.total !== undefined || notes.total !== undefined;
  return html`${errorSummary(errors, language)}
${holder !== null && taken(holder, language)}
${form.obstacle}
<form class="record invoice" method="post" action="${action}" novalidate>
${lines !== null && ENTER_WAITS}
${form.hidden}
<div class="fields">${shown.filter(({ name }) => name !== "total").map(row)}</div>
${delivery !== null && placeLine(placeIn(delivery, chosen), language)}
${locked}
${
  lines !== null &&
  html`<fieldset><legend class="hidden">${words.lines}</legend>
${notes.lines !== undefined && html`<p class="note">${notes.lines}</p>`}
${lineTable(lines, found, language, { ...form.details, currency: values.currency })}</fieldset>`
}
${
  form.totals ??
  (form.fields.includes("total") &&
    html`<details${isTotalOpen && html` open`}><summary>${words.otherTotal}</summary>${shown.filter(({ name }) => name === "total").map(row)}</details>`)
}
${
  form.custom.fields.length > 0 &&
  html`<details${isMoreOpen && html` open`}><summary>${shellWords[language].more}</summary>${form.custom.fields.map((one) => fieldRow(one, own))}</details>`
}
${form.remarks}
<p class="actions">${form.buttons}<a class="button" href="${back}">${shellWords[language].cancel}</a>${lines !== null && sum(lines, values.currency, language)}</p>
</form>`;
}

/** The number of lines and their sum, which assets/lines.js keeps up to date; without JavaScript a button does. */
function sum(lines: readonly TypedLine[], currency: string | null | undefined, language: Language): Html {
  const words = newInvoiceWords[language];
  const { vat, total } = totalsIn(readTypedLines(lines, language, currency), currency);
  const isTaxed = lines.some(({ vat_rate: rate }) => rate !== "");
  return html`<noscript><button name="more" value="1">${words.more}</button></noscript>
<span class="sum"><span>${words.lines} <output data-count>${lines.length}</output></span><span data-taxed${!isTaxed && html` hidden`}>${words.vat} <output data-vat>${decimal(language, vat, currency)}</output></span><strong>${words.sum} <output data-sum>${decimal(language, total, currency)}</output></strong></span>`;
}

function taken({ id, number }: NamedInvoice, language: Language): Html {
  const words = newInvoiceWords[language];
  return html`<div class="error-summary" role="alert"><p>${words.taken(number)} <a href="/invoices/${id}">${words.show}</a></p></div>`;
}
