import type { Query } from "../../platform/http/pagination.ts";
import type { Choice } from "../../web/forms/field.ts";
import { html, type Html } from "../../web/html.ts";
import { icon } from "../../web/icon.ts";
import type { PageRequest } from "../../web/page.ts";
import { parseSort } from "../company-filters.ts";
import { listWords } from "../company-list-words.ts";
import { sorts } from "../company-sorted-queries.ts";
import { statusChoices, userChoices, type Users } from "./choices.ts";

/** The search, the filters and the order of the list. With JavaScript the list follows them; without, a button does it. */
export function filterForm(users: Users, { query, language }: PageRequest, isDeleted: boolean): Html {
  const words = listWords[language];
  const search = query.get("search") ?? null;
  const owner = query.get("assigned_to") ?? "";
  const kept = ["per_page"].flatMap((name) => {
    const value = query.get(name);
    return value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}">`];
  });
  return html`<form class="filters" role="search" action="/companies" data-live="companies total">
${kept}${isDeleted && html`<input type="hidden" name="deleted" value="1">`}
<div class="search"><label class="hidden" for="search">${words.search}</label>${icon("search")}
<input id="search" name="search" type="search" value="${search}" placeholder="${words.searchHint}" autocomplete="off" maxlength="255"></div>
${select("status", words.status, query.get("status") ?? "", [{ value: "", label: words.any }, ...statusChoices(language)])}
${select("assigned_to", words.owner, owner, userChoices(users, owner, words.anybody))}
${!isDeleted && select("sort", words.sort, sortValue(query), sortChoices(words.sorts))}
<noscript><button>${words.apply}</button></noscript>
</form>`;
}

/** Whether a filter leaves something out, beside the search. */
export function isNarrowed(query: Query): boolean {
  return query.get("status") !== undefined || query.get("assigned_to") !== undefined;
}

/** The address of the file with all that the list shows, on whatever page. */
export function exportHref(query: Query): string {
  const filters = new URLSearchParams();
  for (const name of ["search", "status", "assigned_to"]) {
    const value = query.get(name);
    if (value !== undefined) filters.set(name, value);
  }
  return `/companies/export${filters.size === 0 ? "" : `?${filters.toString()}`}`;
}

function select(name: string, label: string, value: string, choices: readonly Choice[]): Html {
  return html`<label>${label} <select name="${name}">${choices.map(
    (choice) =>
      html`<option value="${choice.value}"${choice.value === value && html` selected`}>${choice.label}</option>`,
  )}</select></label>`;
}

/** The order that the list has without being asked is left out of the address. */
function sortValue(query: Query): string {
  const sort = parseSort(query);
  return sort === sorts[0] ? "" : sort;
}

function sortChoices(labels: Readonly<Record<(typeof sorts)[number], string>>): Choice[] {
  return sorts.map((sort, index) => ({ value: index === 0 ? "" : sort, label: labels[sort] }));
}
