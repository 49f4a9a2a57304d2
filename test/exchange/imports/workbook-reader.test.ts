import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { deflateRawSync } from "node:zlib";
import { readRows } from "../../../src/exchange/imports/reading/read-rows.ts";
import { AS_DOCUMENTED, type Reading } from "../../../src/exchange/imports/reading/reading.ts";
import { FilePieces } from "../../../src/exchange/imports/reading/workbook/file-pieces.ts";
import { firstTable } from "../../../src/exchange/imports/reading/workbook/first-table.ts";
import { writeSheet, type MergedCells } from "../../../src/exchange/imports/reading/workbook/sheet-rows.ts";
import { openWorkbook } from "../../../src/exchange/imports/reading/workbook/workbook.ts";
import { FileRefusal } from "../../../src/exchange/imports/reasons.ts";
import { workbook, zip, type Cell, type Sheet } from "./workbooks.ts";

const rest = async () => {};

/** A file as it is stored, in pieces. They are odd, so that parts of the archive begin and end within them. */
async function opened(file: Buffer) {
  const size = file.length > 100_000 ? 65_536 : 37;
  const pieces = Array.from({ length: Math.ceil(file.length / size) }, (_, at) =>
    file.subarray(at * size, (at + 1) * size),
  );
  return await openWorkbook(new FilePieces(pieces), rest);
}

/** The cells of a sheet's rows by their numbers, in a language. */
async function rowsOf(
  file: Buffer,
  { sheet = 0, language = "ro" as const, leavesHidden = false } = {},
): Promise<Record<number, string[]>> {
  const book = await opened(file);
  let pieces: Buffer[] = [];
  const written = async (merges: readonly MergedCells[]) => {
    pieces = [];
    return await writeSheet(book, { sheet, leavesHidden }, rest, async (piece) => void pieces.push(piece), merges);
  };
  let { merges, ...facts } = await written([]);
  if (merges.length > 0) ({ merges, ...facts } = await written(merges));
  const reading: Reading = { ...AS_DOCUMENTED, language, workbook: { sheets: [], sheet, leavesHidden, ...facts } };
  const chunks = (async function* () {
    yield* pieces;
  })();
  const found: Record<number, string[]> = {};
  for await (const rows of readRows(chunks, rest, reading)) {
    for (const row of rows) found[row.line] = "cells" in row ? row.cells : ["(unreadable)"];
  }
  return found;
}

const one = (rows: Cell[][], options: Partial<Sheet> = {}) => [{ name: "Foaie1", rows, ...options }];

test("cells are read as they are meant: texts, numbers, days, stored values of formulas, leading zeros", async () => {
  const rows: Cell[][] = [
    ["Denumire", "Valoare", "Data", "Cod poștal", "Formulă", "Note", "Telefon"],
    [
      'A "x", B & <C>',
      1234.5,
      { day: "2026-11-25" },
      { digits: 6, value: 10_101 },
      { formula: "A1", value: "țuică" },
      "două\nrânduri",
      40_722_000_111,
    ],
    [null, null, null],
    ["  ", 1.234, { day: "2026-11-26" }, 400_632, { formula: "1/3", value: 0.1 + 0.2 }, null, 1e21],
    ["ultim", -3],
  ];
  for (const isInline of [false, true]) {
    const found = await rowsOf(workbook(one(rows, { isInline })));
    assert.deepEqual(found, {
      1: ["Denumire", "Valoare", "Data", "Cod poștal", "Formulă", "Note", "Telefon"],
      2: ['A "x", B & <C>', "1234,5", "2026-11-25", "010101", "țuică", "două\nrânduri", "40722000111"],
      // A number with three decimals has one reading.
      4: ["  ", "1,2340", "2026-11-26", "400632", "0,3", "", "1000000000000000000000"],
      5: ["ultim", "-3", "", "", "", "", ""],
    });
  }
});

test("the first sheet that is not hidden has its own name, others are found by their index", async () => {
  const file = workbook([
    { name: "ascunsă", rows: [["x"]], isHidden: true },
    { name: "Clienți & co", rows: [["y"]] },
  ]);
  const { sheets } = await opened(file);
  assert.deepEqual(
    sheets.map(({ name, isHidden }) => [name, isHidden]),
    [
      ["ascunsă", true],
      ["Clienți & co", false],
    ],
  );
  assert.deepEqual(await rowsOf(file, { sheet: 1 }), { 1: ["y"] });
});

