import assert from "node:assert/strict";
import { test } from "node:test";
import { readRows } from "../../../src/exchange/imports/reading/read-rows.ts";
import { AS_DOCUMENTED, type Reading } from "../../../src/exchange/imports/reading/reading.ts";
import { writeSheet, type MergedCells } from "../../../src/exchange/imports/reading/workbook/sheet-rows.ts";
import { bomb, filled, MOST_SECONDS, opened, rest, SHEET, testRefusals } from "./hostile-workbooks.ts";
import { workbook, zip, type Cell, type Sheet } from "./workbooks.ts";

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

testRefusals([
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
]);

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

test("a cell that names no shared text is empty, and has not the first one", async () => {
  const cells = '<c t="s"/><c t="s"><v></v></c><c t="s"><v> </v></c><c t="s"><v>0</v></c>';
  const sheet = `<worksheet><sheetData><row r="1">${cells}</row></sheetData></worksheet>`;
  assert.deepEqual(await rowsOf(workbook(one([["first"]]), { [SHEET]: sheet })), { 1: ["", "", "", "first"] });
});
