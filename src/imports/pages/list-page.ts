import { parsePage } from "../../platform/http/lists/pagination.ts";
import { emptyState } from "../../web/empty-state.ts";
import { html, type Html } from "../../web/html.ts";
import { icon } from "../../web/icon.ts";
import { moment, wholeNumber, type Language } from "../../web/language.ts";
import type { Page } from "../../web/page.ts";
import { pageHref, pager } from "../../web/pager.ts";
import { listImports, type Import } from "../import-queries.ts";
import { kindNames } from "../kinds.ts";
import { importState } from "./import-of.ts";
import { importWords } from "./import-words.ts";
import { kindTitles } from "./kind-words.ts";

/** GET /imports: imports, newest first, and the kinds that can be exported. */
export const listImportsPage: Page = async ({ database }, { actor, session, query, language }) => {
  const words = importWords[language];
  const page = parsePage(query);
  const { imports, total } = await listImports(actor.tenant, database, page);
  const main = html`<header class="heading">
<h1>${words.title}</h1>
<a class="button main" href="/imports/new" aria-keyshortcuts="n">${icon("add")}${words.new}</a>
</header>
<p>${words.about}</p>
${imports.length === 0 ? emptyState("imports", words.empty, [{ href: "/imports/new", label: words.new }]) : table(imports, language, session.workspace.timeZone)}
${pager(page, { count: imports.length, total }, pageHref(query), language)}
<section class="section"><header><h2>${words.export}</h2></header>
<p>${words.exportAbout}</p>
<ul class="actions">${kindNames.map(
    (kind) => html`<li><a class="button" href="/export/${kind}.csv" download>${kindTitles[language][kind]}</a></li>`,
  )}</ul></section>`;
  return { title: words.title, area: "imports", main };
};

function table(imports: readonly Import[], language: Language, timeZone: string): Html {
  const words = importWords[language];
  const head = [words.file, words.kind, words.state, words.result, words.who, words.when];
  return html`<table class="list"><thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${imports.map(
    (each) => html`<tr>
<td class="name"><a href="/imports/${each.id}" title="${each.fileName}">${each.fileName}</a></td>
<td>${kindTitles[language][each.kind]}</td>
<td>${importState(each, language)}</td>
<td>${result(each, language)}</td>
<td>${each.createdBy}</td>
<td class="date">${moment(language, each.createdAt, timeZone)}</td>
</tr>`,
  )}</tbody></table>`;
}

/** The counts that are not zero. */
function result({ created, updated, unchanged, rejected, startedAt }: Import, language: Language): string {
  if (startedAt === null) return "";
  const words = importWords[language];
  const counts: [string, number][] = [
    [words.created, created],
    [words.changed, updated - unchanged],
    [words.rejected, rejected],
  ];
  return counts
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `${word}: ${wholeNumber(language, count)}`)
    .join(" · ");
}
