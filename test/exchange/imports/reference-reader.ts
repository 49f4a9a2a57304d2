import { isUtf8 } from "node:buffer";
import {
  BAD_QUOTES,
  NOT_UTF8,
  ROW_BYTES,
  ROW_CELLS,
  ROW_LINES,
  TOO_LONG,
  TOO_MANY_CELLS,
  type Complaint,
  type CsvRow,
} from "../../../src/exchange/imports/reading/csv-row.ts";

/**
 * What a file's rows are, said as simply as can be, with the whole file at hand: from each line on, as many lines as
 * have an even number of quotation marks together are a row; where they are none, the line alone is refused, and the
 * next one is tried.
 */
export function readSimply(file: Buffer): CsvRow[] {
  const rows: CsvRow[] = [];
  const lines = linesOf(file);
  for (let at = 0; at < lines.length;) {
    const { read, count } = rowFrom(lines, at);
    if ("complaint" in read || read.cells.length > 0) rows.push({ line: at + 1, ...read });
    at += count;
  }
  return rows;
}

type Read = { cells: string[] } | Complaint;

function rowFrom(lines: Buffer[], start: number): { read: Read; count: number } {
  const texts: string[] = [];
  let bytes = 0;
  let isOpen = false;
  for (let at = start; at < Math.min(lines.length, start + ROW_LINES); at++) {
    const line = lines[at] as Buffer;
    if (line.length > ROW_BYTES || !isUtf8(line)) {
      const complaint = line.length > ROW_BYTES ? TOO_LONG : NOT_UTF8;
      return { read: { complaint: texts.length === 0 ? complaint : BAD_QUOTES }, count: 1 };
    }
    bytes += line.length + 1;
    if (texts.length > 0 && bytes > ROW_BYTES) break;
    const text = line.toString();
    texts.push(text);
    if (text.split('"').length % 2 === 0) isOpen = !isOpen;
    if (isOpen) continue;
    const read = parse(texts.join("\n").replace(/\r$/, ""));
    return { read, count: "complaint" in read && read.complaint === BAD_QUOTES ? 1 : texts.length };
  }
  return { read: { complaint: BAD_QUOTES }, count: 1 };
}

/** Character by character. */
function parse(text: string): Read {
  if (text === "") return { cells: [] };
  const cells: string[] = [];
  let [cell, state]: [string[], "start" | "plain" | "quoted" | "closed"] = [[], "start"];
  for (const character of [...Array.from(text), null]) {
    if (state === "quoted") {
      if (character === '"') state = "closed";
      else if (character === null) return { complaint: BAD_QUOTES };
      else cell.push(character);
    } else if (character === "," || character === null) {
      cells.push(cell.join(""));
      [cell, state] = [[], "start"];
      if (cells.length > ROW_CELLS) return { complaint: TOO_MANY_CELLS };
    } else if (character === '"') {
      if (state === "plain") return { complaint: BAD_QUOTES };
      if (state === "closed") cell.push('"');
      state = "quoted";
    } else {
      if (state === "closed") return { complaint: BAD_QUOTES };
      state = "plain";
      cell.push(character);
    }
  }
  return { cells };
}

function linesOf(file: Buffer): Buffer[] {
  const bytes = file.subarray(0, 3).equals(Buffer.from("\ufeff")) ? file.subarray(3) : file;
  const lines: Buffer[] = [];
  let at = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, at)) {
    lines.push(bytes.subarray(at, end));
    at = end + 1;
  }
  if (at < bytes.length) lines.push(bytes.subarray(at));
  return lines;
}
