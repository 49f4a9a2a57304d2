import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { getSystemErrorMessage } from "node:util";
import { constants, createZstdCompress } from "node:zlib";
import { makeDurable } from "../../platform/durable.ts";
import type { PartOfTable } from "../../platform/postgres/stored-tables.ts";
import { Refusal } from "../../platform/refusal.ts";
import { sealOf, summing, type PartBegin } from "./backup-format.ts";
import { encrypting } from "./passphrase.ts";

export type WrittenFile = { bytes: number; sha256: string };

/**
 * Writes a backup file that only its owner can read. A temporary file is moved into place once it is complete and on
 * disk. After an interruption, the earlier file is still there, or none.
 * @param passphrase null: the file is not encrypted
 */
export async function writeBackup(
  file: string,
  content: AsyncIterable<Buffer | string>,
  signal: AbortSignal,
  passphrase: string | null = null,
): Promise<WrittenFile> {
  refuseOthers(file);
  const unfinished = `${file}.liaison-unfinished-${randomBytes(6).toString("hex")}`;
  const output = fs.createWriteStream(unfinished, { flags: "wx", mode: 0o600, flush: true });
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  const seal = sealing();
  try {
    await pipeline(
      Readable.from(content, { objectMode: false }),
      compress,
      (compressed: AsyncIterable<Buffer>) => encrypting(compressed, passphrase),
      seal.step,
      output,
      { signal },
    );
    fs.renameSync(unfinished, file);
    makeDurable(path.dirname(path.resolve(file)));
    return seal.written();
  } catch (error) {
    fs.rmSync(unfinished, { force: true });
    const { syscall, errno } = error as NodeJS.ErrnoException;
    if (syscall !== "write" || errno === undefined) throw error;
    throw new Refusal(
      `${file} cannot be written: ${getSystemErrorMessage(errno)}. Free space there, or name another file.`,
    );
  }
}

/**
 * A backup replaces any file of its name, so a device such as `/dev/null` must be rejected. The directory is checked
 * first, so that the error does not name the temporary file.
 */
function refuseOthers(file: string): void {
  if (fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() === false)
    throw new Refusal(`${file} is not a regular file. Name a regular or a new file.`);
  fs.accessSync(path.dirname(path.resolve(file)), fs.constants.W_OK);
}

/** A pipeline step that appends the seal. */
function sealing(): { step: (pieces: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>; written: () => WrittenFile } {
  const hash = createHash("sha256");
  let bytes = 0;
  return {
    async *step(pieces) {
      for await (const piece of pieces) {
        hash.update(piece);
        bytes += piece.length;
        yield piece;
      }
      const seal = sealOf(hash.copy().digest());
      hash.update(seal);
      bytes += seal.length;
      yield seal;
    },
    written: () => ({ bytes, sha256: hash.digest("hex") }),
  };
}

/** The lines of a part of a table; returns the number of its rows. */
export async function* partLines({ table, pieces }: PartOfTable): AsyncGenerator<Buffer | string, number> {
  yield jsonLine({ table } satisfies PartBegin);
  const { rows, sums } = summing(pieces);
  for await (const piece of rows) {
    yield jsonLine(piece.length);
    yield piece;
  }
  yield jsonLine(0);
  const found = sums();
  yield jsonLine(found);
  return found.rows;
}

export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