/** Deflated zeros or blanks of any size, made without having them in memory. */
function bomb(head: string, filler: string, megabytes: number, tail: string) {
  const block = deflateRawSync(
    Buffer.concat([Buffer.from(head), Buffer.alloc(megabytes * 1024 * 1024, filler), Buffer.from(tail)]),
  );
  return { content: block, size: 1 };
}

const filled = (name: string, part: string | Buffer | ReturnType<typeof bomb>) => {
  const parts: Record<string, string | Buffer | ReturnType<typeof bomb>> = {
    "xl/workbook.xml": '<workbook xmlns:r="r"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels":
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    "xl/worksheets/sheet1.xml": '<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>',
  };
  return zip({ ...parts, [name]: part });
};

const SHEET = "xl/worksheets/sheet1.xml";
const manyTexts = `<sst>${"<si><t>x</t></si>".repeat(1_000_001)}</sst>`;
const shared = `<sst><si><t>${"x".repeat(32_000)}</t></si></sst>`;
const repeated = (rows: number, cells: number) =>
  `<worksheet><sheetData>${`<row>${'<c t="s"><v>0</v></c>'.repeat(cells)}</row>`.repeat(rows)}</sheetData></worksheet>`;
const twoParts = (sheet: string) =>
  zip({
    "xl/workbook.xml": '<workbook xmlns:r="r"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels":
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    "xl/sharedStrings.xml": shared,
    [SHEET]: sheet,
  });

const inSheet = (xml: string) => filled(SHEET, `<worksheet><sheetData>${xml}</sheetData></worksheet>`);
const entities = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>';

const hostile: [what: string, file: () => Buffer, code: string][] = [
  [
    "a sheet of 600 MB of blanks",
    () => filled(SHEET, bomb("<worksheet>", " ", 600, "</worksheet>")),
    "workbookTooLarge",
  ],
  [
    "shared texts of 600 MB",
    () => filled("xl/sharedStrings.xml", bomb("<sst>", " ", 600, "</sst>")),
    "workbookTooLarge",
  ],
  ["a million and one shared texts", () => filled("xl/sharedStrings.xml", manyTexts), "workbookTooLarge"],
  ["a shared text repeated to 570 MB", () => twoParts(repeated(600, 30)), "workbookTooLarge"],
  ["a row of 14 MB", () => twoParts(repeated(1, 450)), "tooLong"],
  [
    "entities that grow",
    () => filled(SHEET, `<?xml version="1.0"?>${entities}<worksheet>&b;</worksheet>`),
    "workbookEntities",
  ],
  [
    "a document type in the shared texts",
    () => filled("xl/sharedStrings.xml", `${entities}<sst/>`),
    "workbookEntities",
  ],
  ["an encrypted entry", () => zip({ "xl/workbook.xml": "x", "xl/_rels/workbook.xml.rels": "x" }, 1), "workbookLocked"],
  ["an encrypted workbook", () => Buffer.from("d0cf11e0a1b11ae1".padEnd(2_000, "0"), "hex"), "workbookLocked"],
  ["macros", () => filled("xl/vbaProject.bin", "x"), "workbookMacros"],
  ["values beyond column 500", () => inSheet('<row r="1"><c r="XFD1"><v>1</v></c></row>'), "workbookTooManyColumns"],
  [
    "a row beyond the limit",
    () => inSheet('<row r="1048576"><c r="A1048576"><v>1</v></c></row>'),
    "workbookTooManyRows",
  ],
  [
    "a row number of 20 digits",
    () => inSheet('<row r="99999999999999999999"><c><v>1</v></c></row>'),
    "workbookTooManyRows",
  ],
  [
    "rows that go back",
    () => inSheet('<row r="2"><c><v>1</v></c></row><row r="1"><c><v>1</v></c></row>'),
    "workbookDamaged",
  ],
  [
    "a cell of 40,000 characters",
    () => inSheet(`<row r="1"><c t="str"><v>${"x".repeat(40_000)}</v></c></row>`),
    "workbookDamaged",
  ],
  ["a tag without an end", () => filled(SHEET, bomb("<worksheet ", "x", 20, "")), "workbookDamaged"],
  ["a comment without an end", () => filled(SHEET, bomb("<!--", "x", 20, "")), "workbookDamaged"],
  ["a sheet of nothing", () => inSheet(""), "workbookEmpty"],
  ["no workbook in the archive", () => zip({ "a.txt": "x" }), "workbookDamaged"],
  ["a file that is cut off", () => workbook(one([["a"]])).subarray(0, 500), "workbookDamaged"],
  [
    "a part that does not inflate",
    () => filled(SHEET, { content: Buffer.from("ffffffff", "hex"), size: 4 }),
    "workbookDamaged",
  ],
  [
    "text that is no UTF-8",
    () => filled(SHEET, Buffer.from("<worksheet>\xff\xfe</worksheet>", "latin1")),
    "workbookDamaged",
  ],
];

