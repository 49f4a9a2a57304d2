import { writtenNumber } from "../../../kit/web/assets/numbers.js";
import type { Language } from "../../../kit/web/language.ts";
import { trim } from "../../../platform/text.ts";
import { seenIn } from "../cells/meaning.ts";
import { readCsv, type Rest } from "./csv-reader.ts";
import { cellsOf, type CsvRow } from "./csv-row.ts";
import type { Reading } from "./reading.ts";
import { repeating } from "./repeated-cells.ts";
import { numberIn, plainText, unmerging } from "./workbook/cell-text.ts";

/**
 * The rows of a stored file, from its header on. Cells of a workbook are in the form of the reading's language, and
 * corrected rows replace those of the file. On pages a row of empty cells is no row.
 */
export async function* readRows(
  chunks: AsyncIterable<Uint8Array>,
  rest: Rest,
  reading: Reading,
): AsyncGenerator<CsvRow[]> {
  const { language } = reading;
  const fitting = fittingRows(reading);
  // Imports that were stored before have no count.
  const unmerged = (reading.workbook?.merged ?? 0) > 0 ? unmerging() : (row: CsvRow) => row;
  const filled = language === null ? (row: CsvRow) => row : repeating();
  for await (const rows of readCsv(chunks, rest, reading)) {
    yield rows.flatMap((one): CsvRow[] => {
      const row = unmerged(one);
      if (row.line < reading.headerLine) return [];
      const fitted = reading.workbook === null ? fitting.fit(row) : fitting.fitSheet(row, language ?? "en");
      if (language !== null && "cells" in fitted.row) seen(fitted.row.cells);
      if (reading.headerLine === 0 || fitted.isHeader) return [fitted.row];
      const corrected = reading.corrected.get(row.line);
      if (corrected !== undefined)
        return [filled({ line: row.line, cells: [...corrected], ...numbersOf(fitted.row, corrected) })];
      const isBlank = language !== null && "cells" in fitted.row && fitted.row.cells.every((cell) => trim(cell) === "");
      return isBlank ? [] : [filled(fitted.row)];
    });
  }
}

/** A loop, as most files have no such cell. */
function seen(cells: string[]): void {
  for (let at = 0; at < cells.length; at++) cells[at] = seenIn(cells[at] ?? "");
}

/** The numbers of the cells that were not corrected. */
function numbersOf(row: CsvRow, corrected: readonly string[]): Pick<CsvRow, "numbers"> {
  if (row.numbers === undefined || !("cells" in row)) return {};
  const { cells } = row;
  return {
    numbers: Object.fromEntries(
      Object.entries(row.numbers).filter(([at]) => cells[Number(at)] === corrected[Number(at)]),
    ),
  };
}

type Fitted = { row: CsvRow; isHeader: boolean };

/**
 * Fits rows to their header: the first row that is asked for, or the row before while the header is unknown. A row gets
 * the cells that it lacks at its end, and loses empty ones beyond the header's.
 */
function fittingRows({ headerLine, delimiter, language }: Reading) {
  let width = -1;
  /** Whether each line is one quoted cell, whose text is the row. */
  let areLinesQuoted = false;
  /** Whether the row before could not be read: one that is shorter than usual may be the rest of it. */
  let isDoubtful = false;
  let usual = 0;

  function unquoted(row: CsvRow): CsvRow {
    const [whole = "", ...others] = "cells" in row ? row.cells : [];
    if (others.length > 0 || !whole.includes(delimiter)) return row;
    return { line: row.line, ...cellsOf(whole, delimiter) };
  }

  function settled(row: CsvRow, fits: (cells: number) => boolean): CsvRow {
    const { line, loose } = row;
    return loose !== undefined && fits(loose.length) ? { line, cells: loose } : row;
  }

  /** A page shows the names of the columns, and a person sees a lost letter. */
  function named(row: CsvRow): CsvRow {
    return language !== null && row.lenient !== undefined ? { line: row.line, cells: row.lenient } : row;
  }

  function asHeader(read: CsvRow): Fitted {
    const row = named(read);
    const first = unquoted(row);
    areLinesQuoted = first !== row;
    const settledFirst = settled(first, () => true);
    width = "cells" in settledFirst ? settledFirst.cells.length : 0;
    usual = width;
    return { row: settledFirst, isHeader: true };
  }

  return {
    fit(row: CsvRow): Fitted {
      if (headerLine === 0) return { row: settled(unquoted(named(row)), () => true), isHeader: false };
      if (width < 0) return asHeader(row);
      const read = settled(areLinesQuoted ? unquoted(row) : row, (cells) => cells === width);
      if (!("cells" in read)) {
        isDoubtful = read.complaint.code !== "notUtf8";
        return { row: read, isHeader: false };
      }
      const { line, cells } = read;
      if (cells.length > width && cells.slice(width).every((cell) => trim(cell) === "")) cells.length = width;
      isDoubtful &&= cells.length < usual;
      if (isDoubtful) return { row: { line, cells, isDoubtful }, isHeader: false };
      usual = Math.min(cells.length, width);
      // For the command line, a cell that is not there says nothing.
      if (language !== null) while (cells.length < width) cells.push("");
      return { row: read, isHeader: false };
    },

    /** A workbook's rows end at their last value, and cells beside the table are cut. */
    fitSheet(row: CsvRow, language: Language): Fitted {
      if (!("cells" in row)) return { row, isHeader: false };
      const isHeader = headerLine > 0 && width < 0;
      const cells: string[] = [];
      let numbers: Record<number, string> | undefined;
      const length = width < 0 ? row.cells.length : width;
      for (let index = 0; index < length; index++) {
        const cell = row.cells[index] ?? "";
        const number = numberIn(cell);
        cells.push(number === null ? plainText(cell) : number.shown(writtenNumber(number.value, language)));
        if (number !== null) (numbers ??= {})[index] = number.value;
      }
      if (isHeader) width = cells.length;
      return { row: { ...row, cells, ...(numbers !== undefined && { numbers }) }, isHeader };
    },
  };
}
