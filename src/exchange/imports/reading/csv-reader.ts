import { readLines, type Line } from "./csv-lines.ts";
import { BAD_QUOTES, cellsOf, ROW_BYTES, ROW_LINES, type CsvRow } from "./csv-row.ts";
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
 * malformed row costs only itself (docs/decisions/0012-csv-reader.md). A line with an odd number of quotation marks
 * opens a row, and the next such line closes it. If these lines are not a row, or too many, each line in between is a
 * row by itself, and the last one opens the next row. So a file is read once, and no line is parsed more than twice.
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
type Open = { line: number; lines: string[]; bytes: number };

/** Rows, and the work of reading them. */
type Pass = { rows: CsvRow[]; work: number };

function* assemble(assembling: Assembling, lines: Line[]): Generator<Pass> {
  const pass: Pass = { rows: [], work: 0 };
  for (const line of lines) {
    if (typeof line !== "string") {
      yield* giveUp(assembling, pass);
      pass.work += LINE_WORK;
      pass.rows.push({ line: assembling.line, ...line });
    } else if (assembling.open !== null) {
      yield* goOn(assembling, assembling.open, line, pass);
    } else if (hasOddQuotes(line)) {
      pass.work += line.length + LINE_WORK;
      assembling.open = opened(assembling.line, line);
    } else {
      add(pass, assembling.line, line, assembling.delimiter);
    }
    assembling.line++;
    if (pass.work >= WORK_AT_ONCE) yield drain(pass);
  }
  yield pass;
}

/** Returns the rows and the work so far, and resets both. */
function drain(pass: Pass): Pass {
  const drained = { ...pass };
  pass.rows = [];
  pass.work = 0;
  return drained;
}

/** Adds a line to the open row. */
function* goOn(assembling: Assembling, open: Open, line: string, pass: Pass): Generator<Pass> {
  const closes = hasOddQuotes(line);
  pass.work += line.length + LINE_WORK;
  open.bytes += Buffer.byteLength(line) + 1;
  open.lines.push(line);
  const isTooLong = open.bytes > ROW_BYTES || open.lines.length > ROW_LINES;
  if (!closes && !isTooLong) return;
  if (pass.work >= WORK_AT_ONCE) yield drain(pass);
  const row = isTooLong ? null : rowOf(open.line, open.lines.join("\n"), assembling.delimiter);
  if (!isTooLong) pass.work += open.bytes + open.lines.length * LINE_WORK;
  if (row !== null && !("complaint" in row && row.complaint.code === "badQuotes")) {
    pass.rows.push(row);
    assembling.open = null;
    return;
  }
  if (closes) open.lines.pop();
  if (pass.work >= WORK_AT_ONCE) yield drain(pass);
  yield* giveUp(assembling, pass);
  if (closes) assembling.open = opened(assembling.line, line);
}

function opened(line: number, text: string): Open {
  return { line, lines: [text], bytes: Buffer.byteLength(text) + 1 };
}

/** The open row is invalid. Each line after its first has an even number of quotation marks, and is a row by itself. */
function* giveUp(assembling: Assembling, pass: Pass): Generator<Pass> {
  const { open, delimiter } = assembling;
  assembling.open = null;
  if (open === null) return;
  pass.rows.push({ line: open.line, complaint: BAD_QUOTES });
  for (let index = 1; index < open.lines.length; index++) {
    add(pass, open.line + index, open.lines[index] ?? "", delimiter);
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

function hasOddQuotes(line: string): boolean {
  let isOdd = false;
  // A search for each of a million quotation marks would take twenty times as long.
  for (let at = line.indexOf('"'); at >= 0 && at < line.length; at++) {
    if (line.charCodeAt(at) === QUOTE) isOdd = !isOdd;
  }
  return isOdd;
}

const QUOTE = 0x22;
