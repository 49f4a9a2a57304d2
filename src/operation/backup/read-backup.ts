import { createHash } from "node:crypto";
import fs from "node:fs";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isDeepStrictEqual } from "node:util";
import { createZstdDecompress } from "node:zlib";
import { errorCode } from "../../platform/error-code.ts";
import {
  asOfToday,
  isOfEarlierSchema,
  migrationsOfEarlierSchema,
  sequenceOfToday,
} from "../../platform/postgres/migrations/earlier-schema.ts";
import type { StoredTable } from "../../platform/postgres/stored-tables.ts";
import { Refusal } from "../../platform/refusal.ts";
import { SEAL_BYTES, sealOf, summing, type BackupHeader, type Trailer } from "./backup-format.ts";
import { firstLineOf, partOrTrailer } from "./backup-lines.ts";
import { Malformed, contentReader, type ContentReader } from "./content-reader.ts";
import { decrypting } from "./passphrase.ts";

/** The first line of a backup, with the current names of its migrations, and its last line. */
export type Described<H extends BackupHeader = BackupHeader> = { header: H; trailer: Trailer };

export type BackupReading = {
  file: string;
  signal: AbortSignal;
  /** Null: the file is not encrypted. */
  passphrase?: string | null;
  /** Processes the rows of a table: all of them or none. */
  onTable?: (table: StoredTable, rows: AsyncIterable<Buffer>) => Promise<void>;
};

/**
 * Reads a backup file to its end and checks every sum. The sum of the whole file is checked before any content is used.
 * Throws Refusal if the file is damaged, not a backup or of another kind, and any error of `onTable`.
 */
export async function readBackup<K extends BackupHeader["liaison"]>(
  kind: K,
  reading: BackupReading,
): Promise<Described<Extract<BackupHeader, { liaison: K }>>> {
  const { file, signal } = reading;
  const last = await checkSeal(file, signal);
  const content = await decrypting(file, last, reading.passphrase ?? null);
  if (content === null)
    throw new Refusal(`${file} is encrypted: name the file with its passphrase, --passphrase-file.`);
  const { start, end, step } = content;
  const described = await pipeline(
    fs.createReadStream(file, { start, end }),
    step,
    createZstdDecompress(),
    async (clear: AsyncIterable<Buffer>) => await readContent(kind, contentReader(clear), reading),
    { signal },
  ).catch((error: unknown) => {
    throw ofContent(error, file, !(step instanceof PassThrough));
  });
  return described as Described<Extract<BackupHeader, { liaison: K }>>;
}

/** The offset of the last byte before the seal. */
async function checkSeal(file: string, signal: AbortSignal): Promise<number> {
  const found = await fs.promises.stat(file);
  if (found.isDirectory()) throw new Refusal(`${file} is a directory: name the backup.`);
  const last = found.size - SEAL_BYTES - 1;
  if (last < 0) throw damaged(file);
  const hash = createHash("sha256");
  for await (const chunk of fs.createReadStream(file, { end: last, signal })) hash.update(chunk as Buffer);
  const seal = await fs.createReadStream(file, { start: last + 1, signal }).toArray();
  if (!Buffer.concat(seal as Buffer[]).equals(sealOf(hash.digest()))) throw damaged(file);
  return last;
}

function damaged(file: string): Refusal {
  return new Refusal(`${file} is damaged, or no backup of Liaison: its sum is wrong. Take another one.`);
}

/**
 * Turns an error of the content into one line, and leaves others unchanged. With a wrong passphrase, decompression
 * fails.
 */
function ofContent(error: unknown, file: string, isEncrypted: boolean): unknown {
  if (error instanceof Malformed)
    return new Refusal(`${file} ${error.message}: it is not a Liaison backup. Use another file.`);
  const isUnclear =
    /^(?:ERR_CRYPTO|ERR_OSSL|ZSTD|Z_)/.test(errorCode(error)) || /unable to authenticate/.test(String(error));
  if (!isUnclear) return error;
  return isEncrypted ? new Refusal(`The passphrase is not that of ${file}.`) : damaged(file);
}

async function readContent(
  kind: BackupHeader["liaison"],
  content: ContentReader,
  { file, onTable = async () => {} }: BackupReading,
): Promise<Described> {
  const header = firstLineOf(await content.line(), file);
  if (header.liaison !== kind)
    throw new Refusal(
      `${file} is ${header.liaison === "tenant" ? "of one tenant: tenant restore reads it" : "of a whole instance: restore reads it"}.`,
    );
  const isEarlier = isOfEarlierSchema(header.migrations);
  const migrations = isEarlier ? migrationsOfEarlierSchema(kind) : header.migrations;
  for (;;) {
    const next = partOrTrailer(await content.line());
    if (!("table" in next)) {
      await content.end();
      const sequences = isEarlier ? next.sequences.map(sequenceOfToday) : next.sequences;
      return { header: { ...header, migrations }, trailer: { ...next, sequences } };
    }
    const { rows, sums } = summing(content.pieces());
    const today = isEarlier ? asOfToday(next.table, rows) : { table: next.table, rows };
    await onTable(today.table, today.rows);
    await skipRows(rows);
    if (!isDeepStrictEqual(sums(), await content.line())) {
      throw new Refusal(`${file} does not have the rows of ${next.table.name} as they were: take another backup.`);
    }
  }
}

/** Reads the remaining rows of a table that `onTable` has not read. */
async function skipRows(rows: AsyncIterable<Buffer>): Promise<void> {
  const pieces = rows[Symbol.asyncIterator]();
  while ((await pieces.next()).done !== true);
}
