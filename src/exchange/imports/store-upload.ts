import { createHash } from "node:crypto";
import type { Deps } from "../../kit/deps.ts";
import type { ReceivedFile } from "../../kit/web/forms/receive.ts";
import { UndecryptableValue } from "../../platform/encryption/keyring.ts";
import type { FieldTable } from "../../platform/fields/fields.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { Overloaded } from "../../platform/sharing/overloaded.ts";
import { meantBy } from "./cells/meaning.ts";
import {
  columnKeys,
  guessColumns,
  guessWork,
  knownNames,
  SAMPLE_LENGTH,
  type Samples,
} from "./columns/guess-columns.ts";
import { fitOf } from "./columns/guess-kind.ts";
import { CHUNK_BYTES, forgetImport, insertChunk, readChunks, type FilePart } from "./import-file-queries.ts";
import { importUploaded, insertImport } from "./import-queries.ts";
import type { Kind } from "./kind.ts";
import { kindNames, kindOfTenant } from "./kinds.ts";
import { findMapping, type Remembered } from "./mapping-queries.ts";
import type { Rest } from "./reading/csv-reader.ts";
import type { CsvRow } from "./reading/csv-row.ts";
import { guessDelimiter, guessingEncoding } from "./reading/guess-reading.ts";
import { fileFields, headerNames, isArchive, parseHeader } from "./reading/header.ts";
import { readRows } from "./reading/read-rows.ts";
import { AS_DOCUMENTED, type Delimiter, type Encoding, type Reading } from "./reading/reading.ts";
import { throttleOf } from "./reading/throttle-reading.ts";
import { FileRefusal, type ImportReason } from "./reasons.ts";
import { unpackUpload } from "./unpack-workbook.ts";

/** A stored file that is not an import yet; `encoding` is a guess. */
export type StoredFile = { id: string; name: string; bytes: number; encoding: Encoding; digest: string };

/**
 * Stores a file piece by piece as it arrives; returns null if the tenant's quota is used up. A file that is incomplete
 * or cannot be stored is removed.
 */
export async function storeFile(
  deps: Deps,
  tenant: TenantId,
  userId: string,
  { name, chunks }: ReceivedFile,
): Promise<StoredFile | null> {
  const id = await insertImport(tenant, deps.database, name, userId);
  let bytes = 0;
  let hasRoom = true;
  const guessing = guessingEncoding();
  const hash = createHash("sha256");
  const rest = throttleOf(deps, tenant);
  try {
    // A browser shows no response before it has sent the whole file: the rest is read and dropped.
    for await (const piece of pieces(chunks)) {
      if (!hasRoom) continue;
      // Encryption and storage use the tenant's share of time, as reading does.
      await rest(piece.length);
      bytes += piece.length;
      guessing.look(piece);
      hash.update(piece);
      hasRoom = (await insertChunk(tenant, deps, id, piece)) !== null;
      if (!hasRoom) await discardFile(deps, tenant, id);
    }
  } catch (error) {
    await discardFile(deps, tenant, id);
    throw error;
  }
  return hasRoom ? { id, name, bytes, encoding: guessing.encoding(), digest: hash.digest("hex") } : null;
}

/** Removes a stored file, even if the client has disconnected. */
export async function discardFile({ database }: Deps, tenant: TenantId, id: string): Promise<void> {
  await forgetImport(tenant, database.unattended, id);
}

/** The reading that was asked for; null values are guessed. */
export type ReadingFromForm = Pick<Reading, "clearsEmpty" | "language"> & {
  encoding: Encoding | null;
  delimiter: Delimiter | null;
};

/** Why a stored file is refused, which is removed then, or how it becomes an import. */
type Prepared = { refusal: ImportReason } | { begin: (database: Database) => Promise<void> };

/**
 * Looks at a stored file. If nothing was guessed, its import is checked next; otherwise a person looks at its columns.
 * @param asked without a kind, it is guessed
 */
export async function prepareImport(
  deps: Deps,
  tenant: TenantId,
  file: StoredFile,
  asked: { kind: string | null } & Partial<ReadingFromForm>,
): Promise<Prepared> {
  try {
    return await readAndPrepare(deps, tenant, file, asked);
  } catch (error) {
    // The client hung up, or waited too long for a place.
    if (error instanceof Overloaded) await discardFile(deps, tenant, file.id);
    throw error;
  }
}

