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

/** In the name of a file until it is complete. */
export const UNFINISHED = ".liaison-unfinished-";

export type WrittenFile = { bytes: number; sha256: string };

/** The name of standard output. */
export const STANDARD_OUTPUT = "-";

/**
 * Writes a backup, to a file that only its owner can read or to standard output. A temporary file is moved into place
 * once it is complete and on disk. After an interruption, the earlier file is still there, or none.
 * @param passphrase null: the file is not encrypted
 */
export async function writeBackup(
  file: string,
  content: AsyncIterable<Buffer | string>,
  signal: AbortSignal,
  passphrase: string | null = null,
): Promise<WrittenFile> {
  const seal = sealing();
  const writeTo = async (output: NodeJS.WritableStream, end: boolean) => {
    const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
    const encrypt = (compressed: AsyncIterable<Buffer>) => encrypting(compressed, passphrase);
    await pipeline(Readable.from(content, { objectMode: false }), compress, encrypt, seal.step, output, {
      signal,
      end,
    }).catch((error: unknown) => {
      const { syscall, errno } = error as NodeJS.ErrnoException;
      if (syscall !== "write" || errno === undefined) throw error;
      const name = file === STANDARD_OUTPUT ? "Standard output" : file;
      throw new Refusal(
        `${name} cannot be written: ${getSystemErrorMessage(errno)}. Free space there, or name another file.`,
      );
    });
  };
  if (file === STANDARD_OUTPUT) {
    if (process.stdout.isTTY) throw new Refusal("Standard output is a terminal: send it to a file or a program.");
    await writeTo(process.stdout, false);
    return seal.written();
  }
  refuseOthers(file);
  const unfinished = `${file}${UNFINISHED}${randomBytes(6).toString("hex")}`;
  try {
    await writeTo(fs.createWriteStream(unfinished, { flags: "wx", mode: 0o600, flush: true }), true);
    fs.renameSync(unfinished, file);
    makeDurable(path.dirname(path.resolve(file)));
    return seal.written();
  } catch (error) {
    fs.rmSync(unfinished, { force: true });
    throw error;
  }
}

/**
 * A backup replaces any file of its name, so a device such as `/dev/null` must be rejected. The directory is checked
 * first, so that the error does not name the temporary file.
 */
function refuseOthers(file: string): void {
  if (fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() === false)
    throw new Refusal(`${file} is not a regular file. Name a regular or a new file, or - for standard output.`);
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
