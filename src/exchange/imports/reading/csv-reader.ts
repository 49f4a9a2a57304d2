import { readLines, type Line } from "./csv-lines.ts";
import { BAD_QUOTES, cellsOf, endsInQuotes, ROW_BYTES, ROW_LINES, type CsvRow } from "./csv-row.ts";
import { AS_DOCUMENTED, type Delimiter, type Reading } from "./reading.ts";
import { transcode } from "./transcode.ts";

/**
 * Waits after some work until the reader may continue.
 * @param work characters that were read, plus LINE_WORK per line
 */
export type Rest = (work: number) => Promise<void>;

/** The fixed cost of a line, in characters. */
export const LINE_WORK = 16;
/** Work between two rests. A row of several lines is assembled without a rest. */
const WORK_AT_ONCE = 64 * 1024;

/**
 * Reads CSV (RFC 4180, UTF-8 by default) as a stream; tolerates a byte order mark, bare line feeds and blank lines. A
 * malformed row costs only itself (docs/decisions/0012-csv-reader.md). A line that ends within quotes opens a row, and
 * the line that ends outside of them closes it. If these lines are not a row, or too many, each line in between is a
 * row by itself, and the last one is read again. So a file is read once, and no line is parsed more than twice.
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  rest: Rest,
  { encoding, delimiter }: Pick<Reading, "encoding" | "delimiter"> = AS_DOCUMENTED,
): AsyncGenerator<CsvRow[]> {
  const assembling: Assembling = { line: 1, open: null, delimiter };
  for await (const lines of readLines(transcode(chunks, encoding))) {
    for (const { rows, work } of assemble(assembling, lines)) {
      await rest(work);
      yield rows;
    }
  }
  const last: Pass = { rows: [], work: 0 };
  for (const { rows, work } of giveUp(assembling, last)) {
    await rest(work);
    yield rows;
  }
  yield last.rows;
}

/** The number of the next line, and the row that is still open before it. */
type Assembling = { line: number; open: Open | null; delimiter: Delimiter };
/** `lines`: the physical lines with their line ends. */
type Open = { line: number; lines: string[]; bytes: number };

/** Rows, and the work of reading them. */
type Pass = { rows: CsvRow[]; work: number };

function* assemble(assembling: Assembling, lines: Line[]): Generator<Pass> {
  const pass: Pass = { rows: [], work: 0 };
  for (const line of lines) {
    if (typeof line !== "string" && "complaint" in line) {
      yield* giveUp(assembling, pass);
      pass.work += LINE_WORK;
      pass.rows.push({ line: assembling.line, complaint: line.complaint, ...lenient(line, assembling) });
    } else {
      const text = typeof line === "string" ? line : line.text;
      const end = typeof line === "string" ? "\n" : "\r";
      if (assembling.open === null) begin(assembling, text, end, pass);
      else yield* goOn(assembling, assembling.open, text, end, pass);
    }
    assembling.line++;
    if (pass.work >= WORK_AT_ONCE) yield drain(pass);
  }
  yield pass;
}

/** The cells of a line with invalid bytes. */
function lenient({ text = "" }: { text?: string }, { delimiter }: Assembling): Pick<CsvRow, "lenient"> {
  const read = cellsOf(text, delimiter);
  return "cells" in read && read.cells.length > 0 ? { lenient: read.cells } : {};
}

/** Returns the rows and the work so far, and resets both. */
function drain(pass: Pass): Pass {
  const drained = { ...pass };
  pass.rows = [];
  pass.work = 0;
  return drained;
}

/** Reads a line outside of an open row. */
function begin(assembling: Assembling, text: string, end: string, pass: Pass): void {
  if (opens(assembling, text, end)) pass.work += text.length + LINE_WORK;
  else add(pass, assembling.line, text, assembling.delimiter);
}

function opens(assembling: Assembling, text: string, end: string): boolean {
  const { line, delimiter } = assembling;
  if (!endsInQuotes(text, delimiter, false)) return false;
  assembling.open = { line, lines: [text + end], bytes: Buffer.byteLength(text) + 1 };
  return true;
}

/** Adds a line to the open row. */
function* goOn(assembling: Assembling, open: Open, text: string, end: string, pass: Pass): Generator<Pass> {
  const closes = !endsInQuotes(text, assembling.delimiter, true);
  pass.work += text.length + LINE_WORK;
  open.bytes += Buffer.byteLength(text) + 1;
  open.lines.push(text + (closes ? "" : end));
  const isTooLong = open.bytes > ROW_BYTES || open.lines.length > ROW_LINES;
  if (!closes && !isTooLong) return;
  if (pass.work >= WORK_AT_ONCE) yield drain(pass);
  const row = isTooLong ? null : rowOf(open.line, open.lines.join(""), assembling.delimiter);
  if (!isTooLong) pass.work += open.bytes + open.lines.length * LINE_WORK;
  if (row !== null && !("complaint" in row && row.complaint.code === "badQuotes")) {
    pass.rows.push(row);
    assembling.open = null;
    return;
  }
  if (closes) open.lines.pop();
  if (pass.work >= WORK_AT_ONCE) yield drain(pass);
  yield* giveUp(assembling, pass);
  if (closes && !opens(assembling, text, end)) add(pass, assembling.line, text, assembling.delimiter);
}

/** The open row is invalid. Each line after its first is a row by itself, even if it ends within quotes. */
function* giveUp(assembling: Assembling, pass: Pass): Generator<Pass> {
  const { open, delimiter } = assembling;
  assembling.open = null;
  if (open === null) return;
  pass.rows.push({ line: open.line, complaint: BAD_QUOTES });
  for (let index = 1; index < open.lines.length; index++) {
    add(pass, open.line + index, withoutEnd(open.lines[index] ?? ""), delimiter);
    if (pass.work >= WORK_AT_ONCE) yield drain(pass);
  }
}

/** Adds a line that is a row by itself. */
function add(pass: Pass, line: number, text: string, delimiter: Delimiter): void {
  pass.work += text.length + LINE_WORK;
  const row = rowOf(line, text, delimiter);
  if (row !== null) pass.rows.push(row);
}

/** Null for a blank line. */
function rowOf(line: number, text: string, delimiter: Delimiter): CsvRow | null {
  const read = cellsOf(text, delimiter);
  return "cells" in read && read.cells.length === 0 ? null : { line, ...read };
}

function withoutEnd(line: string): string {
  return line.endsWith("\n") || line.endsWith("\r") ? line.slice(0, -1) : line;
}
