import { pipeline, Readable } from "node:stream";
import { crc32, createDeflateRaw } from "node:zlib";

/** A file within an archive. It has less than 4 GiB, packed and unpacked. */
export type ZipPart = { name: string; pieces: AsyncIterable<string> | Iterable<string> };

/** The facts about a part in its archive: its check sum, and its bytes. */
type Packed = { name: string; at: number; sum: number; packed: number; unpacked: number };

const [LOCAL, CENTRAL, END, BEHIND] = [0x04034b50, 0x02014b50, 0x06054b50, 0x08074b50];
const [VERSION, DEFLATED] = [20, 8];
/** The sizes follow a part, because they are unknown before. */
const SIZES_BEHIND = 8;
/** 1 January 1980: an archive always has a day. */
const DAY = 0x21;

/** A ZIP archive, part by part, as they are made. Names are ASCII. Packing does not block the event loop. */
export async function* zipped(parts: Iterable<ZipPart> | AsyncIterable<ZipPart>): AsyncGenerator<Buffer> {
  const all: Packed[] = [];
  let at = 0;
  for await (const { name, pieces } of parts) {
    const part: Packed = { name, at, sum: 0, packed: 0, unpacked: 0 };
    const head = headOf(true, part);
    yield head;
    for await (const bytes of deflated(pieces, part)) yield bytes;
    const sizes = numbers(BEHIND, part.sum, part.packed, part.unpacked);
    yield sizes;
    at += head.length + part.packed + sizes.length;
    all.push(part);
  }
  const directory = Buffer.concat(all.map((part) => headOf(false, part)));
  const end = Buffer.concat([
    numbers(END, 0),
    shorts(all.length, all.length),
    numbers(directory.length, at),
    shorts(0),
  ]);
  yield Buffer.concat([directory, end]);
}

async function* deflated(pieces: ZipPart["pieces"], part: Packed): AsyncGenerator<Buffer> {
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      const bytes = Buffer.from(piece);
      part.sum = crc32(bytes, part.sum);
      part.unpacked += bytes.length;
      yield bytes;
    }
  }
  const deflate = createDeflateRaw({ level: 1 });
  // The loop below throws what fails. One piece at a time is in memory.
  pipeline(Readable.from(counted(), { highWaterMark: 1 }), deflate, () => {});
  for await (const bytes of deflate as AsyncIterable<Buffer>) {
    part.packed += bytes.length;
    yield bytes;
  }
}

/** The head before a part in the archive, or its entry in the directory behind all. */
function headOf(isLocal: boolean, { name, at, sum, packed, unpacked }: Packed): Buffer {
  const facts = [
    shorts(VERSION, SIZES_BEHIND, DEFLATED, 0, DAY),
    numbers(sum, packed, unpacked),
    shorts(name.length, 0),
  ];
  const written = isLocal
    ? [numbers(LOCAL), ...facts]
    : [numbers(CENTRAL), shorts(VERSION), ...facts, shorts(0, 0, 0), numbers(0, at)];
  return Buffer.concat([...written, Buffer.from(name, "latin1")]);
}

function shorts(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, 2 * index);
  return bytes;
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, 4 * index);
  return bytes;
}
