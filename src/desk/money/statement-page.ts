import { companyOf } from "../../customers/companies/pages/company-of.ts";
import type { Deps } from "../../kit/deps.ts";
import { cellOfDay, cellOfNumber, type Cell } from "../../kit/files/cells.ts";
import { exportBatches } from "../../kit/files/report-file.ts";
import { rowTable } from "../../kit/tables/rows.ts";
import { dayIn } from "../../kit/web/forms/typed.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import { amount, day, dayOrNone, wholeNumber, type Language } from "../../kit/web/language.ts";
import type { Page, PageRequest } from "../../kit/web/page.ts";
import { meansWords, paymentLabels } from "../../orders/payments/payment-words.ts";
import type { PaymentMeans } from "../../orders/payments/payment.ts";
import {
  allStatedInvoices,
  allStatedPayments,
  statementOf,
  type StatedInvoice,
  type StatedPayment,
} from "../../orders/payments/statement-queries.ts";
import { receivables, type CurrencyReceivable } from "../../orders/reports/receivables-queries.ts";
import { dayAfter, parseDate } from "../../platform/dates.ts";
import { figureList, reportHeading } from "../reports/report-page.ts";
import { reportWords } from "../reports/report-words.ts";
import { moneyWords } from "./money-words.ts";

/** The months of payments that a statement shows if nobody asks for others. */
const MONTHS = 3;
/** The most invoices, and the most payments, of the page. The file has all. */
const SHOWN = 250;
/** A company has few currencies. */
const CURRENCIES = { perPage: 50, offset: 0 };

/** GET /companies/{id}/statement: what a company owes, and what it has paid since a day, for paper. */
export const statementPage: Page = async (deps, request) => {
  const { language, session } = request;
  const words = moneyWords[language];
  const { company, from, today, totals, invoices, payments } = await read(deps, request);
  const id = String(company.id);
  const rest = html`<p class="hint">${words.restInFile(wholeNumber(language, SHOWN))}</p>`;
  const title = words.statementOf(company.name ?? "");
  const main = html`<a class="back" href="/companies/${id}">${icon("back")}${company.name}</a>
${reportHeading(title, `/companies/${id}/statement/export?from=${from}`, request, html`<span class="muted">${day(language, today)}</span>`)}
<p class="printed">${session.workspace.name}</p>
<form class="filters" action="/companies/${id}/statement"><label>${words.paymentsSince} <input type="date" name="from" value="${from}"></label>
<button>${reportWords[language].show}</button></form>
${totals.length > 0 && sums(totals, language)}
<section class="section"><header><h2>${words.openInvoices}</h2></header>
${invoices.length === 0 ? html`<p class="empty">${words.nothingOpen}</p>` : invoiceTable(invoices.slice(0, SHOWN), today, language)}${invoices.length > SHOWN && rest}</section>
<section class="section"><header><h2>${words.payments} ${words.since(day(language, from))}</h2></header>
${payments.length === 0 ? html`<p class="empty">${words.noPayments}</p>` : paymentTable(payments.slice(0, SHOWN), language)}${payments.length > SHOWN && rest}</section>`;
  return { title, area: "companies", main };
};

async function read(deps: Deps, request: PageRequest) {
  const { actor } = request;
  const { company, companyId, from, today } = await requestOf(deps, request);
  const ofCompany = { day: today, isAsOf: false, assignedTo: null, currency: null, companyId, isOverdueOnly: false };
  const [stated, { totals }] = await Promise.all([
    statementOf(actor.tenant, deps.database, { companyId, from, most: SHOWN + 1 }),
    receivables(actor.tenant, deps.database, ofCompany, CURRENCIES),
  ]);
  return { company, from, today, totals, ...stated };
}

/** The company, and the first day of its payments. */
async function requestOf(deps: Deps, request: PageRequest) {
  const company = await companyOf(deps, request);
  const today = dayAfter(0, request.session.workspace.timeZone);
  const usual = Temporal.PlainDate.from(today).subtract({ months: MONTHS }).toString();
  const from = parseDate(dayIn(request.query.get("from") ?? "")) ?? usual;
  return { company, companyId: String(company.id), from, today };
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
  const { language } = request;
  const [{ invoice }, { currency }, labels] = [moneyWords[language], reportWords[language], paymentLabels[language]];
  const { companyId, from } = await requestOf(deps, request);
  const { tenant } = request.actor;
  async function* batches(): AsyncGenerator<Cell[][]> {
    for await (const invoices of allStatedInvoices(tenant, deps.database, companyId)) {
      yield invoices.map((of) => [
        of.number,
        cellOfDay(of.issuedOn),
        cellOfDay(of.dueOn),
        of.currency,
        cellOfNumber(of.total),
        cellOfNumber(of.paid),
        cellOfNumber(of.left),
      ]);
    }
    yield [[], [invoice.number, labels.paid_on, labels.amount, currency, labels.means, labels.reference]];
    for await (const payments of allStatedPayments(tenant, deps.database, companyId, from)) {
      yield payments.map((of) => [
        of.number,
        cellOfDay(of.paidOn),
        cellOfNumber(of.amount),
        of.currency,
        meansWords[language][of.means as PaymentMeans],
        of.reference ?? "",
      ]);
    }
  }
  const head = [invoice.number, invoice.issued, invoice.due, currency, invoice.total, invoice.paid, invoice.left];
  return exportBatches(deps, request, { file: "statement", head, batches });
};
