import { companyLabels } from "../companies/company-words.ts";
import { statusChoices, type Users } from "../companies/pages/choices.ts";
import { listWords } from "../companies/pages/company-list-words.ts";
import { companyStatus } from "../companies/pages/company-status.ts";
import type { RowByName } from "../platform/fields/reader.ts";
import { labelledSelect } from "../web/forms/select.ts";
import { html, type Content, type Html } from "../web/html.ts";
import { labelledCell } from "../web/labelled-cell.ts";
import { day, dayOf, moment, type Language } from "../web/language.ts";
import { marked } from "../web/mark.ts";
import type { PageRequest } from "../web/page.ts";
import { sortHead } from "../web/sort-head.ts";
import { parseListSort, type ListSort } from "./list-filters.ts";
import { narrowingWords } from "./narrowing-words.ts";

const COLUMNS = ["name", "tax_id", "city", "status", "assigned_to"] as const;

/** The companies of a page, and what can be done with those that are ticked. */
export function companiesTable(
  companies: readonly RowByName[],
  contacted: ReadonlyMap<string, string | null>,
  users: Users,
  request: PageRequest,
): Html {
  const { language, address, session } = request;
  const [words, labels] = [listWords[language], headLabels(language)];
  const dayIn = (label: string, at: string | null) =>
    labelledCell(label, at !== null && dayOf(language, at, session.workspace.timeZone), "date");
  return html`<form method="post" action="/companies/bulk" data-select>
<input type="hidden" name="to" value="${address}">
<table class="list companies" data-sort="${parseListSort(request.query)}"><thead><tr>
<th scope="col" class="check"><input type="checkbox" data-select-all hidden aria-label="${words.selectAll}"></th>
${COLUMNS.map((name) => sortable(name, request))}${(["callback_date", "last_contacted_at", "updated_at"] as const).map((name) => sortable(name, request))}</tr></thead>
<tbody>${companies.map(
    (company) => html`<tr>
<td class="check"><input type="checkbox" name="id" value="${company.id}" aria-label="${words.select(company.name ?? "")}"></td>
${cells(company, request)}
${labelledCell(
  labels.callback_date,
  company.callback_date !== null &&
    html`<time datetime="${company.callback_date}">${day(language, company.callback_date ?? "")}</time>`,
  "date",
)}
${dayIn(labels.last_contacted_at, contacted.get(company.id ?? "") ?? null)}
${dayIn(labels.updated_at, company.updated_at ?? null)}
</tr>`,
  )}</tbody></table>
<fieldset class="bulk"><legend class="hidden">${words.bulk}</legend>
<span>${words.selected} <span data-selected></span></span>
${labelledSelect(words.status, "status", null, [{ value: "", label: words.leave }, ...statusChoices(language)])}
${labelledSelect(words.owner, "assigned_to", null, [
  { value: "", label: words.leave },
  { value: "nobody", label: words.nobody },
  ...users.map(({ id, name }) => ({ value: id, label: name })),
])}
<button class="main">${words.change}</button>
<button formaction="/companies/export">${words.exportSelected}</button>
</fieldset>
</form>`;
}

/** The deleted companies, each with its way back. */
export function deletedTable(companies: readonly RowByName[], request: PageRequest): Html {
  const { language, session } = request;
  const words = listWords[language];
  return html`<table class="list"><thead><tr>${COLUMNS.map((name) => html`<th scope="col">${companyLabels[language][name]}</th>`)}
<th scope="col">${words.deletedAt}</th><th scope="col"><span class="hidden">${words.restore}</span></th></tr></thead>
<tbody>${companies.map(
    (company) => html`<tr>
${cells(company, request, false)}
${labelledCell(words.deletedAt, moment(language, company.deleted_at ?? "", session.workspace.timeZone), "date")}
<td class="action"><form method="post" action="/companies/${company.id}/restore"><button>${words.restore}<span class="hidden"> ${company.name}</span></button></form></td>
</tr>`,
  )}</tbody></table>`;
}

function headLabels(language: Language) {
  const { lastContact, changed } = narrowingWords[language];
  return { ...companyLabels[language], last_contacted_at: lastContact, updated_at: changed };
}

/** The orders that the heads go through, the first click's first. */
const headSorts: Partial<Record<string, readonly [ListSort, ListSort]>> = {
  name: ["name", "-name"],
  callback_date: ["callback_date", "-callback_date"],
  last_contacted_at: ["-last_contacted_at", "last_contacted_at"],
  updated_at: ["-updated_at", "updated_at"],
};

function sortable(name: keyof ReturnType<typeof headLabels>, { language, query }: PageRequest): Html {
  const label = headLabels(language)[name];
  const sorts = headSorts[name];
  return sorts === undefined
    ? html`<th scope="col">${label}</th>`
    : sortHead(label, sorts, parseListSort(query), query);
}

/** The columns that both lists have, at the same place. What was searched for is marked. */
function cells(company: RowByName, { query, language }: PageRequest, isLive = true): Html {
  const search = query.get("search") ?? null;
  const { id, name, tax_id, city, email, status, owner } = company;
  const shown: Content = marked(name ?? "", search);
  // An e-mail address has no column: it is shown where it is what was found.
  const found = marked(email ?? null, search);
  return html`<td class="name" title="${name}">${isLive ? html`<a href="/companies/${id}">${shown}</a>` : shown}${
    isMarked(found) && html` <span class="muted">${found}</span>`
  }</td>
<td class="code" title="${tax_id}">${marked(tax_id ?? null, search)}</td>
<td title="${city}">${marked(city ?? null, search)}</td>
<td>${companyStatus(status ?? "", language)}</td>
<td title="${owner}">${owner}</td>`;
}

function isMarked(content: Content): boolean {
  return typeof content === "object" && content !== null;
}
