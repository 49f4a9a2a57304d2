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
  const short = [...text.replaceAll(DAY, " ").matchAll(SHORT)].flatMap(([, before = "", digits = ""]) =>
    MARKS.map((mark) => `${before}${mark}${digits}`),
  );
  return [...new Set([...endings, ...short])].slice(0, MOST_ENDINGS);
}

/** The words before a number without letters: otherwise it may be a day, an amount or an account. */
const INVOICE_WORD =
  /^(?:F|FF|FV|FC|FCT|FACT\p{L}*|FAC|FISCAL\p{L}*|INV|INVOICES?|BILL|NR|NO|NUM[AĂ]R\p{L}*|NUMBER|SERIA|SERIE)$/u;
/** The words between the series and the number of an invoice. */
const NUMBER_WORD = /^(?:NR|NO|NUM[AĂ]R(?:UL)?|NUMBER)$/;

/** Whether a text names an invoice by its number. */
export function namesNumber(text: string, number: string): boolean {
  const [wanted, parts] = [partsOf(number), partsOf(text)];
  if (wanted.length === 0) return false;
  const hasLetters = wanted.some((part) => /\p{L}/u.test(part));
  // A person may write the number alone.
  if (text.trim().toUpperCase() === number.toUpperCase()) return true;
  return parts.some(
    (_, at) => startsWith(parts.slice(at), wanted) && (hasLetters || INVOICE_WORD.test(parts[at - 1] ?? "")),
  );
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

/** Whether the runs of a text begin with those of a number, which may be written together: `20260122`. */
function startsWith(parts: readonly string[], [first, ...others]: readonly string[]): boolean {
  const [part, ...rest] = parts;
  if (first === undefined) return true;
  if (part === undefined) return false;
  if (isSame(part, first)) {
    const isWord = /^\d/.test(others[0] ?? "") && NUMBER_WORD.test(rest[0] ?? "");
    return startsWith(isWord ? rest.slice(1) : rest, others);
  }
  const [next, ...later] = others;
  // Two runs of digits without a mark between them.
  return next !== undefined && /^\d/.test(first + next) && part === first + next ? startsWith(rest, later) : false;
}

function isSame(part: string, wanted: string): boolean {
  return (
    part === wanted || (/^\d/.test(part) && /^\d/.test(wanted) && part.replace(/^0+/, "") === wanted.replace(/^0+/, ""))
  );
}
