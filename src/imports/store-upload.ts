import type { Deps } from "../deps.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { Refusal } from "../platform/refusal.ts";
import type { ReceivedFile } from "../web/forms/receive.ts";
import { CHUNK_BYTES, forgetImport, insertChunk, readChunks } from "./import-file-queries.ts";
import { importUploaded, insertImport, type Import } from "./import-queries.ts";
import { kindOf } from "./kinds.ts";
import { readCsv } from "./reading/csv-reader.ts";
import type { CsvRow } from "./reading/csv-row.ts";
import { guessDelimiter, guessingEncoding } from "./reading/guess-reading.ts";
import { parseHeader } from "./reading/header.ts";
import { turnsOf } from "./reading/reading-turns.ts";
import type { Delimiter, Encoding, Reading } from "./reading/reading.ts";

/** A file that was stored, and is no import yet; `encoding` is a guess. */
export type Stored = { id: string; bytes: number; encoding: Encoding };

/**
 * Stores a file piece by piece, as it comes; null where the tenant has no room for it. One that does not arrive as a whole, or is not
 * stored, leaves nothing.
 */
export async function storeFile(
  deps: Deps,
  tenant: TenantId,
  userId: string,
  { name, chunks }: ReceivedFile,
): Promise<Stored | null> {
  const id = await insertImport(tenant, deps.database, name, userId);
  let bytes = 0;
  let hasRoom = true;
  const guessing = guessingEncoding();
  try {
    // A browser shows no answer before it has sent the whole file: the rest is read, and not kept.
    for await (const piece of pieces(chunks)) {
      if (!hasRoom) continue;
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

/** Removes a stored file, whoever hangs up. */
export async function discardFile({ database }: Deps, tenant: TenantId, id: string): Promise<void> {
  await forgetImport(tenant, database.unattended, id);
}

/** How a file is to be read, as far as its reader was told; the rest is guessed. */
export type ReadingAsked = { encoding: Encoding | null; delimiter: Delimiter | null; clearsEmpty: boolean };

/**
 * Makes an import of a stored file, which is checked next. Null where it was made; else what is wrong with the file, as
 * parseHeader says it.
 */
export async function beginImport(
  deps: Deps,
  tenant: TenantId,
  { id, bytes, encoding: guessed }: Stored,
  { kind, encoding = null, delimiter = null, clearsEmpty = false }: { kind: string } & Partial<ReadingAsked>,
): Promise<string | null> {
  const chunks = () => readChunks(tenant, deps, id);
  const text = encoding ?? guessed;
  const between = delimiter ?? (await guessDelimiter(chunks(), text, turnsOf(deps, tenant)));
  const reading = { encoding: text, delimiter: between, clearsEmpty };
  const refusal = await refusalOf(deps, tenant, { id, kind, reading });
  if (refusal !== null) await discardFile(deps, tenant, id);
  else await importUploaded(tenant, deps.database, id, { kind, bytes, reading });
  return refusal;
}

/** Says why a file cannot be meant, read in this way; null where it can. */
export async function refusalOf(
  deps: Deps,
  tenant: TenantId,
  { id, kind, reading }: Pick<Import, "id" | "kind" | "reading">,
): Promise<string | null> {
  try {
    parseHeader(kindOf(kind), await firstRow(deps, tenant, id, reading), reading);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

async function firstRow(deps: Deps, tenant: TenantId, id: string, reading: Reading): Promise<CsvRow | undefined> {
  const rows = readCsv(readChunks(tenant, deps, id), turnsOf(deps, tenant), reading);
  for await (const [first] of rows) if (first !== undefined) return first;
  return undefined;
}

/** The same bytes, in pieces of one length. */
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