async function readAndPrepare(
  deps: Deps,
  tenant: TenantId,
  { id, name, bytes, encoding: guessed, digest }: StoredFile,
  asked: { kind: string | null } & Partial<ReadingFromForm>,
): Promise<Prepared> {
  const { clearsEmpty = false, language = null } = asked;
  const unpacked = await unpackUpload(deps, tenant, id, guessed);
  if (unpacked !== null && "refusal" in unpacked) {
    await discardFile(deps, tenant, id);
    return { refusal: unpacked.refusal };
  }
  const { workbook = null } = unpacked ?? {};
  const encoding = workbook === null ? (asked.encoding ?? guessed) : "utf-8";
  const guess = async () => await guessDelimiter(readChunks(tenant, deps, id), encoding, throttleOf(deps, tenant));
  const delimiter = workbook === null ? (asked.delimiter ?? (await guess())) : ",";
  const format = { encoding, delimiter, clearsEmpty, language, workbook, headerLine: 0, digest };
  const asRead: Reading = { ...AS_DOCUMENTED, ...format };
  const file = await lookInto(deps, tenant, id, asRead);
  const rows = file?.rows ?? [];
  const understood =
    asked.kind === null
      ? await understandAny(deps, tenant, rows, asRead, name)
      : await understand(deps, tenant, asked.kind, rows, asRead);
  const { kind, reading, first } = understood;
  const refusal = refusalOf(await kindOfTenant(tenant, deps.database, kind), first, reading);
  if (refusal === null || isMappable(first)) {
    const isSure = refusal === null && asked.kind !== null && !understood.isGuessed.includes(true);
    const state = isSure ? "checking" : "mapping";
    const size = unpacked?.bytes ?? bytes;
    return {
      begin: async (database) => await importUploaded(tenant, database, id, { kind, bytes: size, reading, state }),
    };
  }
  await discardFile(deps, tenant, id);
  return { refusal };
}

export type LeftOutColumn = { on: string; field: string } | null;

/** A reading with its header, columns and words, what was guessed of it, and how well the file fits the kind. */
export type Understood = {
  kind: string;
  reading: Reading;
  first: CsvRow | undefined;
  /** The proposed field of each column. */
  columns: readonly string[];
  isGuessed: readonly boolean[];
  fit: number;
  /** The columns that a person left out before: the day, and the field that each would have. */
  leftOut: readonly LeftOutColumn[];
};

/** Reads the first rows as each kind, and returns the reading that fits best; as companies if none fits. */
export async function understandAny(
  deps: Deps,
  tenant: TenantId,
  rows: readonly CsvRow[],
  asRead: Reading,
  fileName: string,
): Promise<Understood> {
  const read: Understood[] = [];
  for (const kind of kindNames) read.push(await understand(deps, tenant, kind, rows, asRead, { fileName }));
  const best = read.toSorted((a, b) => b.fit - a.fit)[0];
  if (best === undefined) throw new Error("there is no kind");
  return { ...best, reading: { ...best.reading, isKindGuessed: best.fit > 0 } };
}

/**
 * Finds the header and the columns of a file by its first rows, and the words that were mapped before.
 * @param isHeaderFirst whether the first of the rows is known to be the header
 * @param fileName if the kind is to be guessed
 */
export async function understand(
  deps: Deps,
  tenant: TenantId,
  kind: string,
  rows: readonly CsvRow[],
  asRead: Reading,
  { isHeaderFirst = false, fileName = "" }: { isHeaderFirst?: boolean; fileName?: string } = {},
): Promise<Understood> {
  const remembered = await findMapping(tenant, deps.database, kind);
  const whole = await kindOfTenant(tenant, deps.database, kind, asRead.made);
  const fields = fileFields(whole);
  const rest = throttleOf(deps, tenant);
  const at = isHeaderFirst ? 0 : await headerAt(kind, fields, rows, rest);
  const first = rows[at];
  const names = namesIn(first);
  // Values are compared as they are meant, without the marks and words that files have around them.
  const samples = samplesOf(rows.slice(at + 1)).map((row) => row.map((cell) => meantBy(cell) ?? ""));
  const { table } = whole.bulk;
  const file = { kind, table, fields, names, samples, remembered: remembered.columns, language: asRead.language };
  const { columns, isGuessed } = await guessColumns(file, rest);
  const fit = await fitOf({ ...file, columns, fileName }, rest);
  const isAsNamed = columns.every((column, index) => column === "" || column === names[index]);
  const isKnown = columnKeys(names).every((key) => !Object.hasOwn(remembered.columns, key));
  const reading = {
    ...asRead,
    headerLine: first?.line ?? 1,
    words: remembered.words,
    columns: isAsNamed && isKnown ? null : columns,
    isKindGuessed: false,
  };
  const leftOut = columnKeys(names).map((key) => leftOutOf(remembered, key));
  const wanted = Object.entries(remembered.columns).filter(([, { field }]) => field !== "");
  const again = leftOut.some((one) => one !== null)
    ? (await guessColumns({ ...file, remembered: Object.fromEntries(wanted) }, rest)).columns
    : columns;
  const lasting = leftOut.map((on, index) => (on === null ? null : { on, field: again[index] ?? "" }));
  return { kind, reading, first, columns, isGuessed, fit, leftOut: lasting };
}

