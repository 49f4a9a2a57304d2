import type { Deps } from "../../../kit/deps.ts";
import { assets } from "../../../kit/web/assets.ts";
import { pageErrors } from "../../../kit/web/forms/page-errors.ts";
import { html, type Content, type Html } from "../../../kit/web/html.ts";
import { moment, wholeNumber, type Language } from "../../../kit/web/language.ts";
import { rowsWithinRoom } from "../../../kit/web/page-room.ts";
import type { Page, PageRequest } from "../../../kit/web/page.ts";
import type { CheckFindings } from "../checking/listed-rows.ts";
import { rejectedCsv } from "../checking/rejected-csv.ts";
import { listRejections } from "../checking/rejection-queries.ts";
import { columnLabel } from "../columns/column-labels.ts";
import type { CellsByLine } from "../import-file-queries.ts";
import type { Import } from "../import-queries.ts";
import type { Rejection } from "../kind.ts";
import { lookInto, namesIn } from "../store-upload.ts";
import { changedWords, isChange, importWordsOf } from "./change-words.ts";
import { checkNotes } from "./check-notes.ts";
import { decisionWords } from "./decision-words.ts";
import { decisions, isUnanswered } from "./decisions.ts";
import { rejectionIn } from "./import-messages.ts";
import {
  SEEN_VERSION,
  countedRows,
  importOf,
  importState,
  isBeingWorkedOn,
  mayBeTriedAgain,
  isUndoable,
  rejectionsOf,
  type ShownImport,
} from "./import-of.ts";
import { importWords } from "./import-words.ts";
import { kindForm } from "./kind-page.ts";
import { kindTitles } from "./kind-words.ts";
import { proposedFields } from "./make-field.ts";
import { findingsOf, NOTHING_FOUND, outcomeCounts, outcomeRows, outcomeTabs, shownOutcome } from "./outcome-tabs.ts";
import { readingIn } from "./reading-fields.ts";
import { isOpen, openReading } from "./reading-page.ts";
import { skippedCells, skippedRows } from "./skipped-rows.ts";
import { leftRows } from "./undo-page.ts";
import { writtenHref, writtenRows } from "./written-rows.ts";

/** Rejected rows on the page; all of them are in the CSV file. */
const SHOWN = 20;
/** Characters of a cell that count, about as many as the page shows. */
const CELL_MAX = 1_000;

/** GET /imports/{id}: its expected effects, its progress, or its result. */
export const showImportPage: Page = async (deps, request) => {
  const { actor, session, language } = request;
  const found = await importOf(deps, request);
  const isBusy = isBeingWorkedOn(found);
  const outcome = found.state === "checked" && isOpen(found) ? shownOutcome(request, found) : null;
  const showsSkipped = !isChange(found) && (outcome === null || outcome === "skip");
  const hasRejections = found.rejected > 0 && areRejectionsStored(found) && showsSkipped;
  const findings = outcome === null || isChange(found) ? NOTHING_FOUND : await findingsOf(deps, request, found);
  const asked = outcome === null ? null : decisions(language, found, findings);
  const [rejections, kept, rows, written, form, cells, notes] = await Promise.all([
    hasRejections ? listRejections(actor.tenant, deps.database, rejectionsOf(found), 0, SHOWN) : [],
    found.state === "undone" && found.kept > 0 ? leftRows(deps, request, found) : null,
    outcome !== null && outcome !== "skip" ? outcomeRows(deps, request, found, outcome, findings) : null,
    hasWritten(found) ? writtenRows(deps, request, found) : null,
    isOpen(found) ? reading(deps, request, found, findings) : null,
    isOpen(found) && hasRejections ? cellsOf(deps, request, found) : null,
    outcome === null || isChange(found) ? null : checkNotes(deps, request, found),
  ]);
  const main = html`<header class="heading" id="heading"><h1>${found.fileName}</h1>${importState(found, language)}</header>
<div id="import">
${isBusy ? progress(found, language) : result(found, language)}${notes}
${outcome !== null && outcomeTabs(language, found, outcome)}
${actions(found, language, { sendsAnswers: asked !== null || cells !== null, isBlocked: isUnanswered(found, findings) })}
${kept}${written}
${found.state === "mapping" && form}
${!isBusy && corrections(found, { asked, rejections, cells, showsSkipped }, language)}
${rows}
${found.state !== "mapping" && form}
${!isBusy && facts(found, language, session.workspace.timeZone)}
</div>`;
  return { title: found.fileName, area: "imports", main, isUnderWay: isBusy };
};

