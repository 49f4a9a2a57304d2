import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { LINE_WORK, readCsv } from "../../../src/exchange/imports/reading/csv-reader.ts";
import { ROW_BYTES, ROW_LINES, type CsvRow } from "../../../src/exchange/imports/reading/csv-row.ts";
import { fc } from "../../properties.ts";
import { readSimply } from "./reference-reader.ts";

/** A file as its parts, each of them repeated, and the sizes of the chunks in which it comes, by turns. */
export type HostileFile = { parts: { text: Buffer; times: number }[]; chunks: number[] };

const pieces = ["", "a", '"', '""', '"a', 'a"', '"a"', '"a"b', "a,b", ",", '","', "\r", " ", "ă", "𝒳", "\0", "\ufeff"];
const lines = fc.array(fc.constantFrom(...pieces), { maxLength: 4 }).map((some) => Buffer.from(some.join("")));
const noText = fc.constantFrom("ff", "c3", "eda080", "feff").map((bytes) => Buffer.from(bytes, "hex"));
const wide = fc.integer({ min: 480, max: 520 }).map((cells) => Buffer.from(",".repeat(cells)));
const quoted = fc.array(fc.constantFrom(...pieces, "\n", "\r\n"), { maxLength: 6 }).map((some) => {
  return Buffer.from(`"${some.join("").replaceAll('"', '""')}"`);
});
const breaks = fc.constantFrom("\n", "\n", "\n", "\r\n", "", ",").map((text) => Buffer.from(text));

/** @param bytes of the largest file, about */
export function hostileFiles(bytes: number): fc.Arbitrary<HostileFile> {
  const line = fc.oneof({ weight: 6, arbitrary: lines }, { weight: 3, arbitrary: quoted }, noText, wide);
  const text = fc.tuple(line, breaks).map((both) => Buffer.concat(both));
  const times = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 3 }) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 5_000 }) },
    fc.integer({ min: 1, max: bytes }),
  );
  const part = fc.record({ text, times }).map(({ text: some, times: often }) => {
    return { text: some, times: Math.min(often, Math.ceil(bytes / 4 / Math.max(1, some.length))) };
  });
  const sizes = fc.array(fc.constantFrom(1, 7, 1_000, 16_384, 65_536, 262_144), { minLength: 1, maxLength: 3 });
  return fc.record({ parts: fc.array(part, { maxLength: 8 }), chunks: sizes }).map(({ parts, chunks }) => {
    // A few chunks of a byte are as telling as a million.
    const isLarge = parts.reduce((sum, some) => sum + some.text.length * some.times, 0) > 100_000;
    return { parts, chunks: isLarge ? chunks.map((size) => Math.max(size, 1_000)) : chunks };
  });
}

/** Reads a file, and holds what is promised of every one. */
export async function assertReadWell({ parts, chunks }: HostileFile): Promise<void> {
  const file = Buffer.concat(parts.map(({ text, times }) => Buffer.alloc(text.length * times, text)));
  let [work, longest, sinceRest, furthest] = [0, 0, 0, 0];
  async function* source(): AsyncGenerator<Uint8Array> {
    for (let [at, turn] = [0, 0]; at < file.length; turn++) {
      const chunk = file.subarray(at, at + (chunks[turn % chunks.length] ?? 1));
      at += chunk.length;
      sinceRest += chunk.length;
      furthest = Math.max(furthest, sinceRest);
      yield chunk;
    }
  }
  const rest = async (some: number): Promise<void> => {
    work += some;
    longest = Math.max(longest, some);
    sinceRest = 0;
  };
  const expected = readSimply(file);
  let at = 0;
  for await (const rows of readCsv(source(), rest)) {
    assert.ok(rows.length <= MOST_ROWS, `${rows.length} rows came together`);
    // What a row may mean beside the rules of CSV has tests of its own.
    assertRows(
      rows.map(({ loose: _loose, lenient: _lenient, ...row }) => row),
      expected.slice(at, at + rows.length),
    );
    at += rows.length;
  }
  assert.equal(at, expected.length, "the rows");
  const lineFeeds = file.filter((byte) => byte === 10).length;
  const size = file.length + LINE_WORK * (1 + file.filter((byte) => byte === 10 || byte === 13).length);
  assert.ok(work <= 3 * size, `${work} for ${size}`);
  assert.ok(work >= LINE_WORK * lineFeeds, `${work} for ${lineFeeds} lines`);
  // A row of as many bytes and lines as it may have is put together at once, behind what does not need a rest yet.
  assert.ok(longest <= WORK_AT_ONCE + ROW_BYTES + LINE_WORK * ROW_LINES, `${longest} without a rest`);
  assert.ok(furthest <= 262_144, `${furthest} bytes were taken without a rest`);
}

const WORK_AT_ONCE = 64 * 1024;
const MOST_ROWS = WORK_AT_ONCE / LINE_WORK + 2;

function assertRows(rows: CsvRow[], expected: CsvRow[]): void {
  if (!isDeepStrictEqual(rows, expected)) assert.deepEqual(rows, expected);
}
