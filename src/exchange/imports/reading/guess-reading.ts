import { readLines } from "./csv-lines.ts";
import type { Rest } from "./csv-reader.ts";
import { cellsOf, endsInQuotes, ROW_CELLS } from "./csv-row.ts";
import { guessingPage } from "./guess-page.ts";
import { delimiters, type Delimiter, type Encoding } from "./reading.ts";
import { transcode } from "./transcode.ts";

/** Inspects the bytes of a file as they are stored, and guesses the encoding at the end. */
export function guessingEncoding(): { look: (bytes: Uint8Array) => void; encoding: () => Encoding } {
  const strict = new TextDecoder("utf-8", { fatal: true });
  const lenient = new TextDecoder("utf-8", { ignoreBOM: true });
  let isUtf8 = true;
  /** Letters of several bytes, and bytes that belong to no letter. */
  let [letters, bad] = [0, 0];
  let start: string | null = null;
  let unmarked: Encoding | null = null;
  const guessing = guessingPage();

  function count(text: string): void {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 0xfffd) bad++;
      else if (code > 0x7f) letters++;
    }
  }

  function look(bytes?: Uint8Array): void {
    const isMore = bytes !== undefined;
    if (isUtf8) {
      try {
        const text = strict.decode(bytes, { stream: isMore });
        // A letter has more bytes than UTF-16 code units, unless it is ASCII.
        letters += (bytes?.length ?? 0) - text.length;
        return;
      } catch {
        isUtf8 = false;
      }
    }
    count(lenient.decode(bytes, { stream: isMore }));
    if (bytes !== undefined) guessing.look(bytes);
  }

  return {
    look(bytes) {
      if (start === null) {
        start = Buffer.from(bytes.subarray(0, 2)).toString("latin1");
        unmarked = utf16Of(bytes);
      }
      look(bytes);
    },
    encoding() {
      if (start === "\xff\xfe") return "utf-16le";
      if (start === "\xfe\xff") return "utf-16be";
      if (unmarked !== null) return unmarked;
      look();
      // A few bad bytes cost their rows. In another encoding nearly all bytes above ASCII are bad.
      return isUtf8 || letters > bad ? "utf-8" : guessing.page();
    },
  };
}

/** UTF-16 without a mark, by the NUL bytes of its ASCII characters, which are at odd or at even places; else null. */
function utf16Of(bytes: Uint8Array): Encoding | null {
  const nuls: [even: number, odd: number] = [0, 0];
  for (let at = bytes.indexOf(0); at >= 0; at = bytes.indexOf(0, at + 1)) nuls[at % 2 === 0 ? 0 : 1]++;
  const [even, odd] = nuls;
  if (20 * Math.max(even, odd) < bytes.length) return null;
  return odd > 4 * even ? "utf-16le" : even > 4 * odd ? "utf-16be" : null;
}

/**
 * The delimiter that splits the header: the first line that it splits into several cells, and most lines behind it into
 * as many or fewer. Without such a line, the first one that is split decides.
 */
export async function guessDelimiter(
  chunks: AsyncIterable<Uint8Array>,
  encoding: Encoding,
  rest: Rest,
): Promise<Delimiter> {
  for await (const lines of readLines(transcode(chunks, encoding))) {
    await rest(LOOKED_AT_ONCE);
    const texts: string[] = [];
    for (const line of lines.slice(0, MOST_LINES)) {
      if (typeof line === "string") texts.push(line);
      else if ("text" in line && line.text !== undefined) texts.push(line.text);
    }
    if (texts.length === 0) continue;
    const counts = new Map<Delimiter, (number | null)[]>();
    for (const delimiter of delimiters) {
      const found: (number | null)[] = [];
      let [isOpen, row, start] = [false, "", 0];
      for (const [line, text] of texts.entries()) {
        await rest(text.length);
        [row, start] = isOpen ? [`${row}\n${text}`, start] : [text, line];
        isOpen = endsInQuotes(text, delimiter, isOpen);
        found.push(null);
        if (!isOpen) found[start] = cellCount(row, delimiter);
      }
      counts.set(delimiter, found);
    }
    return declared(texts[0] ?? "") ?? ofHeader(counts, texts) ?? ",";
  }
  return ",";
}

/** The delimiter that a first line `sep=;` names, as Excel reads it. */
function declared(line: string): Delimiter | undefined {
  const [, named] = /^"?sep=(.)"?\s*$/.exec(line.slice(0, 20)) ?? [];
  return delimiters.find((delimiter) => delimiter === named);
}

type Counts = ReadonlyMap<Delimiter, readonly (number | null)[]>;

function ofHeader(counts: Counts, lines: readonly string[]): Delimiter | undefined {
  let first: Delimiter | undefined;
  for (const [line, text] of lines.entries()) {
    const split = delimiters.filter((delimiter) => (counts.get(delimiter)?.[line] ?? 0) > 1);
    for (const delimiter of split.toSorted((a, b) => tightCells(text, b) - tightCells(text, a))) {
      first ??= delimiter;
      const cells = counts.get(delimiter) ?? [];
      const below = cells.slice(line + 1).filter((count) => count !== null);
      const alike = below.filter((count) => count > 1 && count <= (cells[line] ?? 0)).length;
      if (2 * alike >= below.length) return delimiter;
    }
  }
  return first;
}

/** Cells that do not begin with a blank: a comma within a text has one behind it. */
function tightCells(line: string, delimiter: Delimiter): number {
  const read = cellsOf(line, delimiter);
  return "cells" in read ? read.cells.filter((cell) => !cell.startsWith(" ")).length : 0;
}

/** Lines that are split: the first ones may be titles. */
const MOST_LINES = 20;

/** Characters between two rests, the same size as a piece of readLines. */
const LOOKED_AT_ONCE = 16 * 1024;

/** The cells of a line; null for a blank one, and for one that cannot be read. */
function cellCount(line: string, delimiter: Delimiter): number | null {
  const read = cellsOf(line, delimiter);
  if (!("cells" in read)) return read.complaint.code === "tooManyCells" ? ROW_CELLS + 1 : null;
  const [whole = ""] = read.cells;
  if (read.cells.length === 1 && whole.includes(delimiter)) return cellCount(whole, delimiter);
  return read.cells.length === 0 ? null : read.cells.length;
}
