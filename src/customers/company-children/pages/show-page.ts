import { copyButton } from "../../../kit/web/copy-button.ts";
import { fieldValue, isPhone } from "../../../kit/web/field-value.ts";
import { recordBar } from "../../../kit/web/frame/record-bar.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { icon } from "../../../kit/web/icon.ts";
import type { Language } from "../../../kit/web/language.ts";
import type { Page, PageRequest } from "../../../kit/web/page.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import type { RowByName } from "../../../platform/fields/reader.ts";
import { customFacts } from "../../custom-fields/custom-inputs.ts";
import { childOf, type ChildNoun } from "./noun.ts";

/** GET /contacts/{id} and others. */
export function showChildPage(noun: ChildNoun): Page {
  const find = childOf(noun);
  return async (deps, request) => {
    const { language } = request;
    const { row, custom, id, companyId, companyName } = await find(deps, request);
    const title = noun.title(row);
    const sections = await noun.sections?.(deps, request, row);
    const person = noun.person?.(row, { id: companyId, name: companyName }) ?? null;
    const edit = `/${noun.child.table}/${id}/edit`;
    const entries = menu(noun, id, request);
    const main = html`<a class="back" href="/companies/${companyId}">${icon("back")}${companyName}</a>
<header class="heading">
<h1>${title}</h1>
${
  person === null
    ? html`<a class="button" href="${edit}" aria-keyshortcuts="e">${shellWords[language].edit}</a>
<details class="menu"><summary class="button" aria-label="${shellWords[language].more}">${icon("more")}</summary>
<div>${entries}</div></details>`
    : recordBar({ ...person, log: "#note", edit, menu: entries, isCalledFromAll: true }, language)
}
</header>
${person?.line}
${await noun.above?.(deps, request, id)}
<div class="record-page">
${sections !== undefined && html`<div>${sections}</div>`}
${sections !== undefined && html`<label class="button folding"><input type="checkbox">${shellWords[language].details}</label>`}<dl class="facts" id="facts">${facts(noun, row, language, person?.shown)}${customFacts(custom, row, language)}</dl>
</div>`;
    return { title, area: "companies", main, ...(person !== null && { look: "record" }) };
  };
}

/** The fields to show; empty ones and those with a "no" are left out. */
function facts(
  { child, labels, values }: ChildNoun,
  row: RowByName,
  language: Language,
  shown: ReadonlySet<string> = new Set(),
): Html[] {
  return child.fields
    .filter(({ name }) => !shown.has(name))
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
  return html`<form method="post" action="/${child.table}/${id}/delete"><button class="danger">${label}</button></form><p class="hint">${deleting}</p>${others?.(id, request)}`;
}
