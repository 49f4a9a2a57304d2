import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { firstTable } from "../../../src/exchange/imports/reading/workbook/first-table.ts";
import { writeSheet } from "../../../src/exchange/imports/reading/workbook/sheet-rows.ts";
import { bomb, filled, opened, rest, SHEET, testRefusals } from "./hostile-workbooks.ts";
import { workbook } from "./workbooks.ts";

/** Files that are small and unpack to hundreds of megabytes. */
const manyTexts = `<sst>${"<si><t>x</t></si>".repeat(1_000_001)}</sst>`;

testRefusals([
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
]);

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

test("the sheets that are looked at for a table are unpacked within one budget", async () => {
  const large = bomb("<worksheet>", " ", 300, "</worksheet>");
  const parts = Object.fromEntries([1, 2, 3, 4].map((at) => [`xl/worksheets/sheet${at}.xml`, large]));
  const sheets = ["A", "B", "C", "D"].map((name) => ({ name, rows: [] }));
  let work = 0;
  const count = async (more: number) => void (work += more);
  assert.equal(await firstTable(await opened(workbook(sheets, parts)), count), 0);
  assert.ok(work > 500_000_000 && work < 600_000_000, `${work} bytes`);
});
