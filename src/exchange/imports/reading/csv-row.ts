import type { ImportReason } from "../reasons.ts";
import type { Delimiter } from "./reading.ts";

/** Why a row or a line could not be read. */
export type Complaint = { complaint: ImportReason };

/**
 * The cells of a row and the physical line where it starts, from 1; or the complaint. RFC 4180 calls a row a record.
 * `loose`: the cells as a writer may mean them that breaks the rules of CSV. They count only if they fit the header.
 * `lenient`: the cells of a line with invalid bytes, in which only the columns' names may be read.
 * `numbers`: the numbers of a workbook's cells by index, whose texts are what their formats show. `repeated`: the marks
 * of cells that repeat the one above. `isDoubtful`: the row may be the rest of one that could not be read. `isTitle`:
 * its only cell is merged over columns.
 */
export type CsvRow = {
  line: number;
  loose?: string[];
  lenient?: string[];
  numbers?: Numbers;
  repeated?: Readonly<Record<number, string>>;
  isDoubtful?: true;
  isTitle?: true;
} & ({ cells: string[] } | Complaint);

export type Numbers = Readonly<Record<number, string>>;

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

type Read = { loose?: string[] } & ({ cells: string[] } | Complaint);

/**
 * Splits a line into cells; no cells for a blank line. A quotation mark within a cell that does not begin with one is a
 * character. `\\"`, `\\;`, blanks around quotes and bare quotes within quotes are read loosely.
 */
export function cellsOf(text: string, delimiter: Delimiter): Read {
  const row = withoutReturns(text);
  if (row === "") return { cells: [] };
  if (!row.includes('"')) {
    const read = bounded(row.split(delimiter, ROW_CELLS + 1));
    const loose = row.includes("\\") ? withEscapes(row, delimiter) : null;
    return loose === null ? read : { ...read, loose };
  }
  const read = strictCells(row, delimiter);
  if (!("complaint" in read) && !read.cells.some(isQuotedBehindBlanks)) return read;
  const loose = looseCells(row, delimiter);
  return loose === null ? read : { ...read, loose };
}

/** The cells of a row in which a backslash makes the delimiter behind it a character; null if none does. */
function withEscapes(row: string, delimiter: Delimiter): string[] | null {
  if (!row.includes(`\\${delimiter}`)) return null;
  const parts = row.split(delimiter, MOST_PARTS);
  const cells: string[] = [];
  let isOpen = false;
  for (const part of parts) {
    const text = part.endsWith("\\") ? part.slice(0, -1) + delimiter : part;
    if (isOpen) cells.push((cells.pop() ?? "") + text);
    else cells.push(text);
    isOpen = text !== part;
  }
  return parts.length === MOST_PARTS ? null : cells;
}

/** Parts that are looked at. */
const MOST_PARTS = 2 * ROW_CELLS;

/** The rest of a line end such as CR CR LF. */
export function withoutReturns(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x0d) end--;
  return end === text.length ? text : text.slice(0, end);
}

function strictCells(row: string, delimiter: Delimiter): { cells: string[] } | Complaint {
  const cells: string[] = [];
  for (let at = 0; cells.length <= ROW_CELLS; at++) {
    const isQuoted = row.charAt(at) === '"';
    const cell = isQuoted ? quotedCell(row, at) : plainCell(row, at, delimiter);
    // Only quotes keep lines together: a mark that is a character must not.
    if (cell === null || (!isQuoted && LINE_END.test(cell.value))) return { complaint: BAD_QUOTES };
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

const LINE_END = /[\r\n]/;

type Cell = { value: string; end: number };

function plainCell(text: string, start: number, delimiter: Delimiter): Cell {
  const next = text.indexOf(delimiter, start);
  const end = next < 0 ? text.length : next;
  return { value: text.slice(start, end), end };
}

function quotedCell(text: string, start: number): Cell | null {
  const end = closingQuote(text, start + 1);
  return end < 0 ? null : { value: unescaped(text.slice(start + 1, end)), end: end + 1 };
}

/** The index of the first quotation mark that is not doubled; -1 if there is none. */
function closingQuote(text: string, from: number): number {
  const first = text.indexOf('"', from);
  // A search for each of a million quotation marks would take twenty times as long.
  for (let at = first; at >= 0 && at < text.length; at++) {
    if (text.charCodeAt(at) !== QUOTE) continue;
    if (text.charCodeAt(at + 1) !== QUOTE) return at;
    at++;
  }
  return -1;
}

const QUOTE = 0x22;

/** replaceAll() takes four times as long for a cell that consists of quotation marks. */
function unescaped(text: string): string {
  return text.includes('"') ? text.split('""').join('"') : text;
}

/**
 * Whether a line ends within a quoted cell, so that the next line belongs to its row.
 * @param wasOpen whether it begins within one
 */
export function endsInQuotes(text: string, delimiter: Delimiter, wasOpen: boolean): boolean {
  if (!text.includes('"')) return wasOpen;
  let isOpen = wasOpen;
  for (let at = 0; ; at++) {
    if (isOpen || text.charAt(at) === '"') {
      const end = closingQuote(text, isOpen ? at : at + 1);
      if (end < 0) return true;
      isOpen = false;
      at = end + 1;
      // A closing mark is followed by a delimiter or the end; anything else is no CSV, and ends the row.
      if (text.charAt(at) !== delimiter) return false;
    } else {
      at = text.indexOf(delimiter, at);
      if (at < 0) return false;
    }
  }
}

const BLANK = /[ \t\u00a0]/;

function isQuotedBehindBlanks(cell: string): boolean {
  return cell.includes('"') && /^[ \t\u00a0]+"/.test(cell);
}

/** The cells of a row whose quotation marks are escaped, among blanks, or bare; null if it cannot be read so. */
function looseCells(row: string, delimiter: Delimiter): string[] | null {
  const text = row.includes('\\"') ? row.split('\\"').join('""') : row;
  if (text !== row) {
    const read = strictCells(text, delimiter);
    if ("cells" in read && !read.cells.some(isQuotedBehindBlanks)) return read.cells;
  }
  const cells: string[] = [];
  for (let at = 0; cells.length <= ROW_CELLS; at++) {
    const start = behindBlanks(text, at, delimiter);
    const cell =
      text.charAt(start) === '"' ? looselyQuotedCell(text, start, delimiter) : plainCell(text, at, delimiter);
    if (cell === null || (cell.end === text.length && cells.length === ROW_CELLS)) return null;
    cells.push(cell.value);
    at = cell.end;
    if (at === text.length) return cells;
  }
  return null;
}

function behindBlanks(text: string, start: number, delimiter: Delimiter): number {
  let at = start;
  while (text.charAt(at) !== delimiter && BLANK.test(text.charAt(at))) at++;
  return at;
}

/** The closing mark is the first one that only blanks separate from a delimiter or from the end. */
function looselyQuotedCell(text: string, start: number, delimiter: Delimiter): Cell | null {
  for (let at = text.indexOf('"', start + 1); at >= 0 && at < text.length; at++) {
    if (text.charCodeAt(at) !== QUOTE) continue;
    if (text.charCodeAt(at + 1) === QUOTE) {
      at++;
      continue;
    }
    const end = behindBlanks(text, at + 1, delimiter);
    if (end === text.length || text.charAt(end) === delimiter) {
      return { value: unescaped(text.slice(start + 1, at)), end };
    }
  }
  return null;
}
