import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readCsv } from "../../src/imports/reading/csv-reader.ts";
import { BAD_QUOTES, type CsvRow } from "../../src/imports/reading/csv-row.ts";
import { assertReadWell, hostileFiles } from "./hostile-files.ts";

async function read(...chunks: string[]): Promise<CsvRow[]> {
  const source = (async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk);
  })();
  return (await Array.fromAsync(readCsv(source, async () => {}))).flat();
}

test("whatever a file's quotation marks, it is read once, with rests, a bounded part of it at a time", async () => {
  await fc.assert(fc.asyncProperty(hostileFiles(1_000), assertReadWell), { numRuns: 300 });
  await fc.assert(fc.asyncProperty(hostileFiles(6_000_000), assertReadWell), { numRuns: 6 });
});

test("lines behind a quotation mark that is never closed are rows, after a bounded number of them, blank ones too", async () => {
  let chunksRead = 0;
  async function* file(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('name\n"open');
    for (; chunksRead < 20; chunksRead++) yield Buffer.alloc(65_536, "\n");
  }
  for await (const rows of readCsv(file(), async () => {})) {
    const complaint = rows.find((row) => "complaint" in row);
    if (complaint === undefined) continue;
    assert.deepEqual(complaint, { line: 2, complaint: BAD_QUOTES });
    assert.ok(chunksRead < 5, `${chunksRead} times 64 KiB were read`);
    return;
  }
  assert.fail("nothing was wrong with it");
});

test("a row of two of the longest texts, with nothing but line breaks inside, is one", async () => {
  const text = `a${"\n".repeat(65_533)}b`;
  assert.deepEqual(await read("notes,delivery_notes\n", `"${text}","${text}"\nx,y\n`), [
    { line: 1, cells: ["notes", "delivery_notes"] },
    { line: 2, cells: [text, text] },
    { line: 131_069, cells: ["x", "y"] },
  ]);
});
