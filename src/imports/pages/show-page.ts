import type { Deps } from "../../deps.ts";
import { html, type Content, type Html } from "../../web/html.ts";
import { moment, wholeNumber, type Language } from "../../web/language.ts";
import type { Page, PageRequest } from "../../web/page.ts";
import { rejectedCsv } from "../checking/rejected-csv.ts";
import { listRejections } from "../checking/rejection-queries.ts";
import type { CellsByLine } from "../import-file-queries.ts";
import type { Import } from "../import-queries.ts";
import type { Rejection } from "../kind.ts";
import { lookInto, namesIn } from "../store-upload.ts";
import { changedWords, isChange, importWordsOf } from "./change-words.ts";
import { foreseenChanges } from "./changed-rows.ts";
import { rejectionIn } from "./import-messages.ts";
import {
  countedRows,
  importOf,
  importState,
  isBeingWorkedOn,
  mayBeTriedAgain,
  isUndoable,
  rejectionsOf,
} from "./import-of.ts";
import { importWords } from "./import-words.ts";
import { kindTitles } from "./kind-words.ts";
import { readingIn } from "./reading-fields.ts";
import { isOpen, openReading } from "./reading-page.ts";
import { skippedCells, skippedRows } from "./skipped-rows.ts";
import { keptRows } from "./undo-page.ts";
import { wordFields } from "./word-fields.ts";

/** Rejected rows on the page; all of them are in the CSV file. */
const SHOWN = 20;

/** GET /imports/{id}: its expected effects, its progress, or its result. */
export const showImportPage: Page = async (deps, request) => {
  const { actor, session, language } = request;
  const found = await importOf(deps, request);
  const hasRejections = found.rejected > 0 && areRejectionsKept(found) && !isChange(found);
  const [rejections, kept, changes, form, cells] = await Promise.all([
    hasRejections ? listRejections(actor.tenant, deps.database, rejectionsOf(found), 0, SHOWN) : [],
    found.state === "undone" && found.kept > 0 ? keptRows(deps, request, found) : null,
    isOpen(found) ? foreseenChanges(deps, request, found) : null,
    isOpen(found) ? reading(deps, request, found) : null,
    isOpen(found) && hasRejections ? cellsOf(deps, request, found) : null,
  ]);
  const isBusy = isBeingWorkedOn(found);
  const main = html`<header class="heading"><h1>${found.fileName}</h1>${importState(found, language)}</header>
<div id="import">
${isBusy ? progress(found, language) : found.state !== "mapping" && summary(found, language)}
${actions(found, language)}
${kept}
${found.state === "mapping" && form}
${!isBusy && corrections(found, rejections, cells, language)}
${changes}
${found.state !== "mapping" && form}
${!isBusy && facts(found, language, session.workspace.timeZone)}
</div>`;
  return { title: found.fileName, area: "imports", main, isUnderWay: isBusy };
};

/** GET /imports/{id}/rejected.csv: the rejected rows, to be corrected. */
export const rejectedRowsPage: Page = async (deps, request) => {
  const { actor, language } = request;
  const found = await importOf(deps, request);
  if (!isFileKept(found)) return { to: `/imports/${found.id}` };
  const words = importWords[language];
  if ((await lookInto(deps, actor.tenant, found.id, found.reading)) === null) {
    const main = html`<header class="heading"><h1>${found.fileName}</h1></header><p class="error">${words.failures.unreadable}</p>
<p><a class="button" href="/imports/${found.id}">${words.back}</a></p>`;
    return { status: 409, title: found.fileName, area: "imports", main };
  }
  const headings = [words.csvHeadings[0] ?? "", words.csvHeadings[1] ?? ""] as const;
  const say = (rejection: Rejection) => rejectionIn(language, found.kind, rejection);
  const body = rejectedCsv(deps, actor.tenant, rejectionsOf(found), { headings, say });
  return { file: `rejected-${found.id}.csv`, contentType: "text/csv; charset=utf-8", body };
};

function areRejectionsKept({ state, forgottenAt }: Import): boolean {
  return forgottenAt === null && state !== "undone" && state !== "undoing";
}