/** Bounds of a refusal: much more than it takes, much less than without the limits. Seconds are of the processor. */
const MOST_SECONDS = 30;
const MOST_MEMORY = 500 * 1024 * 1024;

for (const [what, file, code] of hostile) {
  test(`${what} is refused in bounded time and memory`, async () => {
    const bytes = file();
    const [began, before] = [process.cpuUsage(), process.memoryUsage().rss];
    // What is written is dropped: an import stores it, as far as its quota goes.
    const read = async () => await writeSheet(await opened(bytes), { sheet: 0, leavesHidden: false }, rest, rest);
    await assert.rejects(read, (error) => error instanceof FileRefusal && error.reason.code === code);
    const { user, system } = process.cpuUsage(began);
    const seconds = (user + system) / 1_000_000;
    assert.ok(seconds < MOST_SECONDS, `${seconds} s`);
    const grown = process.memoryUsage().rss - before;
    assert.ok(grown < MOST_MEMORY, `${grown} bytes`);
  });
}

test("a wrong size of a sheet decides nothing", async () => {
  assert.deepEqual(await rowsOf(workbook(one([["a"]], { dimension: "A1:XFD1048576" }))), { 1: ["a"] });
  assert.deepEqual(await rowsOf(workbook(one([["a", "b"]], { dimension: "nonsense" }))), { 1: ["a", "b"] });
});

test("of merged cells that overlap, the first count, and each row takes bounded time", async () => {
  const few: Cell[][] = [["a", "b"], ["x"], ["y", "1"], ["", "2"], ["", "3"], ["", "4"]];
  const found = await rowsOf(workbook(one(few, { merged: ["A2:A4", "A3:A6"] })));
  assert.deepEqual(
    Object.values(found).map(([first]) => first),
    ["a", "x", "y", "", "", ""],
  );
  const many = Array.from({ length: 20_000 }, (_, at): Cell[] => [at]);
  const merged = Array.from({ length: 100_000 }, (_, at) => `B${(at % 9) + 1}:B90000`);
  const began = process.cpuUsage();
  await rowsOf(workbook(one(many, { merged })));
  const { user, system } = process.cpuUsage(began);
  assert.ok((user + system) / 1_000_000 < MOST_SECONDS);
});

test("a sheet that hides a column a million times takes the memory of one", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const columns = '<col min="1" max="1" hidden="1"/><col min="3" max="16384" width="0"/><col min="x"/>'.repeat(
    1_000_000,
  );
  const rows =
    '<sheetData><row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c><c r="D1"><v>4</v></c></row></sheetData>';
  const book = await opened(filled(SHEET, `<worksheet><cols>${columns}</cols>${rows}</worksheet>`));
  collect();
  const before = process.memoryUsage().heapUsed;
  let grown = 0;
  const { hiddenColumns } = await writeSheet(book, { sheet: 0, leavesHidden: false }, rest, async () => {
    collect();
    grown = process.memoryUsage().heapUsed - before;
  });
  assert.deepEqual(hiddenColumns, [0, 3]);
  assert.ok(grown < 20 * 1024 * 1024, `${grown} bytes`);
});

test("a cell that names no shared text is empty, and has not the first one", async () => {
  const cells = '<c t="s"/><c t="s"><v></v></c><c t="s"><v> </v></c><c t="s"><v>0</v></c>';
  const sheet = `<worksheet><sheetData><row r="1">${cells}</row></sheetData></worksheet>`;
  assert.deepEqual(await rowsOf(workbook(one([["first"]]), { [SHEET]: sheet })), { 1: ["", "", "", "first"] });
});

test("the sheets that are looked at for a table are unpacked within one budget", async () => {
  const large = bomb("<worksheet>", " ", 300, "</worksheet>");
  const parts = Object.fromEntries([1, 2, 3, 4].map((at) => [`xl/worksheets/sheet${at}.xml`, large]));
  const sheets = ["A", "B", "C", "D"].map((name) => ({ name, rows: [] }));
  let work = 0;
  const count = async (more: number) => void (work += more);
  assert.equal(await firstTable(await opened(workbook(sheets, parts)), count), 0);
  assert.ok(work > 500_000_000 && work < 600_000_000, `${work} bytes`);
});
