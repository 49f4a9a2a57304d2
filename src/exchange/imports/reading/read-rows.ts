import { writtenNumber } from "../../../kit/web/assets/numbers.js";
import type { Language } from "../../../kit/web/language.ts";
import { trim } from "../../../platform/text.ts";
import { readCsv, type Rest } from "./csv-reader.ts";
import type { CsvRow } from "./csv-row.ts";
import type { Reading } from "./reading.ts";
import { LINE_BREAK, NUMBER } from "./workbook/cell-text.ts";

/**
 * The rows of a stored file, from its header on. Cells of a workbook are in the form of the reading's language, and
 * corrected rows replace those of the file. On pages a row of empty cells is no row.
 */
export async function* readRows(
  chunks: AsyncIterable<Uint8Array>,
  rest: Rest,
  reading: Reading,
): AsyncGenerator<CsvRow[]> {
  let width = -1;
  for await (const rows of readCsv(chunks, rest, reading)) {
    const read = rows.flatMap((row): CsvRow[] => {
      if (row.line < reading.headerLine) return [];
      const clear = reading.workbook === null ? row : ofWorkbook(row, width, reading.language ?? "en");
      if (reading.headerLine === 0) return [clear];
      if (width < 0) {
        width = "cells" in clear ? clear.cells.length : 0;
        return [clear];
      }
      const cells = reading.corrected.get(row.line);
      if (cells !== undefined) return [{ line: row.line, cells: [...cells] }];
      const isBlank = reading.language !== null && "cells" in clear && clear.cells.every((cell) => trim(cell) === "");
      return isBlank ? [] : [clear];
    });
    yield read;
  }
}

/** A workbook's rows end at their last value, so a short one is filled up, and cells beside the table are cut. */
function ofWorkbook(row: CsvRow, width: number, language: Language): CsvRow {
  if (!("cells" in row)) return row;
  const cells = row.cells.map((cell) => clearCell(cell, language));
  if (width < 0) return { line: row.line, cells };
  return { line: row.line, cells: Array.from({ length: width }, (_none, index) => cells[index] ?? "") };
}

function clearCell(cell: string, language: Language): string {
  if (cell.startsWith(NUMBER)) return writtenNumber(cell.slice(NUMBER.length), language);
  // replaceAll() takes four times as long for a cell that consists of line breaks.
  return cell.includes(LINE_BREAK) ? cell.split(LINE_BREAK).join("\n") : cell;
}
