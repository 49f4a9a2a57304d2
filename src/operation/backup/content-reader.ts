import { LINE_BYTES, LINE_TOO_LONG } from "../../platform/postgres/copy-lines.ts";

/** The content of a file is not a valid backup; the message describes the fault. */
export class Malformed extends Error {}

/** Reads lines of JSON, and pieces of bytes between them, from a stream with any chunk sizes. */
export type ContentReader = {
  line(): Promise<unknown>;
  /** Pieces of bytes, each after a line with its length; length 0 is the end. */
  pieces(): AsyncGenerator<Buffer>;
  /** Fails if the stream has more content. */
  end(): Promise<void>;
};

const LINE_FEED = 10;

export function contentReader(content: AsyncIterable<Buffer>): ContentReader {
  const portions = content[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  async function more(): Promise<Buffer> {
    const next = await portions.next();
    if (next.done === true) throw new Malformed("ends too early");
    return next.value;
  }

  async function line(): Promise<unknown> {
    const parts: Buffer[] = [];
    let bytes = 0;
    for (let end = rest.indexOf(LINE_FEED); ; end = rest.indexOf(LINE_FEED)) {
      const part = end === -1 ? rest : rest.subarray(0, end);
      parts.push(part);
      bytes += part.length;
      if (bytes > LINE_BYTES) throw new Malformed(`has a line of ${LINE_TOO_LONG}`);
      if (end !== -1) {
        rest = rest.subarray(end + 1);
        return parsed(Buffer.concat(parts).toString());
      }
      rest = await more();
    }
  }

  async function* pieces(): AsyncGenerator<Buffer> {
    for (let left = lengthOf(await line()); left > 0; left = lengthOf(await line())) {
      while (left > 0) {
        if (rest.length === 0) rest = await more();
        const piece = rest.subarray(0, left);
        rest = rest.subarray(piece.length);
        left -= piece.length;
        yield piece;
      }
    }
  }

  async function end(): Promise<void> {
    if (rest.length > 0 || (await portions.next()).done !== true) throw new Malformed("goes on behind its end");
  }

  return { line, pieces, end };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Malformed("has a line that is no JSON");
  }
}

function lengthOf(line: unknown): number {
  if (Number.isSafeInteger(line) && Number(line) >= 0) return Number(line);
  throw new Malformed("has a piece without its length");
}
