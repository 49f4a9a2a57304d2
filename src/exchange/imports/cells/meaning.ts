import { trim } from "../../../platform/text.ts";
import type { WordsOfField } from "../columns/value-words.ts";

/**
 * The text that a cell means, in a text file as in a workbook: without the marks that protect it from a spreadsheet, or
 * empty. Null for an error of a spreadsheet, which says nothing about the value.
 */
export function meantBy(cell: string): string | null {
  const text = trim(cell);
  // Any other text is meant as it is written.
  if (!MARKS.has(text.charCodeAt(0)) || text.length > LONGEST_MARKED) return text;
  // A text behind an apostrophe is meant as it is, also one that is `-`: our own files protect it so.
  if (/^'[\d=+@\t-]/.test(text)) return trim(text.slice(1));
  const meant = unquoted(text);
  if (ERRORS.has(meant) || /^(?:#{2,}|Err:\d{3})$/.test(meant)) return null;
  return NOTHING.has(meant) ? "" : meant;
}

/** The same in a column: an option or a value that is called `None` or `-` is no word for nothing. */
export function meantIn(words: WordsOfField | null, cell: string): string | null {
  const meant = meantBy(cell);
  if (meant !== "" || words === null) return meant;
  const text = trim(cell);
  return words.exact.has(text) ? text : meant;
}

/**
 * Soft hyphens, spaces without a width, marks of a direction, and byte order marks between joined files. Nobody sees
 * them, and phones copied from an address book have them. The joiners stay: they change letters.
 */
const UNSEEN = "[\\u00ad\\u200b\\u200e\\u200f\\u2060\\u202a-\\u202e\\u2066-\\u2069\\ufeff]";
const [HAS_UNSEEN, EACH_UNSEEN] = [new RegExp(UNSEEN), new RegExp(UNSEEN, "g")];

/** The text of a cell that a person sees. */
export function seenIn(cell: string): string {
  return HAS_UNSEEN.test(cell) ? cell.replaceAll(EACH_UNSEEN, "") : cell;
}

/** The mark of a cell that is merged with the one above, as a check shows it. */
export const MERGED = "↕";

/** Whether a cell has an error of a spreadsheet. */
export function isError(cell: string): boolean {
  return (cell.includes("#") || cell.includes("Err:")) && meantBy(cell) === null;
}

/** The first letters of marks, errors and words for nothing. */
const MARKS: ReadonlySet<number> = new Set(Array.from("#=.\\'–—EeNnu(-", (letter) => letter.charCodeAt(0)));

/** Characters of a cell of a spreadsheet. */
const LONGEST_MARKED = 32_767;

/** `="0722"` and `=""0722""` keep a spreadsheet from reading a number, as `'` does, also for a formula. */
function unquoted(text: string): string {
  if (text === '=""') return "";
  const [, mark = "", quoted] = /^=("+)([^"](?:.*[^"])?)\1$/s.exec(text) ?? [];
  return quoted === undefined ? text : trim(quoted.split(mark + mark).join(mark));
}

/** The errors of spreadsheets, also as Excel writes them in Romanian; and a column that is too narrow (#####). */
const ERRORS: ReadonlySet<string> = new Set(
  "#N/A #VALUE! #REF! #DIV/0! #NAME? #NUM! #NULL! #SPILL! #CALC! #FIELD! #BLOCKED! #CONNECT! #BUSY! #UNKNOWN! #ERROR! #GETTING_DATA #VALOARE! #NUME? #NUL!".split(
    " ",
  ),
);

/** The words of databases and people for an empty cell. */
const NOTHING: ReadonlySet<string> = new Set(
  "NULL null (null) \\N None N/A n/a N.A. n.a. NaN undefined (blank) - -- . – —".split(" "),
);

/** The text fields that hold numbers, of which a spreadsheet may have dropped digits. */
const NUMBERS: ReadonlySet<string> = new Set(
  "phone mobile fax tax_id company_tax_id registration_number postal_code number invoice_number wms_order_number sku".split(
    " ",
  ),
);

/** Whether digits of the value are gone: `4,07221E+10` was a phone number. */
export function isShortened(field: string, text: string): boolean {
  return (
    text.length < 30 && NUMBERS.has(field) && /^[+-]?\d(?:[.,]\d+E[+-]?\d{1,3}|E(?:[+-]\d{1,3}|\d\d))$/i.test(text)
  );
}

/**
 * A number without the decimals that a program has added, which read a column of numbers with gaps: 18547290.0 is
 * 18547290. Of an invoice's number they may be a part.
 */
export function withoutDecimals(field: string, text: string): string {
  return WHOLE.has(field) && text.length < 30 ? text.replace(/^(\d{4,})[.,]0{1,2}$/, "$1") : text;
}

const WHOLE: ReadonlySet<string> = new Set(["phone", "mobile", "tax_id", "company_tax_id", "postal_code"]);

/** A fiscal id without the words for it: `CUI: RO42` is RO42. */
export function withoutLabel(field: string, text: string): string {
  return TAX_IDS.has(field) && text.length < 256 ? text.replace(LABEL, "") : text;
}

const TAX_IDS: ReadonlySet<string> = new Set(["tax_id", "company_tax_id"]);
const LABEL =
  /^(?:c\.?u\.?i\.?|c\.?i\.?f\.?|cod fiscal|tax id|vat(?: (?:id|no|number))?)\s*[:.]?\s*(?=(?:[a-z]{2})?\s?\d)/i;

/** Whether a fiscal id has no digit, such as `x` or `none`: then it names no company. */
export function isNoFiscalId(field: string, text: string): boolean {
  return TAX_IDS.has(field) && text.length < 256 && !/\p{Nd}/u.test(text);
}
