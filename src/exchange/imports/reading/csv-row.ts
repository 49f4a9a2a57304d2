import type { Delimiter } from "./reading.ts";
import type { ImportReason } from "./reasons.ts";

/** Why a row or a line could not be read. */
export type Complaint = { complaint: ImportReason };

/**
 * The cells of a row and the physical line where it starts, from 1; or the complaint. RFC 4180 calls a row a record.
 */
export type CsvRow = { line: number } & ({ cells: string[] } | Complaint);

/** Maximum bytes of a row with its line breaks: more than a request's body may have. */
export const ROW_BYTES = 1024 * 1024;
/** Maximum lines of a row: enough for two texts of the maximum length that consist of line breaks. */
export const ROW_LINES = 2 * 65_536;
/** Maximum cells of a row, and so columns of a file. */
export const ROW_CELLS = 500;

export const NOT_UTF8: ImportReason = { code: "notUtf8" };
export const TOO_LONG: ImportReason = { code: "tooLong" };
export const TOO_MANY_CELLS: ImportReason = { code: "tooManyCells", most: ROW_CELLS };
export const BAD_QUOTES: ImportReason = { code: "badQuotes" };

/** Splits a line into cells; no cells for a blank line. */
export function cellsOf(text: string, delimiter: Delimiter): { cells: string[] } | Complaint {
  const row = text.endsWith("\r") ? text.slice(0, -1) : text;
  if (row === "") return { cells: [] };
  if (!row.includes('"')) return bounded(row.split(delimiter, ROW_CELLS + 1));
  const cells: string[] = [];
  for (let at = 0; cells.length <= ROW_CELLS; at++) {
    const cell = row.charAt(at) === '"' ? quotedCell(row, at) : plainCell(row, at, delimiter);
    if (cell === null) return { complaint: BAD_QUOTES };
    cells.push(cell.value);
    at = cell.end;
    if (at === row.length) break;
    if (row.charAt(at) !== delimiter) return { complaint: BAD_QUOTES };
  }
  return bounded(cells);
}

function bounded(cells: string[]): { cells: string[] } | Complaint {
  return cells.length > ROW_CELLS ? { complaint: TOO_MANY_CELLS } : { cells };
}

type Cell = { value: string; end: number };

function plainCell(text: string, start: number, delimiter: Delimiter): Cell | null {
  const next = text.indexOf(delimiter, start);
  const end = next < 0 ? text.length : next;
  const value = text.slice(start, end);
  return value.includes('"') ? null : { value, end };
}

function quotedCell(text: string, start: number): Cell | null {
  for (let from = start + 1; ; from += 2) {
    from = text.indexOf('"', from);
    if (from < 0) return null;
    if (text.charAt(from + 1) === '"') continue;
    // replaceAll() takes four times as long for a cell that consists of quotation marks.
    return {
      value: text
        .slice(start + 1, from)
        .split('""')
        .join('"'),
      end: from + 1,
    };
  }
}
