import { NO_OWNER } from "../../customers/companies/live-company-queries.ts";
import { rowTable } from "../../kit/tables/rows.ts";
import { emptyState } from "../../kit/web/empty-state.ts";
import { dayIn } from "../../kit/web/forms/typed.ts";
import { html, type Content, type Html } from "../../kit/web/html.ts";
import {
  amount,
  day,
  decimal,
  monthIn,
  nearDay,
  oneDecimal,
  wholeNumber,
  type Language,
} from "../../kit/web/language.ts";
import type { Page, PageRequest } from "../../kit/web/page.ts";
import { NO_SALES, parseSales } from "../../orders/reports/parse-sales.ts";
import { periods, type Period } from "../../orders/reports/sales-period.ts";
import {
  dimensions,
  MOST_PARSED,
  salesOf,
  type CurrencySales,
  type Sales,
  type SalesQuery,
  type SalesRow,
} from "../../orders/reports/sales-queries.ts";
import { dayAfter } from "../../platform/dates.ts";
import { parsePage } from "../../platform/http/lists/pagination.ts";
import {
  figureList,
  linked,
  ordersHref,
  readReport,
  reportFilterForm,
  emptyReport,
  reportFiltersOnPaper,
  reportPage,
  type ReportChoices,
} from "../reports/report-page.ts";
import { reportWords } from "../reports/report-words.ts";
import { salesPicture } from "./sales-picture.ts";
import { salesWords } from "./sales-words.ts";

/** GET /sales: what was sold in a period beside the same days of the year before; one row for a key and a currency. */
export const salesPage: Page = async (deps, request) => {
  const { actor, language, query, session } = request;
  const words = salesWords[language];
  const parsed = parseSales(query, dayAfter(0, session.workspace.timeZone));
  const rows = parsed === null ? NO_SALES : salesOf(actor.tenant, deps.database, parsed, parsePage(query));
  const { found, users, currencies } = await readReport(deps, request, rows);
  const names = new Map(users.map(({ id, name }) => [id, name]));
  const content =
    parsed === null
      ? html`<p class="empty">${isDayWrong(request) ? words.wrongDays : reportWords[language].nothing}</p>`
      : sales(found, parsed, names, request);
  return reportPage(
    {
      area: "sales",
      title: words.title,
      filterForm: filterForm(request, parsed, { users, currencies }),
      filtersOnPaper: reportFiltersOnPaper([words.stopped, parsed?.isStoppedOnly === true], { users }, request),
      content,
      rows: { count: found.rows.length, total: found.total },
    },
    request,
  );
};

function isDayWrong({ query }: PageRequest): boolean {
  return query.get("from") !== undefined || query.get("to") !== undefined;
}

function sales(found: Sales, parsed: SalesQuery, names: ReadonlyMap<string, string>, request: PageRequest): Html {
  const { language, query, session } = request;
  const words = salesWords[language];
  const { period, by } = parsed;
  const { drafts, cancelled, undated } = found.leftOut;
  const others = query.othersThan("page", "by");
  const tab = (each: (typeof dimensions)[number]) =>
    html`<li><a href="/sales?by=${each}${others !== "" && `&${others}`}"${each === by && html` aria-current="page"`}>${words.by[each]}</a></li>`;
  // The currency with the most invoices; a further one has a line, and the same page of its own.
  const [main, ...further] = found.totals;
  const picture = { columns: found.columns, unit: period.unit, timeZone: session.workspace.timeZone };
  return html`<p class="muted">${words.days(day(language, period.from), day(language, period.to))} ${words.compared(day(language, period.beforeFrom), day(language, period.beforeTo))}</p>
${main !== undefined && html`${currencyFigures(main, request, period)}${salesPicture(main, picture, language)}`}
${further.map((of) => html`<p><a href="/sales?${query.othersThan("page", "currency")}&amp;currency=${encodeURIComponent(of.currency)}">${words.and(amount(language, of.sold, of.currency) ?? "")}</a> <span class="muted">${words.before(amount(language, of.sold_before, of.currency) ?? "")}</span></p>`)}
<div class="order-tabs"><nav aria-label="${words.title}"><ul>${dimensions.map(tab)}</ul></nav></div>
${found.rows.length === 0 ? emptySales(found, request) : salesTable(found, parsed, names, request)}
<p class="muted">${drafts + cancelled + undated > 0 && words.left(drafts, cancelled, undated)} ${by === "product" ? words.withoutVat : words.withVat}</p>`;
}

function emptySales({ totals, hasTooManyLines }: Sales, request: PageRequest): Html {
  const { language } = request;
  const words = salesWords[language];
  if (hasTooManyLines) return emptyState("sales", words.tooManyLines(wholeNumber(language, MOST_PARSED)), []);
  return emptyReport("sales", totals.length === 0 ? words.empty : reportWords[language].nothing, request);
}

