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
 * What a file's rows are, said as simply as can be, with the whole file at hand: from a line that ends within quotes
 * on, the lines up to the first that ends outside of them are a row. Where they are none, the first is refused, those
 * in between are rows by themselves, and the last one is tried again.
 */
export function readSimply(file: Buffer): CsvRow[] {
  const rows: CsvRow[] = [];
  const lines = linesOf(file);
  for (let at = 0; at < lines.length;) {
    const { reads, count } = rowsFrom(lines, at);
    for (const [index, read] of reads.entries()) {
      if ("complaint" in read || read.cells.length > 0) rows.push({ line: at + index + 1, ...read });
    }
    at += count;
  }
  return rows;
}

type Read = { cells: string[] } | Complaint;
type Line = { bytes: Buffer; end: string };

function rowsFrom(lines: Line[], start: number): { reads: Read[]; count: number } {
  const alone = (at: number): Read => readable(lines[at]) ?? parse(textOf(lines[at]));
  const first = readable(lines[start]);
  if (first !== null) return { reads: [first], count: 1 };
  let isOpen = isOpenBehind(textOf(lines[start]), false);
  if (!isOpen) return { reads: [alone(start)], count: 1 };
  let bytes = textOf(lines[start]).length === 0 ? 1 : Buffer.byteLength(textOf(lines[start])) + 1;
  const refused = (end: number) => ({
    reads: [
      { complaint: BAD_QUOTES },
      ...Array.from({ length: end - start - 1 }, (_none, at) => alone(start + 1 + at)),
    ],
    count: end - start,
  });
  for (let at = start + 1; ; at++) {
    const line = lines[at];
    if (line === undefined || readable(line) !== null) return refused(at);
    bytes += line.bytes.length + 1;
    isOpen = isOpenBehind(textOf(line), true);
    if (bytes > ROW_BYTES || at - start + 1 > ROW_LINES) return refused(isOpen ? at + 1 : at);
    if (isOpen) continue;
    const whole = lines
      .slice(start, at + 1)
      .map((one, index, all) => textOf(one) + (index < all.length - 1 ? one.end : ""));
    const read = parse(whole.join(""));
    return "complaint" in read && read.complaint === BAD_QUOTES
      ? refused(at)
      : { reads: [read], count: at - start + 1 };
  }
}

function textOf(line: Line | undefined): string {
  return line?.bytes.toString() ?? "";
}

function readable(line: Line | undefined): Complaint | null {
  const { bytes } = line ?? { bytes: Buffer.alloc(0) };
  if (bytes.length > ROW_BYTES) return { complaint: TOO_LONG };
  return isUtf8(bytes) ? null : { complaint: NOT_UTF8 };
}

type State = "start" | "plain" | "quoted" | "closed" | "bad";

/** Whether a line ends within quotes. @param wasOpen whether it begins within them */
function isOpenBehind(text: string, wasOpen: boolean): boolean {
  let state: State = wasOpen ? "quoted" : "start";
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (state === "quoted") state = character === '"' ? "closed" : "quoted";
    else if (state === "closed" && character === '"') state = "quoted";
    else if (state === "closed" && character !== ",") return false;
    else if (character === ",") state = "start";
    else state = state === "start" && character === '"' ? "quoted" : "plain";
  }
  return state === "quoted";
}

/** Character by character. */
function parse(row: string): Read {
  const text = row.replace(/(?<!\r)\r+$/, "");
  if (text === "") return { cells: [] };
  const cells: string[] = [];
  let [cell, state, hasBreak]: [string[], State, boolean] = [[], "start", false];
  for (const character of [...Array.from(text), null]) {
    if (state === "quoted") {
      if (character === '"') state = "closed";
      else if (character === null) return { complaint: BAD_QUOTES };
      else cell.push(character);
    } else if (character === "," || character === null) {
      if (hasBreak) return { complaint: BAD_QUOTES };
      cells.push(cell.join(""));
      [cell, state] = [[], "start"];
      if (cells.length > ROW_CELLS) return { complaint: TOO_MANY_CELLS };
    } else if (character === '"' && state !== "plain") {
      if (state === "closed") cell.push('"');
      state = "quoted";
    } else {
      if (state === "closed") return { complaint: BAD_QUOTES };
      hasBreak ||= character === "\n" || character === "\r";
      state = "plain";
      cell.push(character);
    }
  }
  return { cells };
}

/** A line ends at a line feed, with the carriage returns before it, and at each other carriage return. */
function linesOf(file: Buffer): Line[] {
  const bytes = file.subarray(0, 3).equals(Buffer.from("\ufeff")) ? file.subarray(3) : file;
  const lines: Line[] = [];
  let start = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 10) {
      lines.push({ bytes: bytes.subarray(start, at), end: "\n" });
      start = at + 1;
    } else if (bytes[at] === 13) {
      let behind = at;
      while (bytes[behind] === 13) behind++;
      if (behind === bytes.length) break;
      if (bytes[behind] === 10) {
        at = behind - 1;
        continue;
      }
      for (; at < behind; at++) {
        lines.push({ bytes: bytes.subarray(start, at), end: "\r" });
        start = at + 1;
      }
      at--;
    }
  }
  if (start < bytes.length) lines.push({ bytes: bytes.subarray(start), end: "" });
  return lines;
}
