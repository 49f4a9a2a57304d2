import type { RowByName } from "../../platform/fields/reader.ts";
import { copyButton } from "../../web/copy-button.ts";
import { fieldValue, isPhone } from "../../web/field-value.ts";
import { html, type Html } from "../../web/html.ts";
import { icon } from "../../web/icon.ts";
import type { Language } from "../../web/language.ts";
import type { Page, PageRequest } from "../../web/page.ts";
import { shellWords } from "../../web/shell-words.ts";
import { childOf, type ChildNoun } from "./noun.ts";

/** GET /contacts/{id} and others */
export function showChildPage(noun: ChildNoun): Page {
  const find = childOf(noun);
  return async (deps, request) => {
    const { language } = request;
    const { row, id, companyId, companyName } = await find(deps, request);
    const title = noun.title(row);
    const sections = await noun.sections?.(deps, request, row);
    const main = html`<a class="back" href="/companies/${companyId}">${icon("back")}${companyName}</a>
<header class="heading">
<h1>${title}</h1>
<a class="button" href="/${noun.child.table}/${id}/edit" aria-keyshortcuts="e">${shellWords[language].edit}</a>
${menu(noun, id, request)}
</header>
<div class="record-page">
${sections !== undefined && html`<div>${sections}</div>`}
<dl class="facts">${facts(noun, row, language)}</dl>
</div>`;
    return { title, area: "companies", main };
  };
}

/** The fields to show; empty ones and those with a "no" are left out. */
function facts({ child, labels, values }: ChildNoun, row: RowByName, language: Language): Html[] {
  return child.fields
    .filter(({ name, kind }) => (row[name] ?? null) !== null && !(kind === "boolean" && row[name] === "false"))
    .map(
      (field) => html`<dt>${labels[language][field.name]}</dt>
<dd>${fieldValue(field, row[field.name] ?? null, language, values)}${
        (field.kind === "email" || isPhone(field.name)) && copyButton(String(labels[language][field.name]), language)
      }</dd>`,
    );
}

function menu({ child, words, menu: others }: ChildNoun, id: string, request: PageRequest): Html {
  const { language } = request;
  const { deleting, delete: label } = words[language];
  return html`<details class="menu"><summary class="button" aria-label="${shellWords[language].more}">${icon("more")}</summary>
<div><p>${deleting}</p>
<form method="post" action="/${child.table}/${id}/delete"><button class="danger">${label}</button></form>${others?.(id, request)}</div></details>`;
}
