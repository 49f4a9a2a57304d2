import { readLines } from "./csv-lines.ts";
import type { Rest } from "./csv-reader.ts";
import { cellsOf, ROW_CELLS } from "./csv-row.ts";
import { delimiters, type Delimiter, type Encoding } from "./reading.ts";
import { transcode } from "./transcode.ts";

/** Inspects the bytes of a file as they are stored, and guesses the encoding at the end. */
export function guessingEncoding(): { look: (bytes: Uint8Array) => void; encoding: () => Encoding } {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let isUtf8 = true;
  let mark: string | null = null;

  function decodes(bytes?: Uint8Array): boolean {
    try {
      decoder.decode(bytes, { stream: bytes !== undefined });
      return true;
    } catch {
      return false;
    }
  }
  return {
    look(bytes) {
      mark ??= Buffer.from(bytes.subarray(0, 2)).toString("latin1");
      isUtf8 &&= decodes(bytes);
    },
    encoding() {
      if (mark === "\xff\xfe") return "utf-16le";
      if (mark === "\xfe\xff") return "utf-16be";
      return isUtf8 && decodes() ? "utf-8" : "windows-1250";
    },
  };
}

/** The delimiter that splits the first lines of a file into the most cells. */
export async function guessDelimiter(
  chunks: AsyncIterable<Uint8Array>,
  encoding: Encoding,
  rest: Rest,
): Promise<Delimiter> {
  for await (const lines of readLines(transcode(chunks, encoding))) {
    await rest(LOOKED_AT_ONCE);
    if (lines.length === 0) continue;
    const counts: number[] = [];
    for (const delimiter of delimiters) {
      let cells = 0;
      for (const line of lines.slice(0, MOST_LINES)) {
        if (typeof line !== "string") continue;
        await rest(line.length);
        cells += cellCount(line, delimiter);
      }
      counts.push(cells);
    }
    return delimiters[counts.indexOf(Math.max(...counts))] ?? ",";
  }
  return ",";
}

/** Lines that are split: the first ones may be titles. */
const MOST_LINES = 20;

/** Characters between two rests, the same size as a piece of readLines. */
const LOOKED_AT_ONCE = 16 * 1024;

function cellCount(line: string, delimiter: Delimiter): number {
  const row = cellsOf(line, delimiter);
  if ("cells" in row) return row.cells.length;
  return row.complaint.code === "tooManyCells" ? ROW_CELLS + 1 : 0;
}
