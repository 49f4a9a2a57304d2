// Unicode White_Space, zero-width space to joiner, word joiner, byte order mark, NUL. All are single UTF-16 code units.
const BLANKS = new Set(
  Array.from(
    "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\u200b\u200c\u200d\u2060\ufeff\0",
    (blank) => blank.charCodeAt(0),
  ),
);

/**
 * Removes blanks at both ends (docs/contract.md 3.3). Done by hand: a regular expression anchored at the end takes
 * quadratic time on long blanks in the middle.
 */
export function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

/** Most texts end with letters of ASCII, which are looked up nowhere. */
function isBlank(unit: number): boolean {
  return (unit < 0x21 || unit > 0x7e) && BLANKS.has(unit);
}

/** Characters that begin another line, or turn the direction of the words behind them. */
const TURNING = "[\\p{Cc}\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]";
const HAS_TURNING = new RegExp(TURNING, "u");
const EACH_TURNING = new RegExp(`${TURNING}+`, "gu");

/** Whether a text stays in its line, whatever is beside it. */
export function isLine(text: string): boolean {
  return !HAS_TURNING.test(text);
}

/** A text that does: with blanks in the place of what would leave the line. */
export function asLine(text: string): string {
  return text.replaceAll(EACH_TURNING, " ");
}

/** Length in Unicode code points, which the limits count. `text.length` counts UTF-16 code units. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(i + 1);
      if (next >= 0xdc00 && next <= 0xdfff) {
        count--;
        i++;
      }
    }
  }
  return count;
}

/** Whether a text has at most this many code points. Those of a much longer text are not counted. */
export function isWithin(text: string, most: number): boolean {
  return text.length <= most || (text.length <= 2 * most && codePoints(text) <= most);
}

/**
 * A text of at most this many code points in a Unicode normalization form; null for a longer one, which is not read. A
 * run of combining marks takes quadratic time to normalize, so no other code does it (test/tidy/placements.test.ts).
 * For passwords, and for texts that are compared and not stored; those are `composed`.
 */
export function normalized(text: string, most: number, form: "NFC" | "NFD" | "NFKC" = "NFC"): string | null {
  return isWithin(text, most) ? text.normalize(form) : null;
}

/**
 * The most combining marks in a row of a stored text. No language writes as many (Unicode Standard Annex 15,
 * stream-safe text), and without a bound they take quadratic time to compose.
 */
export const MARKS_MAX = 30;

/** More marks than that. The combining grapheme joiner ends a run. */
const LONG_RUN = /[\p{M}--\u034f]{31}/v;
/** Below U+0300 every text is composed and has no marks. */
const MAY_BE_DECOMPOSED = /[^\0-\u02ff]/;

/**
 * A text as it is stored: composed (NFC), which no statement does for each row that it reads. Null for a text with more
 * than MARKS_MAX marks in a row.
 */
export function composed(text: string): string | null {
  if (!MAY_BE_DECOMPOSED.test(text)) return text;
  if (LONG_RUN.test(text)) return null;
  const result = text.normalize("NFC");
  // Some marks become two.
  return LONG_RUN.test(result) ? null : result;
}

/**
 * One text for all spellings that a database may treat as equal: in another case, or composed. Null for a text of more
 * than this many code points. Letters are folded one by one, because databases ignore the ends of words. They pass
 * through upper case, because İ, ı and ς have their own lower cases here.
 */
export function comparable(text: string, most: number): string | null {
  const whole = normalized(text, most);
  if (whole === null || IS_ASCII.test(whole)) return whole?.toLowerCase() ?? null;
  const fold = (letter: string) => letter.toLowerCase().toUpperCase().toLowerCase().replaceAll("\u0307", "");
  return Array.from(whole, fold).join("");
}

// eslint-disable-next-line no-control-regex -- ASCII has them
const IS_ASCII = /^[\0-\x7f]*$/;

/**
 * The value, if it can be sent to PostgreSQL unchanged; null for everything else, and for a text of more than this many
 * code points, which no row has.
 */
export function storableWithin(value: unknown, most: number): string | null {
  return typeof value === "string" && isWithin(value, most) && isStorable(value) ? value : null;
}

/** The text in which a stored one equals this value; null for a value that no row has. */
export function asStored(value: unknown, most: number): string | null {
  const text = storableWithin(value, most);
  return text === null ? null : composed(text);
}

/** The text, or its first code points up to this number and an ellipsis. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  // Of a text of any length, only the needed part is read.
  const characters = Array.from(text.slice(0, 2 * most + 2));
  return characters.length > most ? `${characters.slice(0, most).join("")}…` : text;
}

/** False for text that PostgreSQL refuses (NUL) or silently alters (a lone surrogate). */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}
