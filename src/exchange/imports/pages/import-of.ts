import type { Deps } from "../../../kit/deps.ts";
import { found } from "../../../kit/endpoint.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { counted, wholeNumber, type Language } from "../../../kit/web/language.ts";
import { notice, type NoticeWords } from "../../../kit/web/notice.ts";
import type { PageRequest, Redirected } from "../../../kit/web/page.ts";
import { state, type Meaning } from "../../../kit/web/state.ts";
import type { RejectionsOf } from "../checking/rejection-queries.ts";
import { findImport, type Import } from "../import-queries.ts";
import { repeatable, type ImportState } from "../import.ts";
import { customOfKind } from "../kinds.ts";
import { importWordsOf } from "./change-words.ts";
import { decisionWords } from "./decision-words.ts";
import { importWords } from "./import-words.ts";
import { kindWords } from "./kind-words.ts";

/** An import, and whether the person may have its rows as a file. */
export type ShownImport = Import & { hasFiles: boolean };

/**
 * The import that the path names. Its rows go back to the person that uploaded them, and to those that may export.
 * Throws resourceMissing.
 */
export async function importOf({ database }: Deps, request: PageRequest): Promise<ShownImport> {
  const { tenant } = request.actor;
  const { id: userId, mayExport } = request.session.user;
  const one = await found("Import", request, async (id) => await findImport(tenant, database, id));
  const hasFiles = mayExport || one.createdById === userId;
  return { ...one, hasFiles, custom: await customOfKind(tenant, database, one.kind, one.reading.made) };
}

/** The way back to an import; with a line if somebody else has changed or started it since the request read it. */
export function backToImport({ id }: Pick<Import, "id">, isWritten = true): Redirected {
  const to = `/imports/${id}`;
  return isWritten ? { to } : { to, notice: notice("import-changed") };
}

export const importNotices: NoticeWords = {
  "import-changed": (_values, language) => ({
    meaning: "attention",
    line: html`${decisionWords[language].changedMeanwhile}`,
  }),
};

/** In the forms of a checked import: the version that the person saw. */
export const SEEN_VERSION = "seen";

const MEANINGS: Readonly<Record<ImportState, Meaning>> = {
  uploading: "waiting",
  mapping: "attention",
  checking: "waiting",
  checked: "attention",
  running: "waiting",
  done: "good",
  cancelled: "neutral",
  failed: "wrong",
  undoing: "waiting",
  undone: "neutral",
};

export function importState({ state: name, created, updated, unchanged, reading }: Import, language: Language): Html {
  const isEmpty = name === "checked" && created + updated - unchanged === 0;
  if (isEmpty) return state("neutral", importWords[language].nothingToImport);
  return state(MEANINGS[name], importWordsOf({ reading }, language).states[name]);
}

/** Whether a worker processes it, or will. */
export function isBeingWorkedOn({ state: name }: Import): boolean {
  return name === "checking" || name === "running" || name === "undoing";
}

/** Whether the rows that it wrote can be undone. */
export function isUndoable({ state: name, startedAt, forgottenAt, created, updated, unchanged }: Import): boolean {
  const isOver = name === "done" || name === "cancelled" || name === "failed";
  return isOver && startedAt !== null && forgottenAt === null && created + updated - unchanged > 0;
}

/** Whether a failed import may be retried. A failed undo is repeated by "Undo" instead. */
export function mayBeTriedAgain({ state: name, failure, undoneAt, forgottenAt }: Import): boolean {
  return (
    name === "failed" && failure !== null && repeatable.includes(failure) && undoneAt === null && forgottenAt === null
  );
}

/** The rejected rows to show: those of the check, or after the start those of the import. */
export function rejectionsOf({ id, reading, startedAt }: Import): RejectionsOf {
  return { id, reading, isFinal: startedAt !== null };
}

/** `120 companies` */
export function countedRows(language: Language, kind: string, count: number): string {
  const forms = kindWords[language][kind];
  return forms === undefined ? wholeNumber(language, count) : counted(language, count, forms);
}
