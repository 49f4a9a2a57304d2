import { statusChoices, userChoices, type Users } from "../companies/pages/choices.ts";
import { listWords } from "../companies/pages/company-list-words.ts";
import type { Query } from "../platform/http/lists/pagination.ts";
import { searchField } from "../web/forms/search-field.ts";
import { choicesAmong, labelledSelect, type Choice } from "../web/forms/select.ts";
import { html, type Html } from "../web/html.ts";
import type { Language } from "../web/language.ts";
import type { PageRequest } from "../web/page.ts";
import { callBacks, filterNames, listSorts, orderFilters, parseListSort, type FilterName } from "./list-filters.ts";
import { narrowingWords } from "./narrowing-words.ts";

/** The search, the filters and the order of the list. With JavaScript the list follows them; without, a button does it. */
export function filterForm(users: Users, { query, language }: PageRequest, isDeleted: boolean): Html {
  const words = listWords[language];
  const [perPage, owner] = [query.get("per_page"), query.get("assigned_to") ?? ""];
  return html`<form class="filters" role="search" action="/companies" data-live="companies total${!isDeleted && " narrowed views"}">
${perPage !== undefined && html`<input type="hidden" name="per_page" value="${perPage}">`}${isDeleted && html`<input type="hidden" name="deleted" value="1">`}
<div class="search">${searchField(words.search, query.get("search"), words.searchHint)}</div>
${labelledSelect(words.status, "status", query.get("status") ?? "", [{ value: "", label: words.any }, ...statusChoices(language)])}
${labelledSelect(words.owner, "assigned_to", owner, userChoices(users, owner, words.anybody))}
${!isDeleted && moreFilters(query, language)}
<noscript><button>${words.apply}</button></noscript>
</form>`;
}

/** The filters that are seldom chosen, and the order, which the heads of a wide page give too. */
function moreFilters(query: Query, language: Language): Html {
  const [words, any] = [narrowingWords[language], { value: "", label: listWords[language].any }];
  // The order that the list has without being asked is left out of the address.
  const [first, ...sorts] = choicesAmong(words.sorts, listSorts);
  const sort = parseListSort(query);
  return html`<details class="menu"><summary class="button">${words.filters}</summary><div class="more">
<label>${words.city} <input name="city" value="${query.get("city")}" autocomplete="off" maxlength="255"></label>
${labelledSelect(words.callback, "callback", query.get("callback") ?? "", [any, ...choicesAmong(words.callbacks, callBacks)])}
${labelledSelect(words.orders, "orders", query.get("orders") ?? "", [any, ...choicesAmong(words.states, orderFilters)])}
${labelledSelect(listWords[language].sort, "sort", sort === listSorts[0] ? "" : sort, [{ value: "", label: first?.label ?? "" }, ...sorts])}
</div></details>`;
}

/** Whether a filter leaves something out, beside the search. */
export function isNarrowed(query: Query): boolean {
  return filterNames.some((name) => name !== "search" && query.get(name) !== undefined);
}

/** The address of the file with all that the list shows, on whatever page. */
export function exportHref(query: Query): string {
  const filters = query.othersThan("page", "per_page", "sort");
  return `/companies/export${filters === "" ? "" : `?${filters}`}`;
}

/** A filter's value as it is called: `Active`, `Ana Pop`. */
export function filterValue(name: FilterName, value: string, users: Users, language: Language): string {
  const words = narrowingWords[language];
  const choices: Partial<Record<FilterName, readonly Choice[]>> = {
    status: statusChoices(language),
    assigned_to: userChoices(users, value, ""),
    callback: choicesAmong(words.callbacks),
    orders: choicesAmong(words.states),
  };
  return choices[name]?.find((choice) => choice.value === value)?.label ?? value;
}
