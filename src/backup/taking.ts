/** Takes lines of JSON, and pieces of bytes that stand between them, from what comes in any portions. */
export type Taking = {
  line(): Promise<unknown>;
  /** Pieces of bytes, each behind a line with its length, up to one of length 0. */
  pieces(): AsyncGenerator<Buffer>;
  /** Fails where there is more. */
  end(): Promise<void>;
};

const LINE_FEED = 10;

export function taking(content: AsyncIterable<Buffer>): Taking {
  const portions = content[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  async function more(): Promise<Buffer> {
    const next = await portions.next();
    if (next.done === true) throw new Error("the content ends too early");
    return next.value;
  }

  async function line(): Promise<unknown> {
    const parts: Buffer[] = [];
    for (let end = rest.indexOf(LINE_FEED); ; end = rest.indexOf(LINE_FEED)) {
      parts.push(end === -1 ? rest : rest.subarray(0, end));
      if (end !== -1) {
        rest = rest.subarray(end + 1);
        return JSON.parse(Buffer.concat(parts).toString()) as unknown;
      }
      rest = await more();
    }
  }

  async function* pieces(): AsyncGenerator<Buffer> {
    for (let left = Number(await line()); left > 0; left = Number(await line())) {
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
    if (rest.length > 0 || (await portions.next()).done !== true) throw new Error("the content goes on behind its end");
  }

  return { line, pieces, end };
}
