import { NO_OWNER } from "../../customers/companies/live-company-queries.ts";
import { rowTable } from "../../kit/tables/rows.ts";
import { emptyState } from "../../kit/web/empty-state.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { amount, day, decimal, nearDay, quantityIn, wholeNumber, type Language } from "../../kit/web/language.ts";
import type { Page, PageRequest } from "../../kit/web/page.ts";
import { pageHref, pager } from "../../kit/web/pager.ts";
import { NO_SALES, parseSales } from "../../orders/reports/parse-sales.ts";
import { periods, type Period } from "../../orders/reports/sales-period.ts";
import {
  dimensions,
  salesOf,
  type CurrencySales,
  type Sales,
  type SalesQuery,
  type SalesRow,
} from "../../orders/reports/sales-queries.ts";
import { usersEver, type UserEver } from "../../people/users/user-queries.ts";
import { dayAfter } from "../../platform/dates.ts";
import { parsePage } from "../../platform/http/lists/pagination.ts";
import { figureList, linked, reportFilterForm, reportHeading } from "../reports/report-page.ts";
import { reportWords } from "../reports/report-words.ts";
import { salesPicture } from "./sales-picture.ts";
import { salesWords } from "./sales-words.ts";

/** GET /sales: what was sold in a period beside the same days of the year before; one row for a key and a currency. */
export const salesPage: Page = async (deps, request) => {
  const { actor, language, query, session } = request;
  const words = salesWords[language];
  const asked = parseSales(query, dayAfter(0, session.workspace.timeZone));
  const page = parsePage(query);
  const [found, users] = await Promise.all([
    asked === null ? NO_SALES : salesOf(actor.tenant, deps.database, asked, page),
    usersEver(actor.tenant, deps.database),
  ]);
  const names = new Map(users.map(({ id, name }) => [id, name]));
  const filters = query.othersThanPage;
  const main = html`${reportHeading(words.title, `/sales/export${filters === "" ? "" : `?${filters}`}`, request)}
${filterForm(request, asked, users)}
<div id="sales">
${asked === null ? html`<p class="empty">${isDayWrong(request) ? words.wrongDays : reportWords[language].nothing}</p>` : sales(found, asked, names, request)}
${pager(page, { count: found.rows.length, total: found.total }, pageHref(query), language)}
</div>`;
  return { title: words.title, area: "sales", main };
};

function isDayWrong({ query }: PageRequest): boolean {
  return query.get("from") !== undefined || query.get("to") !== undefined;
}

function sales(found: Sales, asked: SalesQuery, names: ReadonlyMap<string, string>, request: PageRequest): Html {
  const { language, query, session } = request;
  const words = salesWords[language];
  const { period, by } = asked;
  const { drafts, cancelled, undated } = found.leftOut;
  const others = query.othersThan("page", "by");
  const tab = (each: (typeof dimensions)[number]) =>
    html`<li><a href="/sales?by=${each}${others !== "" && `&${others}`}"${each === by && html` aria-current="page"`}>${words.by[each]}</a></li>`;
  const picture = { columns: found.columns, unit: period.unit, timeZone: session.workspace.timeZone };
  return html`<p class="muted">${words.days(day(language, period.from), day(language, period.to))} ${words.compared(day(language, period.beforeFrom), day(language, period.beforeTo))}</p>
${found.totals.map((of) => html`${currencyFigures(of, period, language)}${salesPicture(of, picture, language)}`)}
<div class="order-tabs"><nav aria-label="${words.title}"><ul>${dimensions.map(tab)}</ul></nav></div>
${found.rows.length === 0 ? emptyState("sales", found.totals.length === 0 ? words.empty : reportWords[language].nothing, []) : salesTable(found, asked, names, request)}
<p class="muted">${words.left(drafts, cancelled, undated)} ${by === "product" ? words.withoutVat : words.withVat}</p>`;
}

/** The figures of a currency. Their link lists the invoices of the period. */
function currencyFigures(of: CurrencySales, { from, to, beforeFrom, beforeTo }: Period, language: Language): Html {
  const words = salesWords[language];
  const money = (value: string | null) => amount(language, value, of.currency) ?? "-";
  const count = (value: number) => wholeNumber(language, value);
  const change = percent(of, language);
  const [href, belowHref] = [`/orders?from=${from}&to=${to}`, `/orders?from=${beforeFrom}&to=${beforeTo}`];
  const figure = (label: string, value: string, before: string) => {
    return { label, value, href, below: words.before(before), belowHref };
  };
  return figureList([
    {
      ...figure(words.sold, money(of.sold), money(of.sold_before)),
      beside: change !== null && html` <span class="muted">${change}</span>`,
    },
    figure(words.invoices, count(of.invoices), count(of.invoices_before)),
    figure(words.companies, count(of.companies), count(of.companies_before)),
    figure(words.average, money(of.average), money(of.average_before)),
    figure(words.fresh, count(of.new_companies), count(of.new_companies_before)),
  ]);
}

