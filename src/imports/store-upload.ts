import type { Deps } from "../deps.ts";
import { UndecryptableValue } from "../platform/encryption/keyring.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import type { ReceivedFile } from "../web/forms/receive.ts";
import { CHUNK_BYTES, forgetImport, insertChunk, readChunks } from "./import-file-queries.ts";
import { importUploaded, insertImport } from "./import-queries.ts";
import { kindOf } from "./kinds.ts";
import { findMapping, type Mapping } from "./mapping-queries.ts";
import { readCsv } from "./reading/csv-reader.ts";
import type { CsvRow } from "./reading/csv-row.ts";
import { guessDelimiter, guessingEncoding } from "./reading/guess-reading.ts";
import { headerNames, isArchive, parseHeader } from "./reading/header.ts";
import { turnsOf } from "./reading/reading-turns.ts";
import type { Delimiter, Encoding, Reading } from "./reading/reading.ts";
import { FileRefusal, type ImportReason } from "./reading/reasons.ts";

/** A stored file that is not an import yet; `encoding` is a guess. */
export type StoredFile = { id: string; bytes: number; encoding: Encoding };

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
  const rest = turnsOf(deps, tenant);
  try {
    // A browser shows no response before it has sent the whole file: the rest is read and dropped.
    for await (const piece of pieces(chunks)) {
      if (!hasRoom) continue;
      // Encryption and storage use the tenant's share of time, as reading does.
      await rest(piece.length);
      bytes += piece.length;
      guessing.look(piece);
      hasRoom = await insertChunk(tenant, deps, id, piece);
      if (!hasRoom) await discardFile(deps, tenant, id);
    }
  } catch (error) {
    await discardFile(deps, tenant, id);
    throw error;
  }
  return hasRoom ? { id, bytes, encoding: guessing.encoding() } : null;
}

/** Removes a stored file, even if the client has disconnected. */
export async function discardFile({ database }: Deps, tenant: TenantId, id: string): Promise<void> {
  await forgetImport(tenant, database.unattended, id);
}

/** The reading that was asked for; null values are guessed. */
export type ReadingAsked = Pick<Reading, "clearsEmpty" | "language"> & {
  encoding: Encoding | null;
  delimiter: Delimiter | null;
};

/**
 * Makes a stored file an import, which is checked next or waits for its columns to be mapped. Returns what is wrong
 * with the file, or null if the import was made.
 */
export async function beginImport(
  deps: Deps,
  tenant: TenantId,
  { id, bytes, encoding: guessed }: StoredFile,
  {
    kind,
    encoding = null,
    delimiter = null,
    clearsEmpty = false,
    language = null,
  }: { kind: string } & Partial<ReadingAsked>,
): Promise<ImportReason | null> {
  const chunks = () => readChunks(tenant, deps, id);
  const text = encoding ?? guessed;
  const between = delimiter ?? (await guessDelimiter(chunks(), text, turnsOf(deps, tenant)));
  const asRead = { encoding: text, delimiter: between, clearsEmpty, columns: null, language };
  const first = (await firstRow(deps, tenant, id, asRead)) ?? undefined;
  const mapping = await findMapping(tenant, deps.database, kind);
  const reading = { ...asRead, columns: columnsBy(mapping, namesIn(first)) };
  const refusal = refusalOf(kind, first, reading);
  if (refusal === null || isMappable(first)) {
    const state = refusal === null ? "checking" : "mapping";
    await importUploaded(tenant, deps.database, id, { kind, bytes, reading, state });
    return null;
  }
  await discardFile(deps, tenant, id);
  return refusal;
}

/** The names in a file's first row; empty if it cannot be read. */
export function namesIn(first: CsvRow | undefined): string[] {
  return first !== undefined && "cells" in first ? headerNames(first.cells) : [];
}

/** The columns as they were mapped before; null if none of these names is known. */
export function columnsBy(mapping: Mapping, names: readonly string[]): string[] | null {
  const columns = names.map((name) => (Object.hasOwn(mapping, name) ? (mapping[name] ?? "") : name));
  return columns.every((column, index) => column === names[index]) ? null : columns;
}

/** Whether the row has names that can be mapped to fields by hand. */
function isMappable(first: CsvRow | undefined): boolean {
  const cells = first !== undefined && "cells" in first ? first.cells : [];
  return headerNames(cells).some((name) => name !== "") && !isArchive(cells);
}

/** Why a file with this first row cannot be imported with this reading; null if it can. */
export function refusalOf(kind: string, first: CsvRow | undefined, reading: Reading): ImportReason | null {
  try {
    parseHeader(kindOf(kind), first, reading);
    return null;
  } catch (error) {
    if (error instanceof FileRefusal) return error.reason;
    throw error;
  }
}

/** The first row of a stored file; undefined for an empty file, null if it cannot be decrypted. */
export async function firstRow(
  deps: Deps,
  tenant: TenantId,
  id: string,
  reading: Reading,
): Promise<CsvRow | undefined | null> {
  const rows = readCsv(readChunks(tenant, deps, id), turnsOf(deps, tenant), reading);
  try {
    for await (const [first] of rows) if (first !== undefined) return first;
  } catch (error) {
    if (error instanceof UndecryptableValue) return null;
    throw error;
  }
  return undefined;
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