/** GET /imports/{id}/rejected.csv: the rejected rows, to be corrected. */
export const rejectedRowsPage: Page = async (deps, request) => {
  const { actor, language } = request;
  const found = await importOf(deps, request);
  if (!found.hasFiles) throw pageErrors.mayNotExport();
  if (!isFileStored(found)) return { to: `/imports/${found.id}` };
  const words = importWords[language];
  if ((await lookInto(deps, actor.tenant, found.id, found.reading)) === null) {
    const main = html`<header class="heading"><h1>${found.fileName}</h1></header><p class="error">${words.failures.unreadable}</p>
<p><a class="button" href="/imports/${found.id}">${words.back}</a></p>`;
    return { status: 409, title: found.fileName, area: "imports", main };
  }
  const headings = [words.csvHeadings[0] ?? "", words.csvHeadings[1] ?? ""] as const;
  const say = (rejection: Rejection) => rejectionIn(language, found, rejection);
  const body = rejectedCsv(deps, actor.tenant, rejectionsOf(found), { headings, say });
  return { file: `rejected-${found.id}.csv`, contentType: "text/csv; charset=utf-8", body };
};

function areRejectionsStored({ state, forgottenAt }: Import): boolean {
  return forgottenAt === null && state !== "undone" && state !== "undoing";
}

/** Whether the rejected rows can be downloaded with their cells. */
function isFileStored(found: Import): boolean {
  return areRejectionsStored(found) && found.state !== "cancelled";
}

function progress(found: Import, language: Language): Html {
  const words = importWordsOf(found, language);
  const { state, total, created, updated, rejected, deleted, restored, kept } = found;
  const isUndoing = state === "undoing";
  const done = isUndoing ? deleted + restored + kept : created + updated + rejected;
  const all = isUndoing ? null : total;
  const text = state === "checking" ? words.checking : isUndoing ? words.undoing : words.running;
  return html`<div class="progress" data-refresh>
<p>${text}</p>
<progress${all !== null && html` max="${Math.max(all, 1)}" value="${Math.min(done, all)}"`} aria-label="${text}"></progress>
<p class="hint">${all === null ? words.soFar(done) : words.progress(wholeNumber(language, done), all)}</p>
</div>`;
}

/** The outcome of an import as a sentence, and why it failed. Before the start, its tabs have the figures. */
function result(found: Import, language: Language): Html | null {
  const words = importWordsOf(found, language);
  const { state, failure, startedAt } = found;
  const { create, change, same, skip } = outcomeCounts(found);
  const numbers =
    state === "undone"
      ? words.undone(found.deleted, found.restored, found.kept)
      : words.done(create, change, same, skip);
  return html`${failure !== null && html`<p class="error">${words.failures[failure]}</p>`}${
    startedAt !== null &&
    html`<p class="result">${numbers === "" ? (state === "undone" ? words.undoNothing : words.nothingDone) : `${numbers}.`}</p>`
  }${isChange(found) && skip > 0 && html`<p class="hint">${changedWords[language][found.kind === "payments" ? "unpayable" : "skipped"]}</p>`}`;
}

/** Whether the rows that an import of a file wrote are still recorded. */
function hasWritten({ reading, state, forgottenAt, created, updated, unchanged }: Import): boolean {
  const isListed = !isChange({ reading });
  return isListed && state === "done" && forgottenAt === null && created + updated - unchanged > 0;
}

/**
 * `sendsAnswers`: whether the page has decisions or cells to correct, which the button to start sends along.
 * `isBlocked`: whether one of them must be answered first.
 */
