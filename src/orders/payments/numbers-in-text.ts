/**
 * Numbers of invoices in the text of a bank's transfer, in any common writing: `DMO-2026-0122`, `dmo 2026/0122`,
 * `DMO20260122`, `DMO 2026 122`.
 */

/** Digits that are looked up together: fewer end too many numbers. */
const FEWEST_DIGITS = 3;
/** Digits of an ending. More would miss a number that the text writes together with its year. */
const MOST_DIGITS = 4;
/** A text has few numbers; the others are accounts and dates. */
const MOST_ENDINGS = 40;
/** Few digits are looked up with the letters or digits before them, in each way of separating both. */
const MARKS = ["-", "/", " ", ".", ""];
const SHORT = /(\p{L}{1,4}|\d{1,4})[^\p{L}\d]{0,2}(?<!\d)(\d{1,2})(?!\d)/gu;
const DAY = /(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d{4}(?!\d)/g;

/** The endings that numbers named in a text have, as digits: for the look-up of candidates. */
export function endingsIn(text: string): string[] {
  const runs = text.match(/\d+/g) ?? [];
  const endings = runs.filter((run) => run.length >= FEWEST_DIGITS).map((run) => run.slice(-MOST_DIGITS));
  const short = [...text.replaceAll(DAY, " ").matchAll(SHORT)].flatMap(([, before = "", digits = ""]) => {
    const [bare, two, three, four] = [1, 2, FEWEST_DIGITS, MOST_DIGITS].map((length) =>
      digits.replace(/^0/, "").padStart(length, "0"),
    ) as [string, string, string, string];
    return MARKS.flatMap((mark) => [`${before}${mark}${bare}`, `${before}${mark}${two}`]).concat(three, four);
  });
  return [...new Set([...endings, ...short])].slice(0, MOST_ENDINGS);
}

/** The words before a number without letters: otherwise it may be a day, an amount or an account. */
const INVOICE_WORD =
  /^(?:F[FVC]?|FCT|FRA|FAC|(?:FACT|FATTUR|FISCAL)\p{L}*|INV|INVOICES?|BILL|RECHNUNG|N[ºRO]?|NUM\p{L}*|SERI[AE])$/u;
const SERIES_WORD = /^SERI[AE]$/;
/** The words between the numbers of a list. */
const AND = /^(?:[SȘŞ]I|AND|UND)$/;
/** An amount, or a number before a currency. */
const AMOUNT = /(?<![\d.,])\d+[.,]\d{2}(?![\d.,])|\d+(?=\s*(?:LEI|RON|EUR|USD)(?!\p{L}))/giu;

/** Whether a text names an invoice by its number. */
export function namesNumber(text: string, number: string): boolean {
  const wanted = partsOf(number);
  if (wanted.length === 0) return false;
  // A person may write the number alone.
  if (text.trim().toUpperCase() === number.toUpperCase()) return true;
  const hasLetters = (of: readonly string[]) => of.some((part) => /\p{L}/u.test(part));
  const [parts, unclear] = [partsOf(text), partsOf(text.replaceAll(DAY, " ").replaceAll(AMOUNT, " "))];
  return waysOf(wanted).some((way) => {
    const needsWord = !/\p{L}/u.test(way[0] ?? "");
    const all = hasLetters(way) ? parts : unclear;
    return all.some((_, at) => isNamedAt(all, at, way) && (!needsWord || INVOICE_WORD.test(all[at - 1] ?? "")));
  });
}

/** A number as it is, without a series that is a word for invoices, and with its last two parts in the other order. */
function waysOf(wanted: readonly string[]): string[][] {
  const [first = "", ...others] = wanted;
  const swapped = wanted.length > 1 ? [[...wanted.slice(0, -2), ...wanted.slice(-2).toReversed()]] : [];
  const bare = others.length > 0 && INVOICE_WORD.test(first) ? [others] : [];
  return [[...wanted], ...bare, ...swapped];
}

/** Whether a number is at a place, or later in a list that begins there: `DMO-2026-0122, 0123 and 0124`. */
function isNamedAt(parts: readonly string[], at: number, wanted: readonly string[]): boolean {
  const rest = parts.slice(at);
  if (after(rest, wanted) !== null) return true;
  const [last = "", series] = [wanted.at(-1), wanted.slice(0, -1)];
  const [first = "", ...listed] = after(rest, series) ?? [];
  if (!/^\d/.test(first)) return false;
  for (const part of listed) {
    if (AND.test(part)) continue;
    if (part.length !== first.length || !/^\d/.test(part)) return false;
    if (isSame(part, last)) return true;
  }
  return false;
}

/** The amount that a text writes behind a number: `DMO-2026-0122 = 30.50`; null if it writes none. */
export function amountAfter(text: string, number: string): string | null {
  const amount = String.raw`(?<![\p{L}\d])${RegExp.escape(number)}\s*[=:]\s*(\d{1,12}(?:\.\d{1,6})?)(?![\d.,])`;
  return new RegExp(amount, "iu").exec(text)?.[1] ?? null;
}

/** The runs of letters and of digits. */
function partsOf(text: string): string[] {
  return text.toUpperCase().match(/\p{L}+|\d+/gu) ?? [];
}

/**
 * The runs behind those of a number at the beginning of a text; null if they are others. Digits may be written
 * together: `20260122`. Words for invoices may be between the series and the digits.
 */
function after(parts: readonly string[], [first, ...others]: readonly string[]): readonly string[] | null {
  const [part, ...rest] = parts;
  if (first === undefined) return parts;
  if (part === undefined) return null;
  if (isSame(part, first)) {
    if (others[0] === undefined) return rest;
    const isWord = (word = "") => (/^\d/.test(others[0] ?? "") ? INVOICE_WORD : SERIES_WORD).test(word);
    const words = rest.findIndex((word) => !isWord(word) || isSame(word, others[0] ?? ""));
    return after(rest.slice(Math.max(words, 0)), others);
  }
  const [next, ...later] = others;
  // Two runs of digits without a mark between them.
  return next !== undefined && /^\d/.test(first + next) && part === first + next ? after(rest, later) : null;
}

function isSame(part: string, wanted: string): boolean {
  return (
    part === wanted || (/^\d/.test(part) && /^\d/.test(wanted) && part.replace(/^0+/, "") === wanted.replace(/^0+/, ""))
  );
}
