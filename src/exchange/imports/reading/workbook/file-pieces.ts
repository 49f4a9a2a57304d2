/**
 * A file in the pieces that it is stored in: all have the length of the first, and the last may be shorter. The file is
 * never copied as a whole, because a copy of 50 MB blocks the event loop and doubles the memory.
 */
export class FilePieces {
  readonly length: number;
  readonly #pieces: readonly Uint8Array[];
  readonly #size: number;

  constructor(pieces: readonly Uint8Array[]) {
    this.#pieces = pieces;
    this.#size = pieces[0]?.length ?? 0;
    this.length = Math.max(0, pieces.length - 1) * this.#size + (pieces.at(-1)?.length ?? 0);
  }

  /** The bytes of a range; copied only if they are in several pieces. */
  bytes(from: number, to: number): Buffer {
    const [first = Buffer.alloc(0), ...others] = this.pieces(from, to);
    return others.length === 0 ? first : Buffer.concat([first, ...others]);
  }

  /** The same without a copy. */
  *pieces(from: number, to: number): Generator<Buffer> {
    for (let at = from; at < Math.min(to, this.length);) {
      const piece = this.#pieces[Math.floor(at / this.#size)];
      if (piece === undefined) return;
      const start = at % this.#size;
      const end = Math.min(piece.length, start + to - at);
      yield Buffer.from(piece.buffer, piece.byteOffset + start, end - start);
      at += end - start;
    }
  }
}
