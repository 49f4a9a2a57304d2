import { Refusal } from "../refusal.ts";

const LINE_FEED = 10;
/**
 * The most bytes of a line in a backup: a row is in memory several times while it is decrypted, checked and encrypted.
 */
export const LINE_BYTES = 64 * 1024 * 1024;
export const LINE_TOO_LONG = "more than 64 MiB";
/** The least bytes of a piece, except the last. */
const PIECE = 64 * 1024;

/**
 * The lines of COPY's text format, one for each row of a table, with their line feeds. Throws Refusal for a line that
 * is too long.
 */
export async function* linesOf(table: string, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  let [row, restBytes] = [1, 0];
  for await (const piece of pieces) {
    let begin = 0;
    for (let end = piece.indexOf(LINE_FEED); end !== -1; end = piece.indexOf(LINE_FEED, begin)) {
      const last = piece.subarray(begin, end + 1);
      if (restBytes + last.length > LINE_BYTES) throw tooLong(table, row);
      yield rest.length === 0 ? last : Buffer.concat([...rest, last]);
      [rest, restBytes] = [[], 0];
      row++;
      begin = end + 1;
    }
    if (begin === piece.length) continue;
    rest.push(piece.subarray(begin));
    restBytes += piece.length - begin;
    if (restBytes > LINE_BYTES) throw tooLong(table, row);
  }
}

function tooLong(table: string, row: number): Refusal {
  return new Refusal(`Row ${row} of ${table} has ${LINE_TOO_LONG}, which no tenant's backup holds.`);
}

/** Joins many lines into few large pieces. */
export async function* gathered(lines: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const line of lines) {
    waiting.push(line);
    bytes += line.length;
    if (bytes < PIECE) continue;
    yield Buffer.concat(waiting);
    [waiting, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}

/** The values of a line; null is null. */
export function valuesOf(line: Buffer): (string | null)[] {
  const text = line.toString().slice(0, -1);
  return text.split("\t").map((value) => (value === "\\N" ? null : value.replaceAll(/\\(.)/gs, unescaped)));
}

export function lineOf(values: readonly (string | null)[]): Buffer {
  return Buffer.from(
    `${values.map((value) => (value === null ? "\\N" : value.replaceAll(/[\b\f\n\r\t\v\\]/g, escaped))).join("\t")}\n`,
  );
}

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };
const LETTERS = new Map(Object.entries(ESCAPES).map(([letter, character]) => [character, letter]));

function unescaped(_match: string, letter: string): string {
  return ESCAPES[letter] ?? letter;
}

function escaped(character: string): string {
  return `\\${LETTERS.get(character) ?? character}`;
}
