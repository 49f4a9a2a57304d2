import { NO_OWNER } from "../../customers/companies/live-company-queries.ts";
import { ownerChoices } from "../../customers/companies/pages/choices.ts";
import type { Deps } from "../../kit/deps.ts";
import { tableWords } from "../../kit/tables/table-words.ts";
import { emptyState } from "../../kit/web/empty-state.ts";
import { labelledSelect } from "../../kit/web/forms/select.ts";
import { html, type Content, type Html } from "../../kit/web/html.ts";
import type { PageRequest, Shown } from "../../kit/web/page.ts";
import { pageHref, pager } from "../../kit/web/pager.ts";
import { printedFilters } from "../../kit/web/printed-filters.ts";
import { workbookHref } from "../../kit/web/workbook-href.ts";
import { currenciesOf } from "../../orders/reports/currency-queries.ts";
import { wayWords } from "../../orders/wms/pages/way-words.ts";
import { usersEver, type UserEver } from "../../people/users/user-queries.ts";
import { userWords } from "../../people/users/user-words.ts";
import { parsePage } from "../../platform/http/lists/pagination.ts";
import { reportWords } from "./report-words.ts";

export type ReportChoices = { users: readonly UserEver[]; currencies: readonly string[] };

/** The rows of a report with the choices of its filters, read at once. */
export async function readReport<T>(
  { database }: Deps,
  { actor: { tenant } }: PageRequest,
  rows: T | Promise<T>,
): Promise<{ found: T } & ReportChoices> {
  const [found, users, currencies] = await Promise.all([
    rows,
    usersEver(tenant, database),
    currenciesOf(tenant, database),
  ]);
  return { found, users, currencies };
}

/** The parts of a report's page. */
type ReportParts = {
  area: "money" | "sales";
  title: string;
  /** Beside the title. */
  beside?: Content;
  filterForm: Html;
  filtersOnPaper: Html | null;
  /** The figures and rows that the filters choose. */
  content: Html;
  /** The number of rows on the page, and of all. */
  rows: { count: number; total: number };
};

/** The page of a report, at the path of its area: its heading, its filters and the page of rows that they choose. */
export function reportPage(
  { area, title, beside, filterForm, filtersOnPaper, content, rows }: ReportParts,
  request: PageRequest,
): Shown {
  const { query, language } = request;
  const filters = query.othersThanPage;
  const main = html`${reportHeading(title, `/${area}/export${filters === "" ? "" : `?${filters}`}`, request, beside)}
${filterForm}
<div id="${area}">
${filtersOnPaper}
${content}
${pager(parsePage(query), rows, pageHref(query), language)}
</div>`;
  return { title, area, main };
}

/** A report without rows: an invoice would be the first, unless filters hide others. */
export function emptyReport(area: "money" | "sales", text: string, { query, language }: PageRequest): Html {
  return emptyState(area, text, [
    query.othersThanPage === ""
      ? { href: "/invoices/new", label: wayWords[language].new }
      : { href: `/${area}`, label: tableWords[language].clear },
  ]);
}

/** The heading of a report. @param file the address of its file, for those who may export */
export function reportHeading(
  title: string,
  file: string,
  { language, session }: PageRequest,
  beside: Content = null,
): Html {
  const words = reportWords[language];
  return html`<header class="heading"><h1>${title}</h1>${beside}
<button type="button" class="print" data-print>${words.print}</button>
${session.user.mayExport && html`<a class="button" href="${file}" download>${words.export}</a><a class="button" href="${workbookHref(file)}" download>${tableWords[language].asWorkbook}</a>`}</header>`;
}

/** The filters of a report: owner and currency, between its own ones. @param live the ids that follow them */
export function reportFilterForm(
  { action, live, before, after }: { action: string; live: string; before: Content; after: Content },
  { users, currencies }: ReportChoices,
  { query, language }: PageRequest,
): Html {
  const words = reportWords[language];
  const owners = ownerChoices(
    [{ id: NO_OWNER, name: words.nobodys, hasLeft: false }, ...users],
    words.anybody,
    userWords[language].left,
  );
  const currency = query.get("currency") ?? "";
  const known = currency === "" || currencies.includes(currency) ? currencies : [...currencies, currency];
  const choices = known.map((value) => ({ value, label: value }));
  return html`<form class="filters" action="${action}" data-live="${live}">
${before}${labelledSelect(words.owner, "assigned_to", query.get("assigned_to") ?? "", owners)}
${labelledSelect(words.currency, "currency", currency, [{ value: "", label: words.every }, ...choices])}
${after}<noscript><button>${words.show}</button></noscript>
</form>`;
}

/** The filters on a report's paper. @param own its own one: the label, and whether it is on */
export function reportFiltersOnPaper(
  own: readonly [label: string, isOn: boolean],
  { users }: Pick<ReportChoices, "users">,
  { query, language }: PageRequest,
): Html | null {
  const words = reportWords[language];
  const owner = query.get("assigned_to") ?? "";
  const name = owner === NO_OWNER ? words.nobodys : users.find(({ id }) => id === owner)?.name;
  return printedFilters([[words.owner, name], [words.currency, query.get("currency")], own]);
}

/** A figure with its label; below it a smaller one. An address links the figure to the rows that it sums. */
export type Figure = {
  label: string;
  value: Content;
  href?: string | undefined;
  below?: Content;
  belowHref?: string | undefined;
  /** Behind what is below. */
  change?: Content;
};

export function figureList(figures: readonly (Figure | false)[]): Html {
  const shown = figures.filter((figure) => figure !== false);
  return html`<dl class="figures">${shown.map(
    ({ label, value, href, below, belowHref, change }) =>
      html`<div><dt>${label}</dt><dd>${linked(value, href)}${below && html`<small>${linked(below, belowHref)}${change && html` ${change}`}</small>`}</dd></div>`,
  )}</dl>`;
}

export function linked(shown: Content, href: string | undefined): Content {
  return href === undefined ? shown : html`<a href="${href}">${shown}</a>`;
}

/** The list of some invoices; empty parameters are left out. */
export function ordersHref(parameters: Readonly<Record<string, string>>): string {
  const filters = Object.entries(parameters).filter(([, value]) => value !== "");
  return `/orders?${filters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}`;
}
