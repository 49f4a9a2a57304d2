import { lastContact, type Activity } from "../../customers/activities/activity-queries.ts";
import { activityWords } from "../../customers/activities/activity-words.ts";
import { inPlace } from "../../customers/companies/pages/facts.ts";
import { writerIn } from "../../kit/changes/change-words.ts";
import type { Deps } from "../../kit/deps.ts";
import { html, type Content, type Html } from "../../kit/web/html.ts";
import { amount, day, dayOf, monthIn, wholeNumber, type Language } from "../../kit/web/language.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import {
  moneyOfCompany,
  MOST_ORDERS_COUNTED,
  ordersOfCompany,
  type CompanyMoney,
  type CompanyOrders,
  type Sum,
} from "../../orders/invoices/money-queries.ts";
import { monthsOfCompany, type SoldInMonth } from "../../orders/reports/company-months-queries.ts";
import { columnDays, namedPeriod, type Period } from "../../orders/reports/sales-period.ts";
import { dayAfter, daysBetween, yearBefore } from "../../platform/dates.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { columnPicture } from "../reports/column-picture.ts";
import { figureWords } from "./figure-words.ts";

/** Amounts of more currencies are left out; the list of invoices has them. */
const CURRENCIES = 3;
/** Pixels of the picture of a year. */
const YEAR_SIZE = [24, "136"] as const;

/** The figures of a company: money and orders if it has invoices, its last contact, and its next call. */
export async function figures(deps: Deps, request: PageRequest, company: RowByName): Promise<Html> {
  const { database } = deps;
  const { actor, language, session } = request;
  const id = String(company.id);
  const today = dayAfter(0, session.workspace.timeZone);
  const yearAgo = yearBefore(today);
  const year = namedPeriod("12_months", today);
  const [money, orders, contact, months] = await Promise.all([
    moneyOfCompany(actor.tenant, database, id, { today, yearAgo }),
    ordersOfCompany(actor.tenant, database, id),
    lastContact(actor.tenant, database, id),
    monthsOfCompany(actor.tenant, database, id, year),
  ]);
  const shown = [
    ...(orders.hasInvoices
      ? [
          turnoverFigure(id, money, yearPicture(money, months, year, language), language),
          openFigure(id, money, today, language),
        ]
      : []),
    ...(orders.hasInvoices ? [ordersFigure(id, orders, language)] : []),
    ...(contact === null ? [] : [contactFigure(id, contact, today, request)]),
    ...((company.callback_date ?? null) === null ? [] : [callBackFigure(company, today, language)]),
  ];
  return html`<div id="figures">${shown.length > 0 && html`<dl class="figures">${shown}</dl>`}</div>`;
}

/** A figure with its name above, and what explains it below. */
function figure(label: string, value: Content, below: Content = null): Html {
  return html`<div><dt>${label}</dt><dd>${value}${below !== null && html`<small>${below}</small>`}</dd></div>`;
}

function turnoverFigure(id: string, { turnover: sums }: CompanyMoney, picture: Content, language: Language): Html {
  const [first, ...others] = amounts(sums, language);
  const below = others.length > 0 ? others.join(" · ") : null;
  const value = html`<a href="/companies/${id}/invoices">${first ?? "—"}</a>${picture}`;
  return figure(figureWords[language].turnover, value, below);
}

/** The months of the last year in the currency with the most invoices. */
function yearPicture({ turnover }: CompanyMoney, months: readonly SoldInMonth[], year: Period, language: Language) {
  const currency = turnover[0]?.currency ?? "";
  const own = months.filter((month) => month.currency === currency);
  const sums = columnDays(year).map((from) => own.find((month) => month.from === from)?.sold ?? "0");
  const [first, ...others] = own;
  if (first === undefined) return null;
  const best = others.reduce((one, other) => (Number(other.sold) > Number(one.sold) ? other : one), first);
  const said = figureWords[language].months(monthIn(language, best.from), amount(language, best.sold, currency) ?? "");
  return columnPicture(
    sums.map((sum) => [sum]),
    said,
    ...YEAR_SIZE,
  );
}

function openFigure(id: string, { open: sums }: CompanyMoney, today: string, language: Language): Html {
  const words = figureWords[language];
  const [first, ...others] = amounts(sums, language);
  const late = sums.filter(({ overdue }) => overdue !== null).slice(0, CURRENCIES);
  const [since] = late.flatMap(({ overdueSince }) => overdueSince ?? []).toSorted();
  const overdue = late.map(({ overdue: sum, currency }) => amount(language, sum, currency)).join(" · ");
  const below =
    since === undefined
      ? others.join(" · ")
      : html`${others.length > 0 && html`${others.join(" · ")}<br>`}<span class="late">${words.overdue(overdue, daysBetween(since, today))}</span>`;
  const value = html`<a href="/companies/${id}/invoices?status=issued">${first ?? words.nothingOpen}</a>`;
  const remind = since !== undefined && html` · <a href="/money/reminders?companies=${id}">${words.remind}</a>`;
  const links = html`<span class="unprinted"><a href="/companies/${id}/statement">${words.statement}</a>${remind} · <a href="/companies/${id}/reminders">${words.reminders}</a></span>`;
  return figure(words.open, value, below === "" ? links : html`${below}<br>${links}`);
}

function amounts(sums: readonly Sum[], language: Language): string[] {
  return sums.slice(0, CURRENCIES).map(({ total, currency, isMore }) => {
    const text = String(amount(language, total, currency));
    return isMore ? figureWords[language].atLeast(text) : text;
  });
}

function ordersFigure(id: string, { underWay, inNeed }: CompanyOrders, language: Language): Html {
  const words = figureWords[language];
  const text = (count: number) => `${wholeNumber(language, count)}${count >= MOST_ORDERS_COUNTED ? "+" : ""}`;
  const needs = inNeed > 0 && html`<span class="needs">${words.inNeed(text(inNeed), inNeed)}</span>`;
  const value = underWay > 0 ? words.underWay(text(underWay)) : words.noneUnderWay;
  return figure(words.orders, html`<a href="/companies/${id}/invoices">${value}</a>`, needs === false ? null : needs);
}

function contactFigure(id: string, activity: Activity, today: string, { language, session }: PageRequest): Html {
  const { timeZone } = session.workspace;
  const words = figureWords[language];
  const at = dayOf(language, activity.at, timeZone);
  const when = at === day(language, today) ? words.today : at;
  const kind = activityWords[language].kinds[activity.kind];
  const by = writerIn(language, activity.changedBy, activity.writerName);
  return figure(
    words.lastContact,
    html`<a href="/companies/${id}?activity=said#happened">${when}</a>`,
    `${kind} · ${by}`,
  );
}

function callBackFigure({ id, callback_date: date }: RowByName, today: string, language: Language): Html {
  const words = figureWords[language];
  const late = daysBetween(date ?? today, today);
  return html`<div><dt>${words.callBack}</dt>
<dd id="fact-callback_date">${inPlace("callback_date", String(id), day(language, date ?? ""), language)}${
    late > 0 && html`<small class="late">${words.late(late)}</small>`
  }<form class="done" method="post" action="/companies/${id}/call-back"><input type="hidden" name="to" value="/companies/${id}"><button class="quiet" name="when" value="done">${words.done}</button></form></dd></div>`;
}
