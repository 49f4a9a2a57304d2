import { MERGED } from "../../cells/meaning.ts";
import type { CsvRow } from "../csv-row.ts";

/**
 * A workbook's rows are stored as CSV with one line for each row, so that a line is the number of a row. A line break
 * in a cell is stored as U+2028.
 */
export const LINE_BREAK = "\u2028";

/**
 * Begins a number that is not written in any language yet, and separates it from the text that its format shows, and
 * that one from its currency.
 */
const NUMBER = "\u2060";

/** The cell of a number with decimals, or with a format that shows a text, or a currency. */
export function numberCell(value: string, shown = "", currency = ""): string {
  const format = shown === "" && currency === "" ? "" : NUMBER + shown.replaceAll(NUMBER, "");
  return NUMBER + value + format + (currency === "" ? "" : NUMBER + currency);
}

/** The cell of a text, which must not look like a number's. */
export function textCell(text: string): string {
  return text.startsWith(NUMBER) ? text.replace(/^\u2060+/, "") : text;
}

/** The number of a cell, and its text for a person; null for another cell. @see numberCell */
export function numberIn(cell: string): { value: string; shown: (written: string) => string } | null {
  if (!cell.startsWith(NUMBER)) return null;
  const [, value = "", text = "", currency = ""] = cell.split(NUMBER);
  return {
    value,
    shown: (written) => text || (currency === "" ? written : `${written}${currency === "%" ? "" : " "}${currency}`),
  };
}

/** The cell below the first one of those that are merged over several rows. @param top the row of the first one */
export function mergedCell(top: number): string {
  return `${NUMBER}${NUMBER}${top}`;
}

/** The cell beside the only one of a row, which is merged over columns as titles are. */
export const TITLE = `${NUMBER}${NUMBER}>`;

/** Gives merged cells the value of their first one, row after row of a sheet. The row of the first may be left out. */
export function unmerging(): (row: CsvRow) => CsvRow {
  const last: { line: number; cell: string }[] = [];
  return (row) => {
    if (!("cells" in row)) return row;
    const { line, cells } = row;
    let repeated: Record<number, string> | undefined;
    const titleAt = cells.indexOf(TITLE);
    if (titleAt > 0) cells[titleAt] = "";
    for (const [index, cell] of cells.entries()) {
      if (cell.startsWith(NUMBER + NUMBER)) {
        const first = last[index];
        cells[index] = first !== undefined && mergedCell(first.line) === cell ? first.cell : "";
        if (cells[index] !== "") (repeated ??= {})[index] = MERGED;
      } else if (cell !== "") last[index] = { line, cell };
    }
    const title = titleAt > 0 && { isTitle: true as const };
    return repeated === undefined && !title ? row : { ...row, ...title, ...(repeated !== undefined && { repeated }) };
  };
}

/** A text as its cell has it. */
export function plainText(cell: string): string {
  // replaceAll() takes four times as long for a cell that consists of line breaks.
  return cell.includes(LINE_BREAK) ? cell.split(LINE_BREAK).join("\n") : cell;
}