/** The figures of a currency. Their links list the invoices of the period, and of the year before. */
function currencyFigures(of: CurrencySales, { language, query }: PageRequest, period: Period): Html {
  const words = salesWords[language];
  const money = (value: string | null) => amount(language, value, of.currency) ?? "-";
  const count = (value: number) => wholeNumber(language, value);
  const narrowed = { currency: of.currency, assigned_to: query.get("assigned_to") ?? "" };
  const { beforeFrom, beforeTo } = period;
  const [href, belowHref] = [
    invoicesHref(period, narrowed),
    invoicesHref({ from: beforeFrom, to: beforeTo }, narrowed),
  ];
  const figure = (label: string, value: string, before: string) => {
    return { label, value, href, below: words.before(before), belowHref };
  };
  return figureList([
    { ...figure(words.sold, money(of.sold), money(of.sold_before)), change: percent(of, language) },
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
  return `${change < 0 ? "−" : "+"}${wholeNumber(language, Math.round(Math.abs(change)))}\u00a0%`;
}

function filterForm(request: PageRequest, parsed: SalesQuery | null, choices: ReportChoices): Html {
  const { query, language } = request;
  const words = salesWords[language];
  const value = (name: string) => query.get(name) ?? "";
  const others = query.othersThan("page", "period", "from", "to");
  const tab = (name: (typeof periods)[number]) =>
    html`<li><a href="/sales?period=${name}${others !== "" && `&${others}`}"${parsed?.period.name === name && html` aria-current="page"`}>${words.periods[name]}</a></li>`;
  const day = (name: "from" | "to") =>
    html`<label>${words[name]} <input type="date" name="${name}" value="${dayIn(value(name))}"></label>`;
  const hidden = ["by", "period"].filter((name) => query.get(name) !== undefined);
  const before = html`${hidden.map((name) => html`<input type="hidden" name="${name}" value="${value(name)}">`)}${day("from")}${day("to")}
`;
  const after = html`<label><input type="checkbox" name="stopped" value="1"${parsed?.isStoppedOnly === true && html` checked`}>${words.stopped}</label>
`;
  return html`<div class="order-tabs" id="periods"><nav aria-label="${words.period}"><ul>${periods.map(tab)}</ul></nav></div>
${reportFilterForm({ action: "/sales", live: "sales periods", before, after }, choices, request)}`;
}

function salesTable(
  { rows }: Sales,
  parsed: SalesQuery,
  names: ReadonlyMap<string, string>,
  { language, session }: PageRequest,
): Html {
  const words = salesWords[language];
  const { by } = parsed;
  const now = (of: SalesRow, shown: Content) => linked(shown, of.invoices > 0 ? hrefOf(of, parsed, false) : undefined);
  return rowTable<SalesRow>(rows, [
    [
      "name",
      words.heads[by],
      (of) => linked(salesRowName(of, by, names, language), by === "company" ? `/companies/${of.key}` : undefined),
    ],
    ["number", words.sold, (of) => now(of, amount(language, of.sold, of.currency))],
    ["number", words.invoices, (of) => now(of, wholeNumber(language, of.invoices)), { isMinor: true }],
    [
      "number",
      words.share,
      ({ share }) => (share === null ? "-" : `${oneDecimal(language, share)}\u00a0%`),
      { isMinor: true },
    ],
    [
      "number",
      words.yearBefore,
      (of) =>
        linked(
          decimal(language, of.sold_before, of.currency),
          of.invoices_before > 0 ? hrefOf(of, parsed, true) : undefined,
        ),
    ],
    ["number", words.difference, (of) => decimal(language, of.difference, of.currency)],
    by === "company" && [
      "action",
      words.stopped,
      ({ key, name, last_issued_on: last }) =>
        last !== null &&
        html`<span class="late">${words.since(nearDay(language, last, session.workspace.timeZone))}</span> <a class="button" href="/companies/${key}/calls/new">${words.callBack}<span class="hidden"> ${name}</span></a>`,
    ],
  ]);
}

/** The name of a row's key; for rows without a key, words that say so. */
export function salesRowName(
  { key, name }: SalesRow,
  by: SalesQuery["by"],
  names: ReadonlyMap<string, string>,
  language: Language,
): string {
  if (key === null) return salesWords[language].without[by];
  if (by === "owner") return names.get(key) ?? `#${key}`;
  if (by === "month") return monthIn(language, key);
  return by === "product" && name !== null ? `${key} · ${name}` : (name ?? key);
}

type Days = Pick<Period, "from" | "to">;

/** The list of the sold invoices of some days. */
function invoicesHref({ from, to }: Days, narrowed: Readonly<Record<string, string>>): string {
  return ordersHref({ state: "sold", from, to, ...narrowed });
}

/** Where the invoices of a row are listed; undefined if no list has them: of a city, or of lines without a SKU. */
function hrefOf(
  { key, currency }: SalesRow,
  { by, assignedTo, period }: SalesQuery,
  isBefore: boolean,
): string | undefined {
  const days = isBefore ? daysBefore(period) : period;
  const narrowed = { currency, assigned_to: assignedTo ?? "" };
  if (by === "owner") return invoicesHref(days, { ...narrowed, assigned_to: key ?? NO_OWNER });
  if (key === null || by === "city") return undefined;
  if (by !== "month") return invoicesHref(days, { ...narrowed, [by === "company" ? "company" : "sku"]: key });
  const month = Temporal.PlainYearMonth.from(key).subtract({ years: isBefore ? 1 : 0 });
  const [first, last] = [month.toPlainDate({ day: 1 }).toString(), month.toPlainDate({ day: 31 }).toString()];
  const { from, to } = days;
  return invoicesHref({ from: first < from ? from : first, to: last > to ? to : last }, narrowed);
}

function daysBefore({ beforeFrom: from, beforeTo: to }: Period): Days {
  return { from, to };
}
