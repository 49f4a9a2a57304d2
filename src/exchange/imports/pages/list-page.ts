import { shortList } from "../../../kit/tables/short-list.ts";
import { emptyState } from "../../../kit/web/empty-state.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { moment, wholeNumber, type Language } from "../../../kit/web/language.ts";
import type { Page } from "../../../kit/web/page.ts";
import { workbookHref } from "../../../kit/web/workbook-href.ts";
import { parsePage } from "../../../platform/http/lists/pagination.ts";
import { listImports, type Import } from "../import-queries.ts";
import { kindNames } from "../kinds.ts";
import { importState } from "./import-of.ts";
import { importWords } from "./import-words.ts";
import { kindTitles } from "./kind-words.ts";

/** GET /imports: imports, newest first, and the kinds that can be exported. */
export const listImportsPage: Page = async ({ database }, request) => {
  const { actor, session, query, language } = request;
  const words = importWords[language];
  const page = parsePage(query);
  const { rows, total } = await listImports(actor.tenant, database, page);
  const { timeZone } = session.workspace;
  const add = { href: "/imports/new", label: words.new };
  return shortList<Import>(request, {
    area: "imports",
    title: words.title,
    add,
    about: html`<p>${words.about}</p>`,
    rows,
    paged: { total, page },
    columns: [
      ["name", words.file, ({ fileName }) => fileName, { href: ({ id }) => `/imports/${id}` }],
      ["text", words.kind, ({ kind }) => kindTitles[language][kind]],
      ["text", words.state, (each) => importState(each, language)],
      ["wide", words.result, (each) => result(each, language)],
      ["text", words.who, ({ createdBy }) => createdBy],
      ["date", words.when, ({ createdAt }) => moment(language, createdAt, timeZone)],
    ],
    empty: emptyState("imports", words.empty, [add]),
    below:
      session.user.mayExport &&
      html`<section class="section"><header><h2>${words.export}</h2></header>
<p>${words.exportAbout}</p>
<dl class="facts">${kindNames.map((kind) => exportLinks(`/export/${kind}.csv`, kindTitles[language][kind] ?? kind))}</dl></section>`,
  });
};

function exportLinks(href: string, label: string): Html {
  const link = (to: string, format: string) =>
    html`<a class="button" href="${to}" download><span class="hidden">${label} </span>${format}</a>`;
  return html`<dt>${label}</dt><dd><span class="actions">${link(href, "CSV")}${link(workbookHref(href), "XLSX")}</span></dd>`;
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
