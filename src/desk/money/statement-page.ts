import { companyOf } from "../../customers/companies/pages/company-of.ts";
import { toSpreadsheet } from "../../exchange/imports/export-csv.ts";
import type { Deps } from "../../kit/deps.ts";
import { rowTable } from "../../kit/tables/rows.ts";
import { writtenNumber } from "../../kit/web/assets/numbers.js";
import { pageErrors } from "../../kit/web/forms/page-errors.ts";
import { dayIn } from "../../kit/web/forms/typed.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import { amount, day, dayOrNone, type Language } from "../../kit/web/language.ts";
import type { Page, PageRequest } from "../../kit/web/page.ts";
import { meansWords, paymentLabels } from "../../orders/payments/payment-words.ts";
import type { PaymentMeans } from "../../orders/payments/payment.ts";
import { statementOf, type StatedInvoice, type StatedPayment } from "../../orders/payments/statement-queries.ts";
import { receivables, type CurrencyReceivable } from "../../orders/reports/receivables-queries.ts";
import { dayAfter, parseDate } from "../../platform/dates.ts";
import { figureList, reportHeading } from "../reports/report-page.ts";
import { reportWords } from "../reports/report-words.ts";
import { moneyWords } from "./money-words.ts";

/** The months of payments that a statement shows if nobody asks for others. */
const MONTHS = 3;
/** A company has few currencies. */
const CURRENCIES = { perPage: 50, offset: 0 };

/** GET /companies/{id}/statement: what a company owes, and what it has paid since a day, for paper. */
export const statementPage: Page = async (deps, request) => {
  const { language, session } = request;
  const words = moneyWords[language];
  const { company, from, today, totals, invoices, payments } = await read(deps, request);
  const id = String(company.id);
  const title = words.statementOf(company.name ?? "");
  const main = html`<a class="back" href="/companies/${id}">${icon("back")}${company.name}</a>
${reportHeading(title, `/companies/${id}/statement/export?from=${from}`, request, html`<span class="muted">${day(language, today)}</span>`)}
<p class="printed">${session.workspace.name}</p>
<form class="filters" action="/companies/${id}/statement"><label>${words.paymentsSince} <input type="date" name="from" value="${from}"></label>
<button>${reportWords[language].show}</button></form>
${totals.length > 0 && sums(totals, language)}
<section class="section"><header><h2>${words.openInvoices}</h2></header>
${invoices.length === 0 ? html`<p class="empty">${words.nothingOpen}</p>` : invoiceTable(invoices, today, language)}</section>
<section class="section"><header><h2>${words.payments} ${words.since(day(language, from))}</h2></header>
${payments.length === 0 ? html`<p class="empty">${words.noPayments}</p>` : paymentTable(payments, language)}</section>`;
  return { title, area: "companies", main };
};

async function read(deps: Deps, request: PageRequest) {
  const { actor, query, session } = request;
  const company = await companyOf(deps, request);
  const today = dayAfter(0, session.workspace.timeZone);
  const usual = Temporal.PlainDate.from(today).subtract({ months: MONTHS }).toString();
  const from = parseDate(dayIn(query.get("from") ?? "")) ?? usual;
  const companyId = String(company.id);
  const asked = { day: today, isAsOf: false, assignedTo: null, currency: null, companyId, isOverdueOnly: false };
  const [stated, { totals }] = await Promise.all([
    statementOf(actor.tenant, deps.database, { companyId, from }),
    receivables(actor.tenant, deps.database, asked, CURRENCIES),
  ]);
  return { company, from, today, totals, ...stated };
}

function sums(totals: readonly CurrencyReceivable[], language: Language): Html {
  const { owed, columns, tooMuch } = moneyWords[language];
  const figure = (label: string, value: string, of: CurrencyReceivable) => {
    return { label, value: amount(language, value, of.currency) };
  };
  return figureList(
    totals.flatMap((of) => [
      figure(owed, of.owed, of),
      figure(columns.overdue, of.overdue, of),
      Number(of.paid_too_much) > 0 && figure(tooMuch, of.paid_too_much, of),
    ]),
  );
}

function invoiceTable(invoices: readonly StatedInvoice[], today: string, language: Language): Html {
  const { invoice } = moneyWords[language];
  const isLate = ({ dueOn, left }: StatedInvoice) => dueOn !== null && dueOn < today && !left.startsWith("-");
  return rowTable(invoices, [
    ["name", invoice.number, ({ number }) => number, { href: ({ id }) => `/invoices/${id}` }],
    ["date", invoice.issued, ({ issuedOn }) => dayOrNone(language, issuedOn)],
    [
      "date",
      invoice.due,
      (of) =>
        isLate(of) ? html`<span class="late">${dayOrNone(language, of.dueOn)}</span>` : dayOrNone(language, of.dueOn),
    ],
    ["number", invoice.total, ({ total, currency }) => amount(language, total, currency)],
    ["number", invoice.paid, ({ paid, currency }) => amount(language, paid, currency)],
    ["number", invoice.left, ({ left, currency }) => amount(language, left, currency)],
  ]);
}

function paymentTable(payments: readonly StatedPayment[], language: Language): Html {
  const [labels, { invoice }] = [paymentLabels[language], moneyWords[language]];
  return rowTable(payments, [
    ["date", labels.paid_on, ({ paidOn }) => day(language, paidOn)],
    ["name", invoice.number, ({ number }) => number, { href: ({ invoiceId }) => `/invoices/${invoiceId}` }],
    ["number", labels.amount, (of) => amount(language, of.amount, of.currency)],
    ["short", labels.means, ({ means }) => meansWords[language][means as PaymentMeans]],
    ["text", labels.reference, ({ reference }) => reference],
  ]);
}

/** GET /companies/{id}/statement/export: the same as a file: open invoices, then payments. */
export const exportStatementPage: Page = async (deps, request) => {
  const { language, session } = request;
  if (!session.user.mayExport) throw pageErrors.adminsOnly();
  const { invoices, payments } = await read(deps, request);
  const [{ invoice }, { currency }, labels] = [moneyWords[language], reportWords[language], paymentLabels[language]];
  const number = (value: string) => writtenNumber(value, language);
  const rows = [
    [invoice.number, invoice.issued, invoice.due, currency, invoice.total, invoice.paid, invoice.left],
    ...invoices.map((of) => [
      of.number,
      of.issuedOn ?? "",
      of.dueOn ?? "",
      of.currency,
      number(of.total),
      number(of.paid),
      number(of.left),
    ]),
    [],
    [invoice.number, labels.paid_on, labels.amount, currency, labels.means, labels.reference],
    ...payments.map((of) => [
      of.number,
      of.paidOn,
      number(of.amount),
      of.currency,
      meansWords[language][of.means as PaymentMeans],
      of.reference ?? "",
    ]),
  ];
  const body = `\ufeff${toSpreadsheet(rows, language)}`;
  return { file: "statement.csv", contentType: "text/csv; charset=utf-8", body };
};