/** The change from a year before in percent; null if nothing was sold then. */
function percent({ sold, sold_before: before }: CurrencySales, language: Language): string | null {
  if (!(Number(before) > 0)) return null;
  const change = (Number(sold) / Number(before) - 1) * 100;
  return `${change < 0 ? "−" : "+"}${wholeNumber(language, Math.round(Math.abs(change)))} %`;
}

function filterForm(request: PageRequest, asked: SalesQuery | null, users: readonly UserEver[]): Html {
  const { query, language } = request;
  const words = salesWords[language];
  const value = (name: string) => query.get(name) ?? "";
  const others = query.othersThan("page", "period", "from", "to");
  const tab = (name: (typeof periods)[number]) =>
    html`<li><a href="/sales?period=${name}${others !== "" && `&${others}`}"${asked?.period.name === name && html` aria-current="page"`}>${words.periods[name]}</a></li>`;
  const day = (name: "from" | "to") =>
    html`<label>${words[name]} <input type="date" name="${name}" value="${value(name)}"></label>`;
  const hidden = ["by", "period"].filter((name) => query.get(name) !== undefined);
  const before = html`${hidden.map((name) => html`<input type="hidden" name="${name}" value="${value(name)}">`)}${day("from")}${day("to")}
`;
  const after = html`<label><input type="checkbox" name="stopped" value="1"${asked?.isStoppedOnly === true && html` checked`}>${words.stopped}</label>
`;
  return html`<div class="order-tabs" id="periods"><nav aria-label="${words.period}"><ul>${periods.map(tab)}</ul></nav></div>
${reportFilterForm({ action: "/sales", live: "sales periods", before, after }, users, request)}`;
}

function salesTable(
  { rows }: Sales,
  { by, period }: SalesQuery,
  names: ReadonlyMap<string, string>,
  { language, session }: PageRequest,
): Html {
  const words = salesWords[language];
  const href = (of: SalesRow) => hrefOf(of, by, period);
  return rowTable<SalesRow>(rows, [
    ["name", words.heads[by], (of) => linked(salesRowName(of, by, names, language), href(of))],
    ["number", words.sold, (of) => amount(language, of.sold, of.currency)],
    ["number", words.invoices, ({ invoices }) => wholeNumber(language, invoices), { isMinor: true }],
    [
      "number",
      words.share,
      ({ share }) => (share === null ? "-" : `${quantityIn(language, share)} %`),
      { isMinor: true },
    ],
    ["number", words.yearBefore, (of) => decimal(language, of.sold_before)],
    ["number", words.difference, (of) => decimal(language, of.difference)],
    by === "company" && [
      "short",
      words.stopped,
      (of) =>
        of.last_issued_on !== null &&
        html`<span class="late">${words.since(nearDay(language, of.last_issued_on, session.workspace.timeZone))}</span>`,
    ],
    by === "company" && [
      "action",
      words.actions,
      (of) =>
        of.last_issued_on !== null &&
        html`<a href="/companies/${of.key}/calls/new">${words.callBack}<span class="hidden"> ${of.name}</span></a>`,
    ],
  ]);
}

/** The name of a row: that of its key, or what is said of rows without one. */
export function salesRowName(
  { key, name }: SalesRow,
  by: SalesQuery["by"],
  names: ReadonlyMap<string, string>,
  language: Language,
): string {
  if (key === null) return salesWords[language].without[by];
  if (by === "owner") return names.get(key) ?? `#${key}`;
  return by === "product" && name !== null ? `${key} · ${name}` : (name ?? key);
}

/** Where the invoices of a row are listed; undefined if no list has them. */
function hrefOf({ key }: SalesRow, by: SalesQuery["by"], { from, to }: Period): string | undefined {
  if (by === "company") return `/companies/${key}/invoices`;
  if (by === "owner") return `/orders?assigned_to=${key ?? NO_OWNER}&from=${from}&to=${to}`;
  if (by !== "month" || key === null) return undefined;
  const last = Temporal.PlainYearMonth.from(key).toPlainDate({ day: 31 }).toString();
  const first = `${key}-01`;
  return `/orders?from=${first < from ? from : first}&to=${last > to ? to : last}`;
}
