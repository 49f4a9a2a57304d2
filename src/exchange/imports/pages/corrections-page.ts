import type { Deps } from "../../../kit/deps.ts";
import { inInput } from "../../../kit/web/forms/field.ts";
import type { Form } from "../../../kit/web/forms/form.ts";
import { html } from "../../../kit/web/html.ts";
import type { Page, PageAnswer, PageRequest } from "../../../kit/web/page.ts";
import type { Call } from "../../../platform/postgres/statement.ts";
import { areStorable } from "../checking/skipped-rows.ts";
import { readCells, storingJson, type CellsByLine } from "../import-file-queries.ts";
import { rereadImport, startImport, type Import } from "../import-queries.ts";
import { rememberMapping } from "../mapping-queries.ts";
import { lookInto, namesIn } from "../store-upload.ts";
import { chosenInstead } from "./alike-rows.ts";
import { decidedIn, decidesOtherwise, isUnanswered } from "./decisions.ts";
import { backToImport, importOf, SEEN_VERSION } from "./import-of.ts";
import { importWords } from "./import-words.ts";
import { findingsOf } from "./outcome-tabs.ts";
import { isOpen } from "./reading-page.ts";
import { skippedCells } from "./skipped-rows.ts";

/** POST /imports/{id}/corrections: stores decisions, corrects cells of skipped rows, and checks again. */
export const correctImportPage: Page = async (deps, request) => {
  const found = await importOf(deps, request);
  return await withCorrections(deps, request, found, true);
};

/** POST /imports/{id}/start: starts a checked import. Decisions that are not applied yet are applied and checked first. */
export const startImportPage: Page = async (deps, request) => {
  const found = await importOf(deps, request);
  return await withCorrections(deps, request, found, false);
};

/** @param isAsked whether the file is checked again also if nothing is new */
async function withCorrections(deps: Deps, request: PageRequest, found: Import, isAsked: boolean): Promise<PageAnswer> {
  const { actor, form, language, session } = request;
  const { tenant } = actor;
  const to = `/imports/${found.id}`;
  const isChecked = isOpen(found) && found.state === "checked";
  if (isChecked && (form.get(SEEN_VERSION) ?? found.version) !== found.version) return backToImport(found, false);
  const decided = decidedIn(form, found);
  const skipped = await skippedCells(deps, tenant, found.id);
  const before = await readCells(tenant, deps, found.id, "corrected");
  const width = namesIn((await lookInto(deps, tenant, found.id, found.reading))?.rows[0]).length;
  const corrected = correctedCells(form, skipped, before, width);
  const instead = await chosenInstead(deps, request, found, form);
  const isOther = instead !== null || Object.keys(corrected).length > 0 || decidesOtherwise(decided, found);
  // A form that was posted twice is stored; that of a person whose colleague has the file checked is lost.
  if (!isChecked) return backToImport(found, !isOther);
  if (!isAsked && !isOther) {
    if (isUnanswered(found, await findingsOf(deps, request, found))) return { to: `${to}#words` };
    const isStarted = await startImport(tenant, deps.database, found, session.user.id);
    // The button was pressed twice.
    return backToImport(found, isStarted || (await importOf(deps, request)).startedAt !== null);
  }
  const changes: Call[] = [];
  if (Object.keys(corrected).length > 0) {
    const all = { ...before, ...corrected };
    if (!areStorable(all)) {
      const said = importWords[language].tooManyCorrections;
      const main = html`<header class="heading"><h1>${found.fileName}</h1></header><p class="error">${said}</p>
<p><a class="button" href="${to}">${importWords[language].back}</a></p>`;
      return { status: 422, title: found.fileName, area: "imports", main };
    }
    changes.push(...storingJson(tenant, deps.keyring, found.id, "corrected", all));
  }
  if (instead !== null) changes.push(...storingJson(tenant, deps.keyring, found.id, "instead", instead));
  if (Object.keys(decided.words).length > 0)
    await rememberMapping(tenant, deps.database, found.kind, { words: decided.words });
  const reading = { ...found.reading, ...decided };
  const next = { kind: found.kind, reading, state: "checking" } as const;
  return backToImport(found, await rereadImport(tenant, deps.database, found, next, { changes }));
}

/**
 * The skipped rows with cells that the form changed. A short row is filled up, and a long one is cut.
 * @param before the rows that are stored as corrected
 */
function correctedCells(form: Form, skipped: CellsByLine, before: CellsByLine, width: number): CellsByLine {
  const corrected: Record<string, readonly string[]> = {};
  for (const [line, cells] of Object.entries(skipped)) {
    const typed = Array.from({ length: width }, (_none, index) => form.get(`cell.${line}.${index}`));
    const now = typed.map((text, index) => {
      const cell = cells[index] ?? "";
      return text === undefined || text === inInput(cell) ? cell : text;
    });
    const isOther = [cells, before[line]].every((known) => now.some((cell, index) => cell !== known?.[index]));
    if (typed.some((text) => text !== undefined) && isOther) corrected[line] = now;
  }
  return corrected;
}
