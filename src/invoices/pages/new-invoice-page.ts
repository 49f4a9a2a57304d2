import { companyOf } from "../../companies/pages/company-of.ts";
import { errors } from "../../errors.ts";
import { dayAfter } from "../../platform/dates.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { Field, Input } from "../../platform/fields/fields.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { inFieldOrder, validate } from "../../platform/fields/validation.ts";
import { sumOf } from "../../web/assets/numbers.js";
import { errorSummary, fieldRow, formActions, type FieldValues } from "../../web/forms/field.ts";
import type { Form } from "../../web/forms/form.ts";
import { choicesAmong } from "../../web/forms/select.ts";
import { readTyped, type ReadInput } from "../../web/forms/typed.ts";
import { html, type Html } from "../../web/html.ts";
import { icon } from "../../web/icon.ts";
import { decimal, type Language } from "../../web/language.ts";
import { messagesIn } from "../../web/messages.ts";
import { notice, type NoticeWords } from "../../web/notice.ts";
import type { Page, PageRequest, Shown } from "../../web/page.ts";
import type { NumberHolder } from "../invoice-queries.ts";
import { invoiceStatusWords } from "../invoice-words.ts";
import { invoice } from "../invoice.ts";
import { newInvoiceLabels, newInvoiceWords } from "../new-invoice-words.ts";
import { createInvoice } from "../write-invoice.ts";
import { labelsOf, lineTable, numberIn, readTypedLines, typedLines, type TypedLine } from "./line-table.ts";

const FIELDS = invoice.fields.filter(({ kind }) => kind !== "list");
const NAMES = FIELDS.map(({ name }) => name);
/** The fields above the lines, and those below, which mostly keep their defaults. */
const HEAD = FIELDS.filter(({ name }) => name === "number" || name.endsWith("_on"));
const FOOT = FIELDS.filter((field) => !HEAD.includes(field));
const EMPTY_LINES = 3;
const CURRENCY = "RON";

type Typed = {
  values: FieldValues;
  lines: readonly TypedLine[];
  errors: FieldErrors | null;
  holder: NumberHolder | null;
  status: number;
};

/** GET /companies/{id}/invoices/new */
export const newInvoicePage: Page = async (deps, request) => {
  const company = await companyOf(deps, request);
  const issued = dayAfter(0, request.session.workspace.timeZone);
  const values = { issued_on: issued, currency: CURRENCY, status: "issued" };
  return page(company, request, { values, lines: [], errors: null, holder: null, status: 200 });
};

/**
 * POST /companies/{id}/invoices: the API's field names, with lines as `lines.0.sku`. With `more`, it shows the form
 * again with its sum.
 */
export const createInvoicePage: Page = async (deps, request) => {
  const company = await companyOf(deps, request);
  const { form, language } = request;
  const lines = typedLines(form);
  const values = form.values(NAMES);
  const again = (status: number, found: FieldErrors | null, holder: NumberHolder | null) =>
    page(company, request, { values, lines, errors: found, holder, status });
  if (form.has("more")) return again(200, null, null);
  const { input, errors: unclear } = inputOf(form, lines, language);
  if (unclear !== null) return again(422, inFieldOrder(invoice.fields, withOthers(input, unclear)), null);
  const written = await createInvoice(deps, request.actor, String(company.id), input);
  if (written.outcome === "missing") throw errors.resourceMissing("Company", String(company.id));
  if (written.outcome === "invalid") return again(422, written.messages, null);
  if (written.outcome === "number-taken") return again(422, null, written.holder);
  return { to: `/invoices/${written.row[0]}`, notice: notice("invoice-created") };
};

export const invoiceNotices: NoticeWords = {
  "invoice-created": (_values, language) => html`${newInvoiceWords[language].created}`,
};

/** The typed invoice. An empty total becomes the sum. */
function inputOf(form: Form, lines: readonly TypedLine[], language: Language): ReadInput {
  const own = readTyped(FIELDS, form.input(NAMES), language);
  const read = readTypedLines(lines, language);
  const isSummed = lines.length > 0 && (form.get("total") ?? "").trim() === "";
  const errors: FieldErrors = Object.assign({}, own.errors, ...read.map((line) => line.errors));
  return {
    input: { ...own.input, ...(isSummed && { total: sumIn(read) }), lines: read.map((line) => line.input) },
    errors: Object.keys(errors).length === 0 ? null : errors,
  };
}

/** The errors of ambiguous numbers, and those of other fields. The input no longer has the ambiguous numbers. */
function withOthers(input: Input, unclear: FieldErrors): FieldErrors {
  return { ...validate(invoice.fields, input, "create").errors, ...unclear };
}

function sumIn(lines: readonly ReadInput[]): string {
  return sumOf(
    lines.map((line) => ({ quantity: numberIn(line, "quantity"), unit_price: numberIn(line, "unit_price") })),
  );
}

function page(company: RowByName, { language }: PageRequest, typed: Typed): Shown {
  const { values, lines, errors: found, holder, status } = typed;
  const words = newInvoiceWords[language];
  const labels = newInvoiceLabels[language];
  const title = words.title(company.name ?? "");
  const messages =
    found &&
    messagesIn(language, found, {
      ...labels,
      ...labelsOf(lines, (name, line) => words.lineLabel(line, labels[name])),
    });
  const choices = { status: choicesAmong(invoiceStatusWords[language]) };
  const hints = { total: words.totalHint };
  const back = `/companies/${company.id}`;
  const field = (one: Field) => fieldRow(one, { values, labels, errors: messages, language, choices, hints });
  const main = html`<a class="back" href="${back}">${icon("back")}${company.name}</a>
<header class="heading"><h1>${title}</h1></header>
<form class="record invoice" method="post" action="${back}/invoices" novalidate>
${errorSummary(messages, language)}
${holder !== null && taken(holder, language)}
<div class="fields">${HEAD.map(field)}</div>
<fieldset><legend>${words.lines}</legend>
${lineTable(lines, lines.length + EMPTY_LINES, found, language)}
<p class="sum"><strong>${words.sum} <output data-sum>${decimal(language, sumIn(readTypedLines(lines, language)))}</output></strong></p></fieldset>
<div class="fields">${FOOT.map(field)}</div>
${formActions(words.create, back, language)}
<noscript><p><button name="more" value="1">${words.addUp}</button></p></noscript>
</form>`;
  return { status, title, area: "companies", main };
}

function taken({ id, number }: NumberHolder, language: Language): Html {
  const words = newInvoiceWords[language];
  return html`<div class="error-summary" role="alert"><p>${words.taken(number)} <a href="/invoices/${id}">${words.show}</a></p></div>`;
}
