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
    const [bare = "", two, three = "", four = ""] = [1, 2, 3, 4].map((width) =>
      digits.replace(/^0/, "").padStart(width, "0"),
    );
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

/** The ways of writing an invoice's number, read once: many texts are compared with it. */
export type ReadNumber = { whole: string; ways: readonly string[][] };

export function waysOfNumber(number: string): ReadNumber {
  const parts = partsOf(number);
  return { whole: number.toUpperCase(), ways: parts.length === 0 ? [] : waysOf(parts) };
}

/**
 * Whether a text names an invoice by its number. The text is read once, and only the places where a number may begin
 * are looked at: a file has many texts, and many numbers have the same ending.
 */
export function namesNumberIn(text: string): (number: ReadNumber) => boolean {
  const whole = text.trim().toUpperCase();
  const everywhere = placesOf(partsOf(text));
  const besideAmounts = placesBesideAmounts(text);
  return ({ whole: number, ways }) => {
    // A person may write the number alone.
    if (whole === number) return ways.length > 0;
    return ways.some((way) => {
      const [first = "", next = ""] = way;
      const places = way.some((part) => LETTER.test(part)) ? everywhere : besideAmounts;
      const isNamed = (place: number) => isNamedAt(places, place, way);
      if (LETTER.test(first)) return places.of(first).some(isNamed);
      const begins = way.length === 1 ? [...places.behindWords] : [...places.of(first), ...places.of(first + next)];
      return begins.some((place) => places.behindWords.has(place) && isNamed(place));
    });
  };
}

/** Digits of a number that an amount confirms without a word for invoices: fewer are a day, a year or a house. */
const FEWEST_CONFIRMED = 5;

/** Whether a text has an invoice's number of digits alone, which the amount of the invoice has to confirm. */
export function hasDigitsIn(text: string): (number: ReadNumber) => boolean {
  const places = placesBesideAmounts(text);
  return ({ ways: [way = []] }) => {
    const [digits = ""] = way;
    return (
      way.length === 1 && /^\d+$/.test(digits) && digits.length >= FEWEST_CONFIRMED && places.of(digits).length > 0
    );
  };
}

const LETTER = /\p{L}/u;
const DIGIT = /^\d/;

type Places = {
  parts: readonly string[];
  /** The places of a run. */
  of: (part: string) => readonly number[];
  /** The places behind words for invoices. */
  behindWords: ReadonlySet<number>;
  /** The list of each run of digits: all of one length, with nothing but words for "and" between them. */
  lists: readonly number[];
};

/** Without days and amounts, which a number of digits alone could be taken for. */
function placesBesideAmounts(text: string): Places {
  return placesOf(partsOf(text.replaceAll(DAY, " ").replaceAll(AMOUNT, " ")));
}

function placesOf(parts: readonly string[]): Places {
  const at = new Map<string, number[]>();
  for (const [place, part] of parts.entries()) at.getOrInsertComputed(plain(part), () => []).push(place);
  let [list, length] = [0, 0];
  const lists = parts.map((part) => {
    const isListed = DIGIT.test(part);
    if (!AND.test(part) && (!isListed || part.length !== length))
      [list, length] = [list + 1, isListed ? part.length : 0];
    return isListed ? list : -1;
  });
  const behindWords = new Set(parts.flatMap((part, place) => (INVOICE_WORD.test(part) ? place + 1 : [])));
  return { parts, of: (part) => at.get(plain(part)) ?? [], behindWords, lists };
}

/** Digits without the zeros before them. */
function plain(part: string): string {
  return DIGIT.test(part) ? part.replace(/^0+/, "") : part;
}

/** A number as it is, without a series that is a word for invoices, and with its last two parts in the other order. */
function waysOf(wanted: readonly string[]): string[][] {
  const [first = "", ...others] = wanted;
  const swapped = wanted.length > 1 ? [[...wanted.slice(0, -2), ...wanted.slice(-2).toReversed()]] : [];
  const bare = others.length > 0 && INVOICE_WORD.test(first) ? [others] : [];
  return [[...wanted], ...bare, ...swapped];
}

/** Whether a number is at a place, or later in a list that begins there: `DMO-2026-0122, 0123 and 0124`. */
function isNamedAt({ parts, of, lists }: Places, at: number, wanted: readonly string[]): boolean {
  if (after(parts, at, wanted) !== null) return true;
  const start = after(parts, at, wanted, wanted.length - 1);
  const list = start === null ? undefined : lists[start];
  if (start === null || list === undefined || list < 0) return false;
  return of(wanted.at(-1) ?? "").some((place) => place > start && lists[place] === list);
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

/** Words for invoices between a series and its digits. */
const MOST_WORDS = 4;

/**
 * The place behind the runs of a number; null if others are there. Digits may be written together: `20260122`. Words
 * for invoices may be between the series and the digits.
 * @param to the runs that count
 */
function after(parts: readonly string[], at: number, wanted: readonly string[], to = wanted.length): number | null {
  let place = at;
  for (let run = 0; run < to; run++) {
    const [first = "", part] = [wanted[run], parts[place++]];
    const next = run + 1 < to ? (wanted[run + 1] ?? "") : "";
    if (part === undefined) return null;
    if (isSame(part, first)) {
      const words = DIGIT.test(next) ? INVOICE_WORD : SERIES_WORD;
      const isBetween = (word = "") => next !== "" && words.test(word) && !isSame(word, next);
      for (let count = 0; count < MOST_WORDS && isBetween(parts[place]); count++) place++;
    } else if (next !== "" && DIGIT.test(first + next) && part === first + next) {
      // Two runs of digits without a mark between them.
      run++;
    } else return null;
  }
  return place;
}

function isSame(part: string, wanted: string): boolean {
  return part === wanted || (DIGIT.test(part) && DIGIT.test(wanted) && plain(part) === plain(wanted));
}
