import { isDeepStrictEqual } from "node:util";
import type { Deps } from "../../../kit/deps.ts";
import { errorSummary } from "../../../kit/web/forms/field.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import type { Language } from "../../../kit/web/language.ts";
import type { FieldMessages } from "../../../kit/web/messages.ts";
import type { Page, PageRequest, Shown } from "../../../kit/web/page.ts";
import { now } from "../../../platform/clock.ts";
import { customName } from "../../../platform/fields/custom.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { columnKeys } from "../columns/guess-columns.ts";
import { forgettingCorrected, removeUnpacked } from "../import-file-queries.ts";
import { rereadImport, type Import } from "../import-queries.ts";
import { kindOfTenant, wholeKind } from "../kinds.ts";
import { rememberMapping } from "../mapping-queries.ts";
import type { CsvRow } from "../reading/csv-row.ts";
import type { Reading } from "../reading/reading.ts";
import type { ImportReason } from "../reasons.ts";
import {
  lookInto,
  namesIn,
  refusalOf,
  samplesOf,
  understand,
  understandAny,
  type Understood,
} from "../store-upload.ts";
import { readSheet, type Unpacked } from "../unpack-workbook.ts";
import { fileReasonIn } from "./import-messages.ts";
import { backToImport, importOf } from "./import-of.ts";
import { importWords } from "./import-words.ts";
import { MAKE, makeField } from "./make-field.ts";
import { mappingFromForm, mappingFields, type ShownColumns } from "./mapping-fields.ts";
import { headerLineFromForm, readingFromForm, readingFields, readingIn } from "./reading-fields.ts";

/** POST /imports/{id}/reading: checks a file (again) with other columns, or with another format. */
export const rereadImportPage: Page = async (deps, request) => {
  const { actor, language, form } = request;
  const { tenant } = actor;
  const found = await importOf(deps, request);
  const to = `/imports/${found.id}`;
  if (!isOpen(found)) return backToImport(found, await isReadSo(deps, request, found));
  if (form.has(MAKE)) {
    return backToImport(found, await makeField(deps, request, found));
  }
  const asked = askedReading(request, found.reading);
  const sheet = await readSheet(deps, tenant, found.id, { before: found.reading, asked });
  let isStored = false;
  try {
    const read = await readAgain(deps, request, found, asked, sheet);
    if (read === null) return { to };
    if (read.refusal !== null) return refusedPage(language, found, read, read.refusal);
    const { kind, reading, understood } = read;
    const isOpenStill = form.has("use") || understood?.isGuessed.includes(true) === true;
    const next = { kind, reading, state: isOpenStill ? "mapping" : "checking" } as const;
    const unpacked = sheet !== null && "pieces" in sheet ? sheet.pieces : null;
    const changes = isSame(asked, found.reading) ? [] : forgettingCorrected(found.id);
    isStored = await rereadImport(tenant, deps.database, found, next, { unpacked, changes });
    if (isStored) await rememberChosen(deps, tenant, found, read);
    return backToImport(found, isStored);
  } finally {
    if (sheet !== null && !isStored) await removeUnpacked(tenant, deps.database.unattended, found.id);
  }
};

/** Whether an import that is not open any more is read as the form asks: then its button was pressed twice. */
async function isReadSo(deps: Deps, request: PageRequest, found: Import): Promise<boolean> {
  const { form } = request;
  const { columns } = found.reading;
  if (form.has(MAKE)) return columns?.[Number(form.get(MAKE))]?.startsWith(customName("")) === true;
  const read = await readAgain(deps, request, found, askedReading(request, found.reading), null);
  return read === null || isDeepStrictEqual(read.reading, found.reading);
}

/** A file as the form reads it. */
type ReadAgain = {
  kind: string;
  reading: Reading;
  /** The reading in the form, before the columns. */
  asked: Reading;
  rows: readonly CsvRow[];
  first: CsvRow | undefined;
  /** The columns that a person chose; null if the form has another format than the import. */
  chosen: string[] | null;
  /** The guesses for another format. */
  understood: Understood | null;
  refusal: ImportReason | null;
};

