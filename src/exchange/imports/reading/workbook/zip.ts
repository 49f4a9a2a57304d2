import { pipeline, Readable } from "node:stream";
import { createInflateRaw } from "node:zlib";
import { FileRefusal } from "../../reasons.ts";
import type { Rest } from "../csv-reader.ts";
import type { FilePieces } from "./file-pieces.ts";

/**
 * Unpacked bytes that may still be read of a workbook, whatever its entries declare: when its first table is sought,
 * and each time that a sheet is read.
 */
export type Budget = { left: number };

export const UNPACKED_LIMIT = 512 * 1024 * 1024;
/** Entries of a workbook: a workbook has some for each sheet and picture. */
const MOST_ENTRIES = 20_000;
/** Bytes of the name of one entry, and of all names. */
const NAME_BYTES = 1024;
const ALL_NAMES_BYTES = 4 * 1024 * 1024;

const [CENTRAL, LOCAL] = [0x02014b50, 0x04034b50];
const [END_SIZE, CENTRAL_SIZE, LOCAL_SIZE] = [22, 46, 30];
/** Bytes of the comment that may follow the end of the directory. */
const COMMENT_BYTES = 65_535;
const [STORED, DEFLATED] = [0, 8];
/** Work between two rests, and the work of one entry beside its name (csv-reader.ts). */
const WORK_AT_ONCE = 64 * 1024;
const ENTRY_WORK = 256;

/**
 * @property local where the entry begins, and `size` the length of its packed bytes
 * @property isTwice whether another entry has the name, so that programs disagree about it
 */
export type ZipEntry = { isEncrypted: boolean; method: number; local: number; size: number; isTwice: boolean };

/** The entries of a ZIP archive by name. Nothing is unpacked. Throws FileRefusal. */
export async function zipEntries(file: FilePieces, rest: Rest): Promise<Map<string, ZipEntry>> {
  const tail = file.bytes(Math.max(0, file.length - END_SIZE - COMMENT_BYTES), file.length);
  const end = tail.lastIndexOf(Buffer.from("PK\u0005\u0006", "latin1"));
  if (end < 0 || end + END_SIZE > tail.length) throw damaged();
  const count = tail.readUInt16LE(end + 10);
  if (count > MOST_ENTRIES) throw damaged();
  const entries = new Map<string, ZipEntry>();
  const directoryEnd = file.length - tail.length + end;
  let at = tail.readUInt32LE(end + 16);
  let [work, nameBytes] = [0, 0];
  for (let index = 0; index < count; index++) {
    if (at + CENTRAL_SIZE > directoryEnd) throw damaged();
    const head = file.bytes(at, at + CENTRAL_SIZE);
    if (head.readUInt32LE(0) !== CENTRAL) throw damaged();
    const [nameLength, others] = [head.readUInt16LE(28), head.readUInt16LE(30) + head.readUInt16LE(32)];
    nameBytes += nameLength;
    if (nameLength > NAME_BYTES || nameBytes > ALL_NAMES_BYTES) throw damaged();
    work += ENTRY_WORK + nameLength;
    if (work >= WORK_AT_ONCE) {
      await rest(work);
      work = 0;
    }
    const written = file.bytes(at + CENTRAL_SIZE, at + CENTRAL_SIZE + nameLength).toString();
    // Some writers use backslashes, and a name is compared without case.
    const name = written.replaceAll("\\", "/").toLowerCase();
    entries.set(name, {
      isTwice: entries.has(name),
      isEncrypted: (head.readUInt16LE(8) & 1) === 1,
      method: head.readUInt16LE(10),
      local: head.readUInt32LE(42),
      size: head.readUInt32LE(20),
    });
    at += CENTRAL_SIZE + nameLength + others;
  }
  return entries;
}

/** The bytes of an entry, in pieces. Throws FileRefusal. */
export async function* unpack(file: FilePieces, entry: ZipEntry, budget: Budget): AsyncGenerator<Buffer> {
  if (entry.isTwice) throw damaged();
  if (entry.isEncrypted) throw new FileRefusal({ code: "workbookLocked" });
  const packed = packedBytes(file, entry);
  const pieces = entry.method === DEFLATED ? inflated(packed) : entry.method === STORED ? sliced(packed) : null;
  if (pieces === null) throw damaged();
  for await (const piece of pieces) {
    budget.left -= piece.length;
    if (budget.left < 0) throw new FileRefusal({ code: "workbookTooLarge" });
    yield piece;
  }
}

function packedBytes(file: FilePieces, { local, size }: ZipEntry): Iterable<Buffer> {
  if (local + LOCAL_SIZE > file.length) throw damaged();
  const head = file.bytes(local, local + LOCAL_SIZE);
  if (head.readUInt32LE(0) !== LOCAL) throw damaged();
  const start = local + LOCAL_SIZE + head.readUInt16LE(26) + head.readUInt16LE(28);
  if (start + size > file.length) throw damaged();
  return file.pieces(start, start + size);
}

/** Small, because a few bytes of a sheet may become many rows. */
const PIECE_BYTES = 16 * 1024;

async function* inflated(packed: Iterable<Buffer>): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: PIECE_BYTES });
  // The iterator below reports the failures.
  pipeline(Readable.from(packed), inflate, () => {});
  const pieces = inflate[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const next = await pieces.next().catch(() => {
        throw damaged();
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    inflate.destroy();
  }
}

function* sliced(packed: Iterable<Buffer>): Generator<Buffer> {
  for (const piece of packed) {
    for (let at = 0; at < piece.length; at += PIECE_BYTES) yield piece.subarray(at, at + PIECE_BYTES);
  }
}

export function damaged(): FileRefusal {
  return new FileRefusal({ code: "workbookDamaged" });
}