/** Whether the rejected rows can be downloaded with their cells. */
function isFileKept(found: Import): boolean {
  return areRejectionsKept(found) && found.state !== "cancelled";
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

/** The expected effects as a sentence; the result as numbers. */
function summary(found: Import, language: Language): Html {
  const words = importWordsOf(found, language);
  const { state, failure, kind, created, updated, unchanged, rejected, deleted, restored, kept } = found;
  const changed = updated - unchanged;
  const parts = [
    created > 0 && words.creates(countedRows(language, kind, created)),
    changed > 0 && words.changes(created > 0 ? wholeNumber(language, changed) : countedRows(language, kind, changed)),
  ].filter((part) => part !== false);
  const sentence = parts.length === 0 ? words.nothing : words.checked(capital(parts.join(words.and)));
  const counts: [string, number][] =
    state === "undone"
      ? [
          [words.deleted, deleted],
          [words.restored, restored],
          [words.kept, kept],
        ]
      : [
          ...(isChange(found) ? [] : [[words.created, created] as [string, number]]),
          [words.changed, changed],
          [words.unchanged, unchanged],
          [words.rejected, rejected],
        ];
  return html`${state === "checked" && html`<p><strong>${sentence}</strong></p>`}
${failure !== null && html`<p class="error">${words.failures[failure]}</p>`}
<dl class="figures">${counts.map(
    ([word, count]) => html`<div><dt>${word}</dt><dd>${wholeNumber(language, count)}</dd></div>`,
  )}</dl>
${isChange(found) && rejected > 0 && html`<p class="hint">${changedWords[language].skipped}</p>`}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The lists in which the rows of a kind stand, the newest first where that is possible. */
const LISTS: Readonly<Record<string, string>> = {
  companies: "/companies?sort=-id",
  contacts: "/contacts",
  invoices: "/orders",
};

function actions(found: Import, language: Language): Html | null {
  const words = importWordsOf(found, language);
  const { id, kind, state, created, updated, unchanged, forgottenAt } = found;
  const list = state === "done" && created > 0 ? LISTS[kind] : undefined;
  const count = countedRows(language, kind, created + updated - unchanged);
  const isWorthIt = state === "checked" && forgottenAt === null && created + updated - unchanged > 0;
  const isEndable = state === "mapping" || state === "checking" || state === "checked" || state === "running";
  const post = (what: string, button: Html) =>
    html`<form method="post" action="/imports/${id}/${what}">${button}</form>`;
  return html`<div class="actions">
${isWorthIt && post("start", html`<button class="main">${words.startCount(count)}</button>`)}
${list !== undefined && html`<a class="button main" href="${list}">${words.showCreated}</a>`}
${isChange(found) && html`<a class="button main" href="/${kind}">${changedWords[language].toList}</a>`}
${mayBeTriedAgain(found) && post("retry", html`<button class="main">${words.retry}</button>`)}
${isEndable && post("cancel", html`<button>${words.cancel}</button>`)}
${isUndoable(found) && html`<a class="button danger" href="/imports/${id}/undo">${words.undo}</a>`}
</div>`;
}

/** How the file was read; editable until rows are written. */
async function reading(deps: Deps, request: PageRequest, found: Import): Promise<Html> {
  const words = importWords[request.language];
  const form = await openReading(deps, request, found);
  if (found.state === "mapping") {
    return html`<section class="section"><header><h2>${words.columns}</h2></header>${form}</section>`;
  }
  return html`<section class="section"><header><h2>${words.reading}</h2></header>
<details><summary>${words.readOtherwise}</summary>${form}</details></section>`;
}

type Cells = { cells: CellsByLine; fields: readonly string[] };

/** The cells of skipped rows, and the field of each column. */
async function cellsOf(deps: Deps, { actor }: PageRequest, { id, reading }: Import): Promise<Cells> {
  const cells = await skippedCells(deps, actor.tenant, id);
  if (reading.columns !== null) return { cells, fields: reading.columns };
  const file = await lookInto(deps, actor.tenant, id, reading);
  return { cells, fields: namesIn(file?.rows[0]) };
}

/** The words to map and the skipped rows to correct, as one form until rows are written. */
function corrections(
  found: Import,
  rejections: readonly Rejection[],
  cells: Cells | null,
  language: Language,
): Html | null {
  const words = importWords[language];
  const mapping = found.state === "checked" ? wordFields(language, found) : null;
  const rows = rejections.length > 0 && rejected(found, rejections, cells, language);
  if (mapping === null && cells === null) return rows === false ? null : html`${rows}${downloads(found, language)}`;
  return html`<form class="corrections" method="post" action="/imports/${found.id}/corrections" novalidate>
${mapping}${rows}
<p class="actions"><button>${words.reread}</button></p></form>
${rows !== false && downloads(found, language)}`;
}

function rejected(found: Import, rejections: readonly Rejection[], cells: Cells | null, language: Language): Html {
  const words = importWords[language];
  const [shown, all] = [rejections.length, found.rejected].map((count) => wholeNumber(language, count));
  return html`<section class="section"><header><h2>${words.rejectedTitle}</h2></header>
${cells !== null && html`<p class="hint">${words.correctHint}</p>`}
${skippedRows(language, found, rejections, cells)}
${rejections.length < found.rejected && html`<p class="hint">${words.rejectedMore(shown ?? "", all ?? "")}</p>`}</section>`;
}

function downloads(found: Import, language: Language): Html | null {
  if (!isFileKept(found)) return null;
  const words = importWords[language];
  return html`<p><a class="button" href="/imports/${found.id}/rejected.csv" download>${words.download}</a></p>
<p class="hint">${words.downloadHint}</p>`;
}

function facts(found: Import, language: Language, timeZone: string): Html {
  const words = importWordsOf(found, language);
  const at = (name: string | null, time: string | null): string | null =>
    time === null ? name : words.by(name ?? "", moment(language, time, timeZone));
  const ofFile: [string, Content][] = [
    [words.kind, kindTitles[language][found.kind]],
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
${found.startedAt !== null && found.state !== "undone" && html`<p class="hint">${keptFor(found, language)}</p>`}`;
}

function keptFor(found: Import, language: Language): string {
  const words = importWordsOf(found, language);
  const { state, forgottenAt } = found;
  if (forgottenAt !== null) return words.forgotten;
  return state === "cancelled" ? words.undoableFor : words.keptFor;
}
