import type { Deps } from "../../../kit/deps.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { wholeNumber, type Language } from "../../../kit/web/language.ts";
import type { Page, PageRequest } from "../../../kit/web/page.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import { cancelImport, retryImport, startUndo, type Import, type ImportStep } from "../import-queries.ts";
import { kindOf } from "../kinds.ts";
import { MOST_COUNTED, undoQueries } from "../undoing/undo-queries.ts";
import { importWordsOf } from "./change-words.ts";
import { countedRows, importOf, isUndoable } from "./import-of.ts";
import { importWords } from "./import-words.ts";
import { resourceLink } from "./resource-link.ts";

/** Unchanged rows that are listed by name. */
const SHOWN = 50;

/** The action of a button. A second press shows the progress. */
function stepPage(step: ImportStep): Page {
  return async (deps, request) => {
    const { id } = await importOf(deps, request);
    await step(request.actor.tenant, deps.database, id, request.session.user.id);
    return { to: `/imports/${id}` };
  };
}

/** POST /imports/{id}/retry: retries a failed import. */
export const retryImportPage = stepPage(retryImport);

/** POST /imports/{id}/cancel */
export const cancelImportPage = stepPage(cancelImport);

/** GET /imports/{id}/undo: lists the effects and asks for confirmation. */
export const askToUndoPage: Page = async (deps, request) => {
  const { actor, language } = request;
  const found = await importOf(deps, request);
  if (!isUndoable(found)) return { to: `/imports/${found.id}` };
  const words = importWordsOf(found, language);
  const [own, persons] = await Promise.all(
    tablesOf(found).map(
      async (table) => await undoQueries(table).countConsequences(actor.tenant, deps.database, found.id),
    ),
  );
  const { deleted = 0, restored = 0 } = own ?? {};
  const kept = (own?.kept ?? 0) + (persons?.kept ?? 0);
  const parts = [
    deleted > 0 && words.deletes(countedRows(language, found.kind, deleted)),
    persons !== undefined && persons.deleted > 0 && words.deletes(countedRows(language, "contacts", persons.deleted)),
    restored > 0 &&
      words.restores(restored > 0 && deleted > 0 ? wholeNumber(language, restored) : rows(found, restored, language)),
  ].filter((part) => part !== false);
  const counted = [own, persons].some((of) => of !== undefined && of.deleted + of.restored + of.kept >= MOST_COUNTED);
  const fields = found.reading.made.flatMap(({ id, label }) => (id === null ? [] : [label]));
  const main = html`<header class="heading"><h1>${words.undoTitle}</h1></header>
<p><strong>${parts.length === 0 ? words.undoNothing : words.undoText(parts.join(words.and))}</strong></p>
${counted && html`<p>${words.undoCounted(MOST_COUNTED)}</p>`}
${parts.length > 0 && fields.length > 0 && html`<p>${words.undoArchives(fields)}</p>`}
${kept > 0 && html`<p>${words.undoUnchanged(kept)}</p>${await leftRows(deps, request, found)}`}
<form method="post" action="/imports/${found.id}/undo">
<p class="actions">${parts.length > 0 && html`<button class="danger">${words.undo}</button>`}<a class="button" href="/imports/${found.id}">${shellWords[language].cancel}</a></p>
</form>`;
  return { title: words.undoTitle, area: "imports", main };
};

/** POST /imports/{id}/undo */
export const undoImportPage = stepPage(startUndo);

/** The rows that an undo leaves unchanged, each with the reason. */
export async function leftRows({ database }: Deps, { actor, language }: PageRequest, found: Import): Promise<Html> {
  const words = importWords[language];
  const listed = await Promise.all(
    tablesOf(found).map(
      async (table) => await undoQueries(table).listUnchanged(actor.tenant, database, found.id, SHOWN + 1),
    ),
  );
  const kept = listed.flatMap((rows, index) => {
    const table = index === 0 ? kindOf(found.kind).bulk.table : "contacts";
    return rows.slice(0, SHOWN).map((row) => Object.assign(row, { table }));
  });
  return html`<section class="section"><header><h2>${words.unchangedTitle}</h2></header>
<ul class="blockers">${kept.map((each) => html`<li>${each.reason === "gone" ? (each.title ?? words.nameless(each.resourceId)) : resourceLink(each.table, each.resourceId, each.title, language)}: ${words.reasons[each.reason]}</li>`)}</ul>
${listed.some((rows) => rows.length > SHOWN) && html`<p class="hint">${words.unchangedMore(wholeNumber(language, SHOWN))}</p>`}</section>`;
}

/** The tables that may have rows that an import wrote (undo-queries.ts). */
function tablesOf({ kind }: Import): string[] {
  const { table } = kindOf(kind).bulk;
  return table === "companies" ? [table, "persons"] : [table];
}

function rows({ kind }: Import, count: number, language: Language): string {
  return countedRows(language, kind === "invoice_lines" ? "invoices" : kind, count);
}
