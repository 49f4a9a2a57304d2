import { isUtf8 } from "node:buffer";
import { NOT_UTF8, ROW_BYTES, TOO_LONG, withoutReturns, type Complaint } from "./csv-row.ts";

/**
 * A physical line without its line end, or why it could not be read. A line feed ends it, with any carriage returns
 * before it; `isReturned`: a carriage return alone. The text of a line with invalid bytes is only good for a header.
 */
export type Line = string | { text: string; isReturned: true } | (Complaint & { text?: string });

const [LINE_FEED, RETURN] = [0x0a, 0x0d];
/** Bytes that are searched for line ends in one step. */
const PIECE_BYTES = 16 * 1024;

/** The physical lines of a file, in groups that end in the same piece. A byte order mark is removed. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  let pending: Uint8Array[] = [];
  let pendingLength = 0;
  let isFirst = true;

  function endedBy(piece: Uint8Array, isReturned = false): Line[] {
    const first = firstEnd(piece);
    const isTooLong = pendingLength + (first < 0 ? piece.length : first) > ROW_BYTES;
    const lines = splitLines(isTooLong ? piece : Buffer.concat([...pending, piece]), isReturned);
    if (isTooLong) lines[0] = { complaint: TOO_LONG };
    else if (isFirst) lines[0] = withoutMark(lines[0] ?? "");
    isFirst = false;
    return lines;
  }

  for await (const piece of piecesOf(chunks)) {
    const lineFeed = piece.lastIndexOf(LINE_FEED);
    const end = lineFeed < 0 ? lastReturn(piece) : lineFeed;
    if (end < 0) {
      // Of a line that is already too long, only the length is needed.
      if (pendingLength <= ROW_BYTES) pending.push(piece);
      pendingLength += piece.length;
      yield [];
      continue;
    }
    yield endedBy(piece.subarray(0, end), lineFeed < 0);
    pending = end + 1 < piece.length ? [piece.subarray(end + 1)] : [];
    pendingLength = piece.length - end - 1;
  }
  if (pendingLength > 0) yield endedBy(new Uint8Array());
}

async function* piecesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
  }
}

function firstEnd(piece: Uint8Array): number {
  const [lineFeed, carriage] = [piece.indexOf(LINE_FEED), piece.indexOf(RETURN)];
  return lineFeed < 0 || carriage < 0 ? Math.max(lineFeed, carriage) : Math.min(lineFeed, carriage);
}

/** The last carriage return that certainly ends a line: neither another one nor a line feed follows. -1 without one. */
function lastReturn(piece: Uint8Array): number {
  for (let at = piece.lastIndexOf(RETURN, -2); at >= 0; at = at === 0 ? -1 : piece.lastIndexOf(RETURN, at - 1)) {
    if (piece[at + 1] !== RETURN) return at;
  }
  return -1;
}

/** @param isReturned whether a carriage return alone ends the last line */
function splitLines(bytes: Uint8Array, isReturned: boolean): Line[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const isText = isUtf8(buffer);
  const text = buffer.toString(isText ? "utf8" : "latin1");
  const read = isText ? (line: string) => line : decoded;
  if (!isReturned && !BARE_RETURN.test(text)) {
    const lines = text.split("\n");
    return isText ? lines : lines.map(read);
  }
  const lines: Line[] = [];
  const ended = text.split("\n");
  for (const [index, line] of ended.entries()) {
    const isLast = isReturned && index === ended.length - 1;
    const end = isLast ? line.length : withoutReturns(line).length;
    const parts = line.slice(0, end).split("\r");
    const last = isLast ? null : (parts.pop() ?? "") + line.slice(end);
    for (const part of parts) lines.push(returned(read(part)));
    if (last !== null) lines.push(read(last));
  }
  return lines;
}

/** A carriage return that no line feed follows. */
const BARE_RETURN = /\r[^\r\n]/;

function returned(line: Line): Line {
  return typeof line === "string" ? { text: line, isReturned: true } : line;
}

/** @param latin1 the bytes of a line, one character each */
function decoded(latin1: string): Line {
  // eslint-disable-next-line no-control-regex -- ASCII is the same in both
  if (/^[\0-\x7f]*$/.test(latin1)) return latin1;
  const bytes = Buffer.from(latin1, "latin1");
  return isUtf8(bytes) ? bytes.toString() : { complaint: NOT_UTF8, text: bytes.toString() };
}

function withoutMark(line: Line): Line {
  if (typeof line === "string") return line.startsWith("\ufeff") ? line.slice(1) : line;
  const { text = "" } = line;
  return text.startsWith("\ufeff") ? { ...line, text: text.slice(1) } : line;
}
