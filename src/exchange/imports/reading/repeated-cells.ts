import { trim } from "../../../platform/text.ts";
import type { CsvRow } from "./csv-row.ts";

/** The first letters of the marks, in both cases. */
const FIRST: ReadonlySet<number> = new Set(Array.from("iIdDlLcCsS-–—\"'“”„″〃/ ", (letter) => letter.charCodeAt(0)));
const LONGEST = 20;
const MARK =
  /^(?:idem\.?|id\.|ditto|la fel(?: ca (?:mai )?sus)?|ca (?:mai )?sus|same as above|[-–—]*\s*(?:["“”„″]{1,2}|''|〃|\/\/)\s*[-–—]*)$/i;

/** Replaces the marks of rows that repeat the cell above (`idem`, `-//-`) by that cell, row after row of a file. */
export function repeating(): (row: CsvRow) => CsvRow {
  let above: CsvRow | null = null;

  function fill(row: CsvRow): CsvRow {
    if (!("cells" in row)) return row;
    let repeated = row.repeated === undefined ? undefined : { ...row.repeated };
    let numbers: Record<number, string> | undefined;
    for (const [index, cell] of row.cells.entries()) {
      if (cell.length > LONGEST || !FIRST.has(cell.charCodeAt(0))) continue;
      const mark = trim(cell);
      if (!MARK.test(mark)) continue;
      row.cells[index] = mark;
      (repeated ??= {})[index] = mark;
      const [repeats, number] = above !== null && "cells" in above ? [above.cells[index], above.numbers?.[index]] : [];
      const isMark = repeats !== undefined && above?.repeated?.[index] === repeats;
      if (repeats === undefined || isMark || trim(repeats) === "") continue;
      row.cells[index] = repeats;
      if (number !== undefined) (numbers ??= { ...row.numbers })[index] = number;
    }
    return repeated === undefined ? row : { ...row, repeated, ...(numbers !== undefined && { numbers }) };
  }

  return (row) => (above = fill(row));
}