/**
 * Null if the file is gone.
 * @param sheet that was unpacked for this; null for the rows of the import
 */
async function readAgain(
  deps: Deps,
  request: PageRequest,
  found: Import,
  asked: Reading,
  sheet: Unpacked | null,
): Promise<ReadAgain | null> {
  const { actor, form } = request;
  const { tenant } = actor;
  const isSameFormat = isSame(asked, found.reading);
  const refused = sheet !== null && "refusal" in sheet ? sheet.refusal : null;
  if (sheet !== null && "workbook" in sheet) asked.workbook = sheet.workbook;
  const part = sheet === null ? "rows" : "next";
  const file = refused === null ? await lookInto(deps, tenant, found.id, asked, part) : { rows: [] };
  if (file === null) return null;
  const { rows } = file;
  const [header] = rows;
  const chosen = isSameFormat ? mappingFromForm(form, found, namesIn(header)) : null;
  const isMoved = asked.headerLine > 0 && asked.headerLine !== found.reading.headerLine;
  const understood = isSameFormat ? null : await understandAnew(deps, request, found, rows, asked, isMoved);
  const columns = chosen ?? found.reading.columns;
  const { tax_id: answer, ...others } = asked.choices;
  // The answer was about another column.
  const isOther = answer !== undefined && columns?.indexOf("tax_id") !== found.reading.columns?.indexOf("tax_id");
  const choices = isOther ? others : asked.choices;
  const reading = understood?.reading ?? { ...asked, columns, choices };
  const first = understood === null ? header : understood.first;
  const kind = understood?.kind ?? found.kind;
  const refusal = refused ?? refusalOf(await kindOfTenant(tenant, deps.database, kind, reading.made), first, reading);
  return { kind, reading, asked, rows, first, chosen, understood, refusal };
}

async function rememberChosen(
  deps: Deps,
  tenant: TenantId,
  { kind }: Import,
  { chosen, rows, asked }: ReadAgain,
): Promise<void> {
  if (chosen === null) return;
  const proposed = await understand(deps, tenant, kind, rows, asked, HEADER_FIRST);
  const columns = choicesAmong(namesIn(rows[0]), chosen, proposed.columns);
  await rememberMapping(tenant, deps.database, kind, { columns });
}

function refusedPage(
  language: Language,
  found: Import,
  { reading, rows, first, understood }: ReadAgain,
  refusal: ImportReason,
): Shown {
  const words = importWords[language];
  const shown = {
    kind: found.kind,
    custom: found.custom,
    reading,
    names: namesIn(first),
    samples: samplesOf(rows.filter((row) => row.line > (first?.line ?? 0))),
    isGuessed: understood?.isGuessed ?? [],
    leftOut: understood?.leftOut ?? [],
  };
  const main = html`<header class="heading"><h1>${words.columns}</h1></header>
${readingForm(language, found, shown, refusal)}
<p><a class="button" href="/imports/${found.id}">${words.back}</a></p>`;
  return { status: 422, title: words.columns, area: "imports", main };
}

const HEADER_FIRST = { isHeaderFirst: true };

/** Guesses the columns of a file that is read in another way, and its kind, unless a person chose it. */
async function understandAnew(
  deps: Deps,
  { actor }: PageRequest,
  { kind, fileName, reading: { isKindGuessed, columns } }: Import,
  rows: readonly CsvRow[],
  asked: Reading,
  isMoved: boolean,
): Promise<Understood> {
  const isUnread = columns?.every((field) => field === "") === true;
  return !isMoved && (isKindGuessed || isUnread)
    ? await understandAny(deps, actor.tenant, rows, asked, fileName)
    : await understand(deps, actor.tenant, kind, rows, asked, { isHeaderFirst: isMoved });
}

/** The fields that a person chose otherwise than proposed. Only these are remembered. */
function choicesAmong(names: readonly string[], chosen: readonly string[], proposed: readonly string[]) {
  const on = new Date(now()).toISOString().slice(0, 10);
  return Object.fromEntries(
    columnKeys(names).flatMap((key, index) => {
      const field = chosen[index] ?? "";
      return field === proposed[index] ? [] : [[key, { field, on }]];
    }),
  );
}

