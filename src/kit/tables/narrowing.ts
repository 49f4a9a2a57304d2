import { searchField } from "../web/forms/search-field.ts";
import { labelledSelect } from "../web/forms/select.ts";
import { html, type Html } from "../web/html.ts";
import { icon } from "../web/icon.ts";
import type { PageRequest } from "../web/page.ts";
import { filtersText, isChip, isNarrowed, sortIn, type AnyList, type Choices, type Filter } from "./list.ts";
import { tableWords } from "./table-words.ts";
import { savingForm } from "./view-pages.ts";
import { viewWords } from "./view-words.ts";

/** The search, the filters and the order of a list. Without JavaScript a button applies them. */
export function filterForm(list: AnyList, choices: Choices, request: PageRequest): Html {
  const { query, language } = request;
  const words = tableWords[language];
  const { search, sorts: sortLabels } = list.words[language];
  const { name, fixed = {}, sorts } = list;
  const filters = list.filters.filter((filter) => filter.isOfAddress !== true || query.get(filter.name) !== undefined);
  const hidden = { ...fixed, ...(query.get("per_page") !== undefined && { per_page: query.get("per_page") }) };
  const field = (filter: Filter) => filterField(list, filter, choices, request);
  const sort = sortIn(list, query);
  // The first order has no parameter.
  const orders = sorts.map((each, index) => ({ value: index === 0 ? "" : each, label: sortLabels[each] ?? each }));
  const sortField = sorts.length > 1 && labelledSelect(words.sort, "sort", sort === sorts[0] ? "" : sort, orders);
  const seldom = filters.filter(({ isSeldom }) => isSeldom);
  return html`<form class="filters" role="search" action="/${name}" data-live="${liveParts(list)}">
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<div class="search">${searchField(words.search, query.get("search"), search)}</div>
${filters.filter(({ isSeldom }) => !isSeldom).map(field)}
${
  (seldom.length > 0 || sortField !== false) &&
  html`<details class="menu${seldom.length === 0 && " sorting"}"><summary class="button">${seldom.length > 0 ? words.filters : words.sort}<span id="active-filters">${activeCount(list, query)}</span></summary><div class="more">
${seldom.map(field)}${sortField}
</div></details>`
}
<noscript><button>${words.apply}</button></noscript>
</form>`;
}

/** The input of a filter: a select if it has choices. */
export function filterField(list: AnyList, { name }: Filter, choices: Choices, request: PageRequest): Html {
  const { query, language } = request;
  const { labels } = list.words[language];
  const value = query.get(name) ?? "";
  const offered = choices[name];
  if (offered === undefined) {
    return html`<label>${labels[name]} <input name="${name}" value="${value}" autocomplete="off" maxlength="255"></label>`;
  }
  const hasOwn = offered.some((choice) => choice.value === "");
  const any = hasOwn ? [] : [{ value: "", label: tableWords[language].any }];
  return labelledSelect(labels[name] ?? name, name, value, [...any, ...offered]);
}

/** The number of active filters, as " (2)"; nothing for none. The search has a field of its own. */
function activeCount(list: AnyList, query: PageRequest["query"]): string {
  const count = list.filters.filter((filter) => isChip(filter, query)).length;
  return count === 0 ? "" : `\u00a0(${count})`;
}

/** The elements that follow the filters. */
function liveParts({ name, fixed, file }: AnyList): string {
  return [
    name,
    "total",
    "active-filters",
    ...(fixed === undefined ? ["narrowed", "views"] : []),
    ...(file === undefined ? [] : ["columns"]),
  ].join(" ");
}

/** The active filters, each with a link that removes it, and the form that saves the list as a view. */
export function activeFilters(list: AnyList, choices: Choices, { query, language }: PageRequest): Html {
  const words = tableWords[language];
  const { labels } = list.words[language];
  const valueOf = (name: string, value: string) =>
    choices[name]?.find((choice) => choice.value === value)?.label ?? value;
  const chips = [{ name: "search" }, ...list.filters].flatMap((filter) => {
    const { name } = filter;
    const value = query.get(name);
    if (value === undefined || !isChip(filter, query)) return [];
    const others = query.othersThan("page", name);
    const label = name === "search" ? words.search : labels[name];
    return [
      html`<li><a class="chip" href="/${list.name}${others !== "" && `?${others}`}"><span class="hidden">${words.remove} </span>${label}: ${valueOf(name, value)}${icon("close")}</a></li>`,
    ];
  });
  if (chips.length === 0 && sortIn(list, query) === list.sorts[0]) return html`<div id="narrowed"></div>`;
  return html`<div id="narrowed" class="narrowed">
${chips.length > 0 && html`<ul class="chips" aria-label="${words.narrowed}">${chips}</ul>`}
${isNarrowed(list, query) && html`<a href="/${list.name}">${words.clear}</a>`}
<details class="menu save"><summary class="button quiet">${viewWords[language].save}</summary>
<form method="post" action="/${list.name}/views">${savingForm(filtersText(list, query), {}, null, language)}
<p class="actions"><button class="main">${viewWords[language].save}</button></p></form></details>
</div>`;
}
