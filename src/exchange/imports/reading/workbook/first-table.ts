import { Readable } from "node:stream";
import { trim } from "../../../../platform/text.ts";
import { FileRefusal } from "../../reasons.ts";
import { readCsv, type Rest } from "../csv-reader.ts";
import type { CsvRow } from "../csv-row.ts";
import { AS_DOCUMENTED } from "../reading.ts";
import { writeSheet } from "./sheet-rows.ts";
import type { Workbook } from "./workbook.ts";
import { UNPACKED_LIMIT } from "./zip.ts";

/** The sheets that are looked at within one budget of unpacked bytes, the bytes and the rows of each. */
const [SHEETS, BYTES, ROWS] = [10, 64 * 1024, 60];

/** The filled cells of a table's row, and the rows of a table that has two columns. */
const [CELLS, LONG] = [3, 20];

/**
 * The first visible sheet that looks like a table, or the first visible one. A cover sheet has a title, or some names
 * with a value beside each.
 */
export async function firstTable(workbook: Workbook, rest: Rest): Promise<number> {
  const visible = workbook.sheets.flatMap(({ isHidden }, index) => (isHidden ? [] : [index]));
  const [first = 0] = visible;
  if (visible.length < 2) return first;
  try {
    for (const sheet of visible.slice(0, SHEETS)) if (await isTable(workbook, sheet, rest)) return sheet;
    return first;
  } finally {
    workbook.budget.left = UNPACKED_LIMIT;
  }
}

async function isTable(workbook: Workbook, sheet: number, rest: Rest): Promise<boolean> {
  const filled = (await firstRows(workbook, sheet, rest)).map((row) =>
    "cells" in row ? row.cells.filter((cell) => trim(cell) !== "").length : 0,
  );
  return filled.filter((cells) => cells >= CELLS).length >= 2 || filled.filter((cells) => cells >= 2).length >= LONG;
}

class Enough extends Error {}

async function firstRows(workbook: Workbook, sheet: number, rest: Rest): Promise<CsvRow[]> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    await writeSheet(workbook, { sheet, leavesHidden: false }, rest, async (piece) => {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes >= BYTES) throw new Enough();
    });
  } catch (error) {
    // An empty or a damaged sheet is no table. If it is the only one, it is refused when it is read.
    if (!(error instanceof Enough || error instanceof FileRefusal)) throw error;
  }
  const found: CsvRow[] = [];
  for await (const rows of readCsv(Readable.from(pieces), rest, AS_DOCUMENTED)) {
    found.push(...rows);
    if (found.length >= ROWS) break;
  }
  return found.slice(0, ROWS);
}