function askedReading({ form, language }: PageRequest, known: Reading): Reading {
  const asked = readingFromForm(form, language);
  const { workbook } = known;
  const sheet = Number(form.get("sheet") ?? workbook?.sheet);
  const hidden = form.get("hidden_rows");
  const leavesHidden = hidden === undefined ? workbook?.leavesHidden === true : hidden === "leave";
  const other = { encoding: asked.encoding ?? known.encoding, delimiter: asked.delimiter ?? known.delimiter };
  const read = {
    ...known,
    ...(workbook === null
      ? other
      : { workbook: { ...workbook, sheet: workbook.sheets[sheet] === undefined ? 0 : sheet, leavesHidden } }),
    clearsEmpty: asked.clearsEmpty,
    language,
    corrected: new Map(),
  };
  const headerLine = headerLineFromForm(form) ?? known.headerLine;
  // Of another sheet or encoding the header is looked for again.
  return { ...read, headerLine: isSame(read, known) || headerLine !== known.headerLine ? headerLine : 0 };
}

/** Whether both readings give the same cells. */
function isSame(one: Reading, other: Reading): boolean {
  return (
    one.encoding === other.encoding &&
    one.delimiter === other.delimiter &&
    one.workbook?.sheet === other.workbook?.sheet &&
    one.headerLine === other.headerLine
  );
}

/** Whether the reading can still be changed: nothing is written yet. */
export function isOpen({ state, forgottenAt }: Import): boolean {
  return (state === "checked" || state === "mapping") && forgottenAt === null;
}

/** The form for the reading of an open import, with the reason why the file cannot be read with the current one. */
export async function openReading(deps: Deps, { actor, language }: PageRequest, found: Import): Promise<Html> {
  const { kind, reading, id } = found;
  const file = await lookInto(deps, actor.tenant, id, reading);
  if (file === null) return html`<p class="error">${importWords[language].failures.unreadable}</p>`;
  const [first] = file.rows;
  const isMapping = found.state === "mapping";
  const refusal = isMapping ? refusalOf(wholeKind(found), first, reading) : null;
  const again = isMapping ? await understand(deps, actor.tenant, kind, file.rows, reading, HEADER_FIRST) : null;
  const names = namesIn(first);
  const chosen = reading.columns ?? names;
  // A choice is shown as guessed if the same guess would be made again.
  const isGuessed = names.map((name, index) => {
    const guess = (again?.reading.columns ?? names)[index];
    return again?.isGuessed[index] === true && guess === chosen[index] && name !== "";
  });
  const leftOut = again?.leftOut.map((one, index) => (chosen[index] === "" ? one : null)) ?? [];
  const shown = {
    kind,
    custom: found.custom,
    reading,
    names,
    samples: samplesOf(file.rows.slice(1)),
    isGuessed,
    leftOut,
  };
  return readingForm(language, found, shown, refusal);
}

function readingForm(
  language: Language,
  { id, state }: Pick<Import, "id" | "state">,
  shown: ShownColumns,
  refusal: ImportReason | null,
): Html {
  const isFirst = state === "mapping";
  const words = importWords[language];
  const { reading, names } = shown;
  const at = names.length > 0 ? "column.0" : reading.workbook === null ? "delimiter" : "sheet";
  const errors: FieldMessages = refusal === null ? {} : { [at]: [fileReasonIn(language, shown, refusal)] };
  return html`${errorSummary(errors, language)}
<form class="record wide" method="post" action="/imports/${id}/reading" novalidate>
${names.length > 0 && mappingFields(language, shown)}
<details class="format"${names.length === 0 && html` open`}><summary>${words.readAs}: ${readingIn(language, shown)} · ${words.changeFormat}</summary>
${readingFields(language, reading)}</details>
<p class="actions"><button${isFirst && html` class="main"`}>${isFirst ? words.check : words.reread}</button>${
    isFirst && html`<button formaction="/imports/${id}/cancel">${words.cancel}</button>`
  }</p>
</form>`;
}
