import type { Page } from "../../page.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { parsePage } from "../../platform/http/pagination.ts";
import { html, type Html } from "../../web/html.ts";
import { icon } from "../../web/icon.ts";
import { day, wholeNumber, type Language } from "../../web/language.ts";
import { marked } from "../../web/mark.ts";
import { pageHref, pager } from "../../web/pager.ts";
import { listCompanies } from "../company-list-queries.ts";
import { parseFilters } from "../company-filters.ts";
import { companyRow } from "../company-row.ts";
import { companyStatus } from "../company-status.ts";
import { companyLabels, companyWords } from "../company-words.ts";

/** GET /companies: the list, narrowed while one types (docs/web.md 2). */
export const listCompaniesPage: Page = async ({ database, keyring }, { actor, query, language }) => {
  const { tenant } = actor;
  const words = companyWords[language];
  const page = parsePage(query);
  const filters = parseFilters(query);
  const { rows, total } =
    filters === null ? { rows: [], total: 0 } : await listCompanies(tenant, database, filters, page);
  const search = query.get("search") ?? null;
  const companies = rows.map((row) => companyRow(row, { keyring, tenant }));
  const main = html`<header class="heading">
<h1>${words.title} <span class="count" id="total">${wholeNumber(language, total)}</span></h1>
<form class="search" role="search" action="/companies" data-live="companies total">
<label class="hidden" for="search">${words.search}</label>${icon("search")}
<input id="search" name="search" type="search" value="${search}" placeholder="${words.searchHint}" autocomplete="off" maxlength="255">
<button class="hidden">${words.search}</button>
</form>
<a class="button main" href="/companies/new" aria-keyshortcuts="n">${icon("add")}${words.new}</a>
</header>
<div id="companies">
${companies.length === 0 ? empty(search, language) : table(companies, search, language)}
${pager(page, { count: rows.length, total }, pageHref(query), language)}
</div>`;
  return { title: words.title, area: "companies", main };
};

function table(companies: RowByName[], search: string | null, language: Language): Html {
  const labels = companyLabels[language];
  const head = ["name", "tax_id", "city", "status", "callback_date"].map(
    (name) => html`<th scope="col">${labels[name]}</th>`,
  );
  return html`<table class="list"><thead><tr>${head}</tr></thead>
<tbody>${companies.map((company) => tableRow(company, search, language))}</tbody></table>`;
}

function tableRow(company: RowByName, search: string | null, language: Language): Html {
  const callback = company.callback_date ?? null;
  return html`<tr>
<td class="name"><a href="/companies/${company.id}" title="${company.name}">${marked(company.name ?? "", search)}</a></td>
<td class="code">${marked(company.tax_id ?? null, search)}</td>
<td>${marked(company.city ?? null, search)}</td>
<td>${companyStatus(company.status ?? "", language)}</td>
<td class="date">${callback !== null && html`<time datetime="${callback}">${day(language, callback)}</time>`}</td>
</tr>`;
}

function empty(search: string | null, language: Language): Html {
  const words = companyWords[language];
  return html`<p class="empty">${search === null ? words.empty : words.nothing(search)}</p>`;
}
