import assert from "node:assert/strict";
import { test } from "node:test";
import { readCsv } from "../../../src/exchange/imports/reading/csv-reader.ts";
import { BAD_QUOTES, type CsvRow } from "../../../src/exchange/imports/reading/csv-row.ts";
import { fc } from "../../properties.ts";
import { assertReadWell, hostileFiles, type HostileFile } from "./hostile-files.ts";

async function read(...chunks: string[]): Promise<CsvRow[]> {
  const source = (async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk);
  })();
  return (await Array.fromAsync(readCsv(source, async () => {}))).flat();
}

/** A row of as many bytes as it may have, in 130,000 lines, behind some rows; and one whose last line is most of it. */
const longest: HostileFile[] = [
  { parts: [part('"\n'), part('"a""aa"\n', 130_065), part('"\ufeff"\n', 3), part('a""a"\n')], chunks: [262_144] },
  {
    parts: [part("a\n", 3_500), part('"\n'), part("\n", 120_000), part("b", 900_000), part('"x\n')],
    chunks: [262_144],
  },
];

function part(text: string, times = 1): HostileFile["parts"][number] {
  return { text: Buffer.from(text), times };
}

test("whatever a file's quotation marks, it is read once, with rests, a bounded part of it at a time", async () => {
  await fc.assert(fc.asyncProperty(hostileFiles(1_000), assertReadWell), { numRuns: 300 });
  await fc.assert(fc.asyncProperty(hostileFiles(6_000_000), assertReadWell), { numRuns: 6 });
  for (const file of longest) await assertReadWell(file);
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

test("a file in any encoding is read as it comes, wherever it is cut, and what is no text in it costs only itself", async () => {
  const text = 'nume;oraș\n"Ț;""A";Iași\n\ud83d\ude9a;x\n';
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  for (const size of [1, 2, 3, 5]) {
    for (const [encoding, file] of [
      ["utf-16le", bytes],
      ["utf-16be", Buffer.from(bytes).swap16()],
      ["utf-8", Buffer.from(text)],
    ] as const) {
      const chunks = (async function* () {
        for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size);
      })();
      const rows = await Array.fromAsync(readCsv(chunks, async () => {}, { encoding, delimiter: ";" }));
      assert.deepEqual(rows.flat(), [
        { line: 1, cells: ["nume", "oraș"] },
        { line: 2, cells: ['Ț;"A', "Iași"] },
        { line: 3, cells: ["\ud83d\ude9a", "x"] },
      ]);
    }
  }
  // Half of a pair, a byte too much, and bytes that Windows-1250 has no letter for.
  for (const [encoding, hex] of [
    ["utf-16le", "fffe61003dd80a006200ff"],
    ["windows-1250", "61810a62"],
  ] as const) {
    const chunks = (async function* () {
      yield Buffer.from(hex, "hex");
    })();
    const rows = (await Array.fromAsync(readCsv(chunks, async () => {}, { encoding, delimiter: "," }))).flat();
    assert.equal(rows.length, 2);
    assert.ok(rows.every((row) => "cells" in row));
  }
});

test("a row of two of the longest texts, with nothing but line breaks inside, is one", async () => {
  const text = `a${"\n".repeat(65_533)}b`;
  assert.deepEqual(await read("notes,delivery_notes\n", `"${text}","${text}"\nx,y\n`), [
    { line: 1, cells: ["notes", "delivery_notes"] },
    { line: 2, cells: [text, text] },
    { line: 131_069, cells: ["x", "y"] },
  ]);
});
