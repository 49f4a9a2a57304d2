import { readDeletedCompanies } from "../companies/company-list-queries.ts";
import { companyRow } from "../companies/company-row.ts";
import { listWords } from "../companies/pages/company-list-words.ts";
import type { Deps } from "../deps.ts";
import { dayAfter } from "../platform/dates.ts";
import { parsePage } from "../platform/http/lists/pagination.ts";
import { usersToChoose } from "../users/user-queries.ts";
import { html, type Html } from "../web/html.ts";
import { icon } from "../web/icon.ts";
import { wholeNumber } from "../web/language.ts";
import type { Page, PageRequest } from "../web/page.ts";
import { pageHref, pager } from "../web/pager.ts";
import { exportHref, filterForm, isNarrowed } from "./filter-form.ts";
import { parseListFilters, parseListSort } from "./list-filters.ts";
import { companiesTable, deletedTable } from "./list-table.ts";
import { lastContacted } from "./looked-through-queries.ts";
import { narrowingWords } from "./narrowing-words.ts";
import { narrowing } from "./narrowing.ts";
import { MOST_COMPANIES_LISTED, readList, type ListedCompanies } from "./read-list.ts";

/** GET /companies: the list, narrowed while one types or chooses, or what was deleted of it (docs/web.md 2). */
export const listCompaniesPage: Page = async (deps, request) => {
  const { actor, query, language } = request;
  const words = listWords[language];
  const page = parsePage(query);
  const isDeleted = query.get("deleted") === "1";
  const [{ rows, total, isCut }, users] = await Promise.all([
    listed(deps, request, isDeleted),
    usersToChoose(actor.tenant, deps.database),
  ]);
  const companies = rows.map((row) => companyRow(row, { keyring: deps.keyring, tenant: actor.tenant }));
  const ids = companies.map(({ id }) => String(id));
  const table = isDeleted
    ? deletedTable(companies, request)
    : companiesTable(companies, await lastContacted(actor.tenant, deps.database, ids), users, request);
  const main = html`<header class="heading">
<h1>${isDeleted ? words.deletedTitle : words.title} <span class="count" id="total">${wholeNumber(language, total)}${isCut && "+"}</span></h1>
${
  isDeleted
    ? html`<a class="button" href="/companies">${words.toLive}</a>`
    : html`<a class="button main" href="/companies/new" aria-keyshortcuts="n">${icon("add")}${words.new}</a>`
}
</header>
${filterForm(users, request, isDeleted)}
${!isDeleted && narrowing(users, request)}
<div id="companies">
${companies.length === 0 ? empty(request, isDeleted) : table}
${pager(page, { count: rows.length, total }, pageHref(query), language)}
${isCut && html`<p class="muted">${narrowingWords[language].more(wholeNumber(language, MOST_COMPANIES_LISTED))}</p>`}
${
  !isDeleted &&
  html`<p class="foot">${total > 0 && html`<a href="${exportHref(query)}" download>${words.exportAll}</a>`}
<a href="/companies?deleted=1">${words.toDeleted}</a></p>`
}
</div>`;
  return { title: isDeleted ? words.deletedTitle : words.title, area: "companies", main };
};

async function listed(
  { database }: Deps,
  { actor, query, session }: PageRequest,
  isDeleted: boolean,
): Promise<ListedCompanies> {
  const { tenant } = actor;
  const filters = parseListFilters(query, dayAfter(0, session.workspace.timeZone));
  if (filters === null) return { rows: [], total: 0, isCut: false };
  const page = parsePage(query);
  if (isDeleted) return { ...(await readDeletedCompanies(tenant, database, filters, page)), isCut: false };
  return await readList(tenant, database, filters, parseListSort(query), page);
}

/** Why there is nothing, and what to do next. */
function empty({ query, language }: PageRequest, isDeleted: boolean): Html {
  const words = listWords[language];
  const search = query.get("search") ?? null;
  if (isDeleted) return html`<p class="empty">${search === null ? words.nothingDeleted : words.nothing(search)}</p>`;
  if (search !== null) {
    const create = `/companies/new?name=${encodeURIComponent(search)}`;
    return html`<div class="empty"><p>${words.nothing(search)}</p>
<p><a class="button" href="${create}">${words.createNamed(search)}</a>
${isNarrowed(query) && html`<a class="button" href="/companies?search=${encodeURIComponent(search)}">${words.withoutFilters}</a>`}</p></div>`;
  }
  if (isNarrowed(query)) {
    return html`<div class="empty"><p>${words.noneOfThese}</p>
<p><a class="button" href="/companies">${words.withoutFilters}</a></p></div>`;
  }
  return html`<div class="empty"><p>${words.empty}</p>
<p><a class="button main" href="/companies/new">${words.createFirst}</a> <a class="button" href="/imports">${words.importThem}</a></p></div>`;
}
