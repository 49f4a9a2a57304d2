import { isUtf8 } from "node:buffer";
import { NOT_UTF8, ROW_BYTES, TOO_LONG, type Complaint } from "./csv-row.ts";

/** A physical line without its line feed, or why it could not be read. */
export type Line = string | Complaint;

const LINE_FEED = 0x0a;
/** Bytes that are searched for line ends in one step. */
const PIECE_BYTES = 16 * 1024;

/** The physical lines of a file, in groups that end in the same piece. A byte order mark is removed. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  let pending: Uint8Array[] = [];
  let pendingLength = 0;
  let isFirst = true;

  function endedBy(piece: Uint8Array): Line[] {
    const first = piece.indexOf(LINE_FEED);
    const isTooLong = pendingLength + (first < 0 ? piece.length : first) > ROW_BYTES;
    const lines = splitLines(isTooLong ? piece : Buffer.concat([...pending, piece]));
    if (isTooLong) lines[0] = { complaint: TOO_LONG };
    else if (isFirst) lines[0] = withoutMark(lines[0] ?? "");
    isFirst = false;
    return lines;
  }

  for await (const piece of piecesOf(chunks)) {
    const end = piece.lastIndexOf(LINE_FEED);
    if (end < 0) {
      // Of a line that is already too long, only the length is needed.
      if (pendingLength <= ROW_BYTES) pending.push(piece);
      pendingLength += piece.length;
      yield [];
      continue;
    }
    yield endedBy(piece.subarray(0, end));
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

function splitLines(bytes: Uint8Array): Line[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (isUtf8(buffer)) return buffer.toString().split("\n");
  return buffer.toString("latin1").split("\n").map(decoded);
}

/** @param latin1 the bytes of a line, one character each */
function decoded(latin1: string): Line {
  // eslint-disable-next-line no-control-regex -- ASCII is the same in both
  if (/^[\0-\x7f]*$/.test(latin1)) return latin1;
  const bytes = Buffer.from(latin1, "latin1");
  return isUtf8(bytes) ? bytes.toString() : { complaint: NOT_UTF8 };
}

function withoutMark(line: Line): Line {
  return typeof line === "string" && line.startsWith("\ufeff") ? line.slice(1) : line;
}
