import type { Encoding } from "./reading.ts";
import { lettersOf } from "./transcode.ts";

/** The encodings of one byte for each letter; of several that fit as well, the first is the guess. */
const PAGES = [
  "windows-1250",
  "windows-1252",
  "iso-8859-2",
  "iso-8859-16",
  "cp852",
  "x-mac-romanian",
  "macintosh",
  "x-mac-ce",
] as const satisfies readonly Encoding[];

/** The letters of one region, and the worth of each: Romania and Hungary, the west, and the rest of Central Europe. */
const REGIONS: readonly [letters: ReadonlySet<string>, worth: number][] = [
  [new Set("ăâîșțşţáéíóöőúüűäß"), 4],
  [new Set("àáâãäåæçèéêëìíîïñòóôõöøœùúûüýß"), 4],
  [new Set("áčďéěíľňóôřšťúůýžäąćęłńśźżöőüűđ"), 3.5],
];
const [STRANGE, ODD, CONTROL, MARK] = [-5, -6, -20, 1];
const MARKS = new Set("„”“’‘‚«»‹›–—…€\u00a0");
/** They stand behind a word, or alone. */
const SIGNS = new Set("°©®™§•");

/** The neighbour of a byte: something else, a small or a capital letter, or another byte above ASCII. */
const [OTHER, SMALL, CAPITAL, HIGH] = [0, 1, 2, 3];
/** Bytes that are counted. */
const ENOUGH = 100_000;

/** Counts the bytes above ASCII by their neighbours, and finds the encoding in which they make words. */
export function guessingPage(): { look: (bytes: Uint8Array) => void; page: () => Encoding } {
  const counts = new Uint32Array(128 * 16);
  let seen = 0;
  /** The last byte of the piece before. */
  let last = 0;
  return {
    look(bytes) {
      for (let at = 0; at < bytes.length && seen < ENOUGH; at++) {
        const byte = bytes[at] ?? 0;
        if (byte < 128) continue;
        const place = (byte - 128) * 16 + kindOf(at === 0 ? last : bytes[at - 1]) * 4 + kindOf(bytes[at + 1]);
        counts[place] = (counts[place] ?? 0) + 1;
        seen++;
      }
      last = bytes.at(-1) ?? last;
    },
    page() {
      const scores = PAGES.map((page) => {
        const letters = lettersOf(page);
        return { page, score: Math.max(...REGIONS.map(([region, worth]) => scoreOf(counts, letters, region, worth))) };
      });
      return scores.reduce((best, one) => (one.score > best.score ? one : best)).page;
    },
  };
}

function kindOf(byte = 0): number {
  if (byte > 127) return HIGH;
  if (byte >= 97 && byte <= 122) return SMALL;
  return byte >= 65 && byte <= 90 ? CAPITAL : OTHER;
}

function scoreOf(counts: Uint32Array, letters: string, region: ReadonlySet<string>, worth: number): number {
  let score = 0;
  for (const [place, count] of counts.entries()) {
    if (count === 0) continue;
    const [before, after] = [(place >> 2) & 3, place & 3];
    score += count * worthOf(letters.charAt(place >> 4), before, after, { region, worth });
  }
  return score;
}

type Region = { region: ReadonlySet<string>; worth: number };

function worthOf(letter: string, before: number, after: number, { region, worth }: Region): number {
  const isBetween = before !== OTHER && after !== OTHER;
  if (/\p{L}/u.test(letter)) {
    const small = letter.toLowerCase();
    const isCapital = small !== letter;
    // Capitals begin a word, or are among capitals; small letters are not among capitals.
    const isOdd = isCapital ? before === SMALL : after === CAPITAL || (before === CAPITAL && after === OTHER);
    return (region.has(small) ? worth : STRANGE) + (isOdd ? ODD : 0);
  }
  if (letter === "’" || letter === "\u00a0") return MARK;
  if (isBetween) return ODD;
  if (MARKS.has(letter)) return MARK;
  if (SIGNS.has(letter) && after === OTHER) return 0;
  return /\p{Cc}|\ufffd/u.test(letter) ? CONTROL : STRANGE;
}
