import { createInflateRaw } from "node:zlib";
import { FileRefusal } from "../reasons.ts";

/** Unpacked bytes that may still be read of a workbook, whatever its entries declare. */
export type Budget = { left: number };

export const UNPACKED_LIMIT = 512 * 1024 * 1024;
/** Entries of a workbook: a workbook has some for each sheet and picture. */
const MOST_ENTRIES = 20_000;

const [END, CENTRAL, LOCAL] = [0x06054b50, 0x02014b50, 0x04034b50];
const [END_SIZE, CENTRAL_SIZE, LOCAL_SIZE] = [22, 46, 30];
const [STORED, DEFLATED] = [0, 8];

export type ZipEntry = { name: string; isEncrypted: boolean; method: number; packed: Buffer };

/** The entries of a ZIP archive by name. Nothing is unpacked. Throws FileRefusal. */
export function zipEntries(file: Buffer): Map<string, ZipEntry> {
  const end = file.lastIndexOf(Buffer.from("PK\u0005\u0006", "latin1"));
  if (end < 0 || end + END_SIZE > file.length || file.readUInt32LE(end) !== END) throw damaged();
  const count = file.readUInt16LE(end + 10);
  if (count > MOST_ENTRIES) throw damaged();
  const entries = new Map<string, ZipEntry>();
  let at = file.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (at + CENTRAL_SIZE > end || file.readUInt32LE(at) !== CENTRAL) throw damaged();
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => file.readUInt16LE(at + offset));
    const name = file.toString("utf8", at + CENTRAL_SIZE, at + CENTRAL_SIZE + Number(nameLength));
    // Some writers use backslashes, and a name is compared without case.
    entries.set(name.replaceAll("\\", "/").toLowerCase(), {
      name,
      isEncrypted: (file.readUInt16LE(at + 8) & 1) === 1,
      method: file.readUInt16LE(at + 10),
      packed: packedBytes(file, file.readUInt32LE(at + 42), file.readUInt32LE(at + 20)),
    });
    at += CENTRAL_SIZE + Number(nameLength) + Number(extra) + Number(comment);
  }
  return entries;
}

function packedBytes(file: Buffer, local: number, size: number): Buffer {
  if (local + LOCAL_SIZE > file.length || file.readUInt32LE(local) !== LOCAL) throw damaged();
  const start = local + LOCAL_SIZE + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
  if (start + size > file.length) throw damaged();
  return file.subarray(start, start + size);
}

/** The bytes of an entry, in pieces. Throws FileRefusal. */
export async function* unpack({ method, packed, isEncrypted }: ZipEntry, budget: Budget): AsyncGenerator<Buffer> {
  if (isEncrypted) throw new FileRefusal({ code: "workbookLocked" });
  const pieces = method === DEFLATED ? inflated(packed) : method === STORED ? sliced(packed) : null;
  if (pieces === null) throw damaged();
  for await (const piece of pieces) {
    budget.left -= piece.length;
    if (budget.left < 0) throw new FileRefusal({ code: "workbookTooLarge" });
    yield piece;
  }
}

/** Small, because a few bytes of a sheet may name a shared text of 32,767 characters. */
const PIECE_BYTES = 16 * 1024;

async function* inflated(packed: Buffer): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: PIECE_BYTES });
  inflate.end(packed);
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

function* sliced(packed: Buffer): Generator<Buffer> {
  for (let at = 0; at < packed.length; at += PIECE_BYTES) yield packed.subarray(at, at + PIECE_BYTES);
}

export function damaged(): FileRefusal {
  return new FileRefusal({ code: "workbookDamaged" });
}