/** The day on which a person left a column out; null if nobody did last. */
function leftOutOf({ columns }: Remembered, key: string): string | null {
  const chosen = Object.hasOwn(columns, key) ? columns[key] : undefined;
  return chosen?.field === "" ? chosen.on : null;
}

/** The cells of the first rows behind the header, cut to the characters that are looked at. */
export function samplesOf(rows: readonly CsvRow[]): Samples {
  return rows.flatMap((row) => ("cells" in row ? [row.cells.map((cell) => cell.slice(0, SAMPLE_LENGTH))] : []));
}

/** The index of the row with the most known names, the first of equals. Titles stand above it. */
async function headerAt(kind: string, fields: FieldTable, rows: readonly CsvRow[], rest: Rest): Promise<number> {
  const known: number[] = [];
  for (const row of rows.slice(0, MOST_TITLES)) {
    const names = namesIn(row);
    await rest(guessWork(names));
    // A cell alone is rather a title, even if a column could be called so.
    const isLone = names.filter((name) => name !== "").length < 2;
    // Groups of columns have their name above each of them.
    known.push(new Set(knownNames(kind, fields, names)).size - (isLone ? 0.5 : 0));
  }
  const most = Math.max(0, ...known);
  return most <= Math.max(0, known[0] ?? 0) ? 0 : known.indexOf(most);
}

/** The names in a header; empty if it cannot be read. */
export function namesIn(first: CsvRow | undefined): string[] {
  return first !== undefined && "cells" in first ? headerNames(first.cells) : [];
}

/** Whether the row has names that can be mapped to fields by hand. */
function isMappable(first: CsvRow | undefined): boolean {
  const cells = first !== undefined && "cells" in first ? first.cells : [];
  return headerNames(cells).some((name) => name !== "") && !isArchive(cells);
}

/** Why a file with this header cannot be imported with this reading; null if it can. */
export function refusalOf(kind: Kind, first: CsvRow | undefined, reading: Reading): ImportReason | null {
  try {
    parseHeader(kind, first, reading);
    return null;
  } catch (error) {
    if (error instanceof FileRefusal) return error.reason;
    throw error;
  }
}

/** Rows that are looked at before an import, and those of them that may be titles above the header. */
const MOST_ROWS = 60;
const MOST_TITLES = 20;

/** The first rows of a stored file, from its header on; null if it cannot be decrypted. */
export async function lookInto(
  deps: Deps,
  tenant: TenantId,
  id: string,
  reading: Reading,
  part: FilePart = "rows",
): Promise<{ rows: CsvRow[] } | null> {
  const found: CsvRow[] = [];
  try {
    for await (const rows of readRows(readChunks(tenant, deps, id, part), throttleOf(deps, tenant), reading)) {
      found.push(...rows.slice(0, MOST_ROWS - found.length));
      if (found.length === MOST_ROWS) break;
    }
  } catch (error) {
    if (error instanceof UndecryptableValue) return null;
    throw error;
  }
  return { rows: found };
}

/** The same bytes in pieces of equal length. */
async function* pieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let pending: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    pending.push(chunk);
    length += chunk.length;
    if (length < CHUNK_BYTES) continue;
    const bytes = Buffer.concat(pending);
    const whole = bytes.length - (bytes.length % CHUNK_BYTES);
    for (let at = 0; at < whole; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
    pending = [bytes.subarray(whole)];
    length = bytes.length - whole;
  }
  if (length > 0) yield Buffer.concat(pending);
}
