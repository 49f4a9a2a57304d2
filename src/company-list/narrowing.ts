import type { Users } from "../companies/pages/choices.ts";
import { listWords } from "../companies/pages/company-list-words.ts";
import { html, type Html } from "../web/html.ts";
import { icon } from "../web/icon.ts";
import type { PageRequest } from "../web/page.ts";
import { filterValue, isNarrowed } from "./filter-form.ts";
import { filterNames, filtersText } from "./list-filters.ts";
import { narrowingWords } from "./narrowing-words.ts";
import { savingForm } from "./view-pages.ts";
import { viewWords } from "./view-words.ts";

/** The filters that are in force, each to be taken off by itself, and the way to keep the list under a name. */
export function narrowing(users: Users, { query, language }: PageRequest): Html {
  const words = narrowingWords[language];
  const filters = filtersText(query);
  if (filters === "") return html`<div id="narrowed"></div>`;
  const labels = { ...words, status: listWords[language].status, assigned_to: listWords[language].owner };
  const chips = filterNames.flatMap((name) => {
    const value = query.get(name);
    if (value === undefined) return [];
    const others = query.othersThan("page", name);
    return [
      html`<li><a class="chip" href="/companies${others !== "" && `?${others}`}"><span class="hidden">${words.remove} </span>${labels[name]}: ${filterValue(name, value, users, language)}${icon("close")}</a></li>`,
    ];
  });
  return html`<div id="narrowed" class="narrowed">
${chips.length > 0 && html`<ul class="chips" aria-label="${words.narrowed}">${chips}</ul>`}
${isNarrowed(query) && html`<a href="/companies">${listWords[language].withoutFilters}</a>`}
<details class="menu save"><summary class="button quiet">${viewWords[language].save}</summary>
<form method="post" action="/companies/views">${savingForm(filters, {}, null, language)}
<p class="actions"><button class="main">${viewWords[language].save}</button></p></form></details>
</div>`;
}
