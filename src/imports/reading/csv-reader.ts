import { isUtf8 } from "node:buffer";

/** The cells of a row and the physical line where it starts, from 1; or why it has none. RFC 4180 calls it a record. */
export type CsvRow = { line: number; cells: string[] } | { line: number; complaint: string };

/** No row with every field at its limit is longer: anything longer is a quote that was never closed. */
const MAX_ROW_LENGTH = 4 * 1024 * 1024;

const NOT_UTF8 = "The row is not valid UTF-8.";
const TOO_LONG = "The row is too long.";
const BAD_QUOTES = "The row has a quotation mark where CSV allows none, or one that is never closed.";

/**
 * Reads CSV (RFC 4180, UTF-8; a byte order mark, bare line feeds and blank lines are tolerated) as a stream, the rows
 * of each chunk together. Written by hand because csv-parse counts a line break in quotes twice when it is CR LF, and
 * after a misplaced quotation mark swallows every row up to the next one: here a malformed row costs only itself,
 * and reading goes on at the line after the one where it started.
 */
export async function* readCsv(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow[]> {
  const assemble = rowAssembler();
  for await (const lines of readLines(chunks)) {
    const rows: CsvRow[] = [];
    for (const line of lines) assemble.add(line, rows);
    yield rows;
  }
  const last: CsvRow[] = [];
  assemble.finish(last);
  yield last;
}

/** A physical line without its line feed, or the complaint about it. */
type Line = string | { complaint: string };

async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  let pending: Uint8Array[] = [];
  let pendingLength = 0;
  let isFirst = true;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(10);
    if (end < 0) {
      // A line that is too long already matters by its length only.
      if (pendingLength <= MAX_ROW_LENGTH) pending.push(chunk);
      pendingLength += chunk.length;
      continue;
    }
    const lines = splitLines(Buffer.concat([...pending, chunk.subarray(0, end)]));
    if (pendingLength > MAX_ROW_LENGTH) lines[0] = { complaint: TOO_LONG };
    else if (isFirst) lines[0] = withoutMark(lines[0] ?? "");
    isFirst = false;
    yield lines;
    pending = [chunk.subarray(end + 1)];
    pendingLength = chunk.length - end - 1;
  }
  if (pendingLength > MAX_ROW_LENGTH) {
    yield [{ complaint: TOO_LONG }];
  } else if (pendingLength > 0) {
    const [line = ""] = splitLines(Buffer.concat(pending));
    yield [isFirst ? withoutMark(line) : line];
  }
}

function splitLines(bytes: Buffer): Line[] {
  if (isUtf8(bytes)) return bytes.toString().split("\n");
  return bytes
    .toString("latin1")
    .split("\n")
    .map((text) => {
      const line = Buffer.from(text, "latin1");
      return isUtf8(line) ? line.toString() : { complaint: NOT_UTF8 };
    });
}

function withoutMark(line: Line): Line {
  return typeof line === "string" && line.startsWith("\ufeff") ? line.slice(1) : line;
}

/** Joins lines into rows. A row ends with the first line at whose end its quotation marks are even in number. */
function rowAssembler(): { add(line: Line, rows: CsvRow[]): void; finish(rows: CsvRow[]): void } {
  /** The lines of a row that is still open. */
  let open: string[] = [];
  let openLength = 0;
  let isQuoted = false;
  /** The line where the open row, or the next one, starts. */
  let lineNumber = 1;

  /** Gives up the row that starts at `lineNumber`, and returns the lines to read again. */
  function reject(complaint: string, rows: CsvRow[]): string[] {
    rows.push({ line: lineNumber, complaint });
    const [, ...rest] = open;
    lineNumber++;
    close();
    return rest;
  }

  function close(): void {
    open = [];
    openLength = 0;
    isQuoted = false;
  }

  function add(line: Line, rows: CsvRow[]): void {
    // The last one is next. Lines come back when the row that held them turns out to be none.
    const lines = [line];
    const again = (rest: Line[]) => {
      for (let i = rest.length - 1; i >= 0; i--) lines.push(rest[i] as Line);
    };
    for (let next = lines.pop(); next !== undefined; next = lines.pop()) {
      if (typeof next !== "string") {
        if (open.length > 0) again([...reject(BAD_QUOTES, rows), next]);
        else reject(next.complaint, rows);
        continue;
      }
      open.push(next);
      // The line break counts: blank lines, too, make a row long.
      openLength += next.length + 1;
      if (hasOddQuotes(next)) isQuoted = !isQuoted;
      if (openLength > MAX_ROW_LENGTH) {
        again(reject(open.length === 1 ? TOO_LONG : BAD_QUOTES, rows));
      } else if (!isQuoted) {
        const cells = parseRow(open);
        if (cells === null) {
          again(reject(BAD_QUOTES, rows));
        } else {
          if (cells.length > 0) rows.push({ line: lineNumber, cells });
          lineNumber += open.length;
          close();
        }
      }
    }
  }

  function finish(rows: CsvRow[]): void {
    while (open.length > 0) {
      for (const line of reject(BAD_QUOTES, rows)) add(line, rows);
    }
  }

  return { add, finish };
}

function hasOddQuotes(line: string): boolean {
  let isOdd = false;
  for (let at = line.indexOf('"'); at >= 0; at = line.indexOf('"', at + 1)) isOdd = !isOdd;
  return isOdd;
}

/** The cells of a row; none for a blank line; null for lines that make no row. */
function parseRow(lines: string[]): string[] | null {
  const joined = lines.length === 1 ? (lines[0] as string) : lines.join("\n");
  const text = joined.endsWith("\r") ? joined.slice(0, -1) : joined;
  if (text === "") return [];
  if (!text.includes('"')) return text.split(",");
  const cells: string[] = [];
  for (let at = 0; ; at++) {
    const cell = text.charAt(at) === '"' ? quotedCell(text, at) : plainCell(text, at);
    if (cell === null) return null;
    cells.push(cell.value);
    at = cell.end;
    if (at === text.length) return cells;
    if (text.charAt(at) !== ",") return null;
  }
}

type Cell = { value: string; end: number };

function plainCell(text: string, start: number): Cell | null {
  const comma = text.indexOf(",", start);
  const end = comma < 0 ? text.length : comma;
  const value = text.slice(start, end);
  return value.includes('"') ? null : { value, end };
}

function quotedCell(text: string, start: number): Cell | null {
  let value = "";
  for (let from = start + 1; ;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return null;
    if (text.charAt(quote + 1) !== '"') return { value: value + text.slice(from, quote), end: quote + 1 };
    value += text.slice(from, quote + 1);
    from = quote + 2;
  }
}