type StartButton = { sendsAnswers: boolean; isBlocked: boolean };

function actions(found: Import, language: Language, { sendsAnswers, isBlocked }: StartButton): Html | null {
  const words = importWordsOf(found, language);
  const { id, kind, state, created, updated, unchanged } = found;
  const count = created + updated - unchanged;
  const isChecked = state === "checked" && isOpen(found);
  const isEndable = state === "checking" || state === "checked" || state === "running";
  const post = (what: string, button: Html) =>
    html`<form method="post" action="/imports/${id}/${what}">${button}</form>`;
  return html`<div class="actions">
${isChecked && count > 0 && (sendsAnswers ? startWith(language, found, isBlocked ? null : count) : post("start", html`${seen(found)}<button class="main">${words.startCount(countedRows(language, kind, count))}</button>`))}
${hasWritten(found) && html`<a class="button main" href="${writtenHref(found)}">${words.showCreated}</a>`}
${isChange(found) && html`<a class="button main" href="/${kind === "payments" ? "orders" : kind}">${changedWords[language].toList}</a>`}
${mayBeTriedAgain(found) && post("retry", html`<button class="main">${words.retry}</button>`)}
${isEndable && post("cancel", html`<button>${words.cancel}</button>`)}
${isUndoable(found) && html`<a class="button danger" href="/imports/${id}/undo">${words.undo}</a>`}
${isChecked && html`<span class="hint">${count > 0 ? words.nothingYet : words.nothing}</span>`}
</div>`;
}

function seen({ version }: Import): Html {
  return html`<input type="hidden" name="${SEEN_VERSION}" value="${version}">`;
}

/**
 * The button to start sends the decisions too: those that are not applied yet are checked first.
 * @param count of the rows; null if the file has a question that must be answered first
 */
function startWith(language: Language, { id, kind }: Import, count: number | null): Html {
  const words = importWords[language];
  const text =
    count === null ? decisionWords[language].answerFirst : words.startCount(countedRows(language, kind, count));
  return html`<button class="main" form="corrections" formaction="/imports/${id}/start" data-changed="${words.reread}">${text}</button><script type="module" src="${assets.pathOf("decide.js")}"></script>`;
}

/** How the file was read; editable until rows are written. */
async function reading(deps: Deps, request: PageRequest, found: Import, findings: CheckFindings): Promise<Html> {
  const { language } = request;
  const words = importWords[language];
  const { columns, leftOut } = findings;
  const form = await openReading(deps, request, found);
  if (found.state === "mapping") {
    return html`<section class="section"><header><h2>${words.columns}</h2></header>${kindForm(language, found)}${form}</section>`;
  }
  const empty = columns
    .filter((column) => column.empty > 0)
    .map((column) => `${columnLabel(found, language, column.field)} ${wholeNumber(language, column.empty)}`);
  const nothing = columns.flatMap(({ field, nothing: none }) =>
    none === undefined
      ? []
      : `${columnLabel(found, language, field)} ${wholeNumber(language, none.cells)} (${decisionWords[language].quoted(none.first)})`,
  );
  const others = leftOut.map(
    ({ name, index, cells }) => `${name || decisionWords[language].column(index + 1)} ${wholeNumber(language, cells)}`,
  );
  return html`<section class="section" id="reading"><header><h2>${words.reading}</h2></header>
${others.length > 0 && html`<p class="hint">${decisionWords[language].leftOut(others.join(", "))}</p>`}
${proposedFields(found, leftOut, request)}
${empty.length > 0 && html`<p class="hint">${decisionWords[language].empty(empty.join(", "))}</p>`}
${nothing.length > 0 && html`<p class="hint">${decisionWords[language].nothing(nothing.join(", "))}</p>`}
<details><summary>${words.readOtherwise}</summary>${kindForm(language, found)}${form}</details></section>`;
}

type Cells = { cells: CellsByLine; fields: readonly string[] };

