import { companyOf } from "../../companies/pages/company-of.ts";
import { errors } from "../../errors.ts";
import { dayAfter } from "../../platform/dates.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { errorSummary, fieldRow, formActions, type FieldValues } from "../../web/forms/field.ts";
import type { Form } from "../../web/forms/form.ts";
import { choicesAmong } from "../../web/forms/select.ts";
import { html, type Html } from "../../web/html.ts";
import { icon } from "../../web/icon.ts";
import { decimal, type Language } from "../../web/language.ts";
import { messagesIn } from "../../web/messages.ts";
import { notice, type NoticeWords } from "../../web/notice.ts";
import type { Page, PageRequest, Shown } from "../../web/page.ts";
import type { NumberHolder } from "../invoice-queries.ts";
import { invoiceStatusWords } from "../invoice-words.ts";
import { invoice } from "../invoice.ts";
import { sumOf } from "../line-amounts.ts";
import { newInvoiceLabels, newInvoiceWords } from "../new-invoice-words.ts";
import { createInvoice } from "../write-invoice.ts";
import { lineTable, typedLines, withPoint, type TypedLine } from "./line-table.ts";

const FIELDS = invoice.fields.filter(({ kind }) => kind !== "list");
const NAMES = FIELDS.map(({ name }) => name);
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

/** POST /companies/{id}/invoices: the API's field names, the lines as `lines.0.sku`; with `more` the form again, added up. */
export const createInvoicePage: Page = async (deps, request) => {
  const company = await companyOf(deps, request);
  const { form } = request;
  const lines = typedLines(form);
  const values = form.values(NAMES);
  const again = (status: number, found: FieldErrors | null, holder: NumberHolder | null) =>
    page(company, request, { values, lines, errors: found, holder, status });
  if (form.has("more")) return again(200, null, null);
  const written = await createInvoice(deps, request.actor, String(company.id), input(form, lines));
  if (written.outcome === "missing") throw errors.resourceMissing("Company", String(company.id));
  if (written.outcome === "invalid") return again(422, written.messages, null);
  if (written.outcome === "number-taken") return again(422, null, written.holder);
  return { to: `/invoices/${written.row[0]}`, notice: notice("invoice-created") };
};

export const invoiceNotices: NoticeWords = {
  "invoice-created": (_values, language) => html`${newInvoiceWords[language].created}`,
};

/** A total that nobody typed is the sum. */
function input(form: Form, lines: readonly TypedLine[]) {
  const typed = form.input(NAMES);
  const total = withPoint((form.get("total") ?? "").trim());
  return { ...typed, total: total === "" && lines.length > 0 ? sumOf(lines) : total, lines };
}

function page(company: RowByName, { language }: PageRequest, typed: Typed): Shown {
  const { values, lines, errors: found, holder, status } = typed;
  const words = newInvoiceWords[language];
  const labels = newInvoiceLabels[language];
  const title = words.title(company.name ?? "");
  const messages = found && messagesIn(language, found, { ...labels, ...lineLabels(lines, language) });
  const choices = { status: choicesAmong(invoiceStatusWords[language]) };
  const hints = { total: words.totalHint };
  const back = `/companies/${company.id}`;
  const main = html`<a class="back" href="${back}">${icon("back")}${company.name}</a>
<header class="heading"><h1>${title}</h1></header>
<form class="invoice" method="post" action="${back}/invoices" novalidate>
${errorSummary(messages, language)}
${holder !== null && taken(holder, language)}
<div class="fields">${FIELDS.map((field) => fieldRow(field, { values, labels, errors: messages, language, choices, hints }))}</div>
<fieldset><legend>${words.lines}</legend>
${lineTable(lines, lines.length + EMPTY_LINES, messages, language)}
<p class="sum"><strong>${words.sum} <output data-sum>${decimal(language, sumOf(lines))}</output></strong>
<button name="more" value="1">${words.addUp}</button></p></fieldset>
${formActions(words.create, back, language)}
</form>`;
  return { status, title, area: "companies", main };
}

function taken({ id, number }: NumberHolder, language: Language): Html {
  const words = newInvoiceWords[language];
  return html`<div class="error-summary" role="alert"><p>${words.taken(number)} <a href="/invoices/${id}">${words.show}</a></p></div>`;
}

function lineLabels(lines: readonly TypedLine[], language: Language): Record<string, string> {
  const { lineLabel } = newInvoiceWords[language];
  const labels = newInvoiceLabels[language];
  return Object.fromEntries(
    lines.flatMap((line, at) =>
      (Object.keys(line) as (keyof TypedLine)[]).map((name) => [
        `lines.${at}.${name}`,
        lineLabel(at + 1, labels[name]),
      ]),
    ),
  );
}