/** The cells of skipped rows, and the field of each column. */
async function cellsOf(deps: Deps, { actor }: PageRequest, { id, reading }: Import): Promise<Cells> {
  const cells = await skippedCells(deps, actor.tenant, id);
  if (reading.columns !== null) return { cells, fields: reading.columns };
  const file = await lookInto(deps, actor.tenant, id, reading);
  return { cells, fields: namesIn(file?.rows[0]) };
}

type Corrections = {
  asked: Html | null;
  rejections: readonly Rejection[];
  cells: Cells | null;
  showsSkipped: boolean;
};

/** The decisions and the skipped rows to correct, as one form until rows are written. */
function corrections(
  found: ShownImport,
  { asked, rejections, cells, showsSkipped }: Corrections,
  language: Language,
): Html | null {
  const words = importWords[language];
  const rows = showsSkipped && rejections.length > 0 && rejected(found, rejections, cells, language);
  if (asked === null && cells === null) {
    if (rows !== false) return html`${rows}${downloads(found, language)}`;
    return found.state === "checked" && showsSkipped ? html`<p class="hint">${words.noRows.skip}</p>` : null;
  }
  return html`<form class="corrections" id="corrections" method="post" action="/imports/${found.id}/corrections" novalidate>${seen(found)}
${asked}${rows}
${(asked === null || cells !== null) && html`<p class="actions"><button>${words.reread}</button></p>`}</form>
${rows !== false && downloads(found, language)}`;
}

function rejected(found: Import, listed: readonly Rejection[], cells: Cells | null, language: Language): Html {
  const words = importWords[language];
  const rejections = rowsWithinRoom(listed, ({ line }) =>
    (cells?.cells[line] ?? []).map((cell) => cell.slice(0, CELL_MAX)),
  );
  const [shown, all] = [rejections.length, found.rejected].map((count) => wholeNumber(language, count));
  return html`<section class="section"><header><h2>${words.rejectedTitle}</h2></header>
${cells !== null && html`<p class="hint">${words.correctHint}</p>`}
${skippedRows(language, found, rejections, cells)}
${rejections.length < found.rejected && html`<p class="hint">${words.rejectedMore(shown ?? "", all ?? "")}</p>`}</section>`;
}

function downloads(found: ShownImport, language: Language): Html | null {
  if (!found.hasFiles || !isFileStored(found)) return null;
  const words = importWords[language];
  return html`<p><a class="button" href="/imports/${found.id}/rejected.csv" download>${words.download}</a></p>
<p class="hint">${words.downloadHint}</p>`;
}

function facts(found: Import, language: Language, timeZone: string): Html {
  const words = importWordsOf(found, language);
  const at = (name: string | null, time: string | null): string | null =>
    time === null ? name : words.by(name ?? "", moment(language, time, timeZone));
  const ofFile: [string, Content][] = [
    [words.kind, isOpen(found) ? null : (kindTitles[language][found.kind] ?? found.kind)],
    [words.readAs, isOpen(found) ? null : readingIn(language, found)],
    [words.uploadedBy, at(found.createdBy, found.createdAt)],
  ];
  const lines: [string, Content][] = [
    ...(isChange(found) ? [] : ofFile),
    [words.startedBy, at(found.startedBy, found.startedAt)],
    [words.cancelledBy, found.cancelledBy],
    [words.finishedAt, found.finishedAt && moment(language, found.finishedAt, timeZone)],
    [words.undoneBy, at(found.undoneBy, found.undoneAt)],
  ];
  return html`<dl class="facts">${lines.map(
    ([word, value]) => value !== null && html`<dt>${word}</dt><dd>${value}</dd>`,
  )}</dl>
${found.startedAt !== null && found.state !== "undone" && html`<p class="hint">${retentionOf(found, language)}</p>`}`;
}

function retentionOf(found: Import, language: Language): string {
  const words = importWordsOf(found, language);
  const { state, forgottenAt } = found;
  if (forgottenAt !== null) return words.forgotten;
  return state === "cancelled" ? words.undoableFor : words.retention;
}
