/**
 * Numbers and days as people type them, and amounts that are exact. The server imports this file, and the pages' script has it too:
 * what a page shows while somebody types is what is stored.
 */

/** The mark before the decimals, and the one between thousands. */
const MARKS = { en: [".", ","], ro: [",", "."] };

/**
 * The number that a text is in a page's language, as the API writes it. `1,234` may be a decimal or a thousand (in English `1.234`):
 * it has two readings, and no value. Null where it is no number.
 */
export function readNumber(text, language) {
  const [mark, between] = MARKS[language];
  const [, sign, digits] = /^([-\u2212]?)(.*)$/s.exec(text.trim());
  const form = digits.replaceAll(mark, "D").replaceAll(between, "T").replaceAll(/\s/g, "S");
  const value = valueOf(form);
  if (value === null) return null;
  const signed = (number) => `${sign === "" ? "" : "-"}${number}`;
  return typeof value === "string" ? { value: signed(value) } : { readings: value.map(signed) };
}

/** @param form digits, with `D` for the decimal mark, `T` for the one between thousands, and `S` for a blank */
function valueOf(form) {
  if (/^\d+(?:[DT]\d+)?$/.test(form)) {
    const [whole, decimals] = form.split(/[DT]/);
    const isThousands = /^[1-9]\d{0,2}[DT]\d{3}$/.test(form);
    if (!isThousands) return decimals === undefined ? whole : `${whole}.${decimals}`;
    return form.includes("T") ? whole + decimals : [whole + decimals, `${whole}.${decimals}`];
  }
  // Several groups, or a group and decimals, are read in one way only, whichever language they are from.
  const grouped =
    /^([1-9]\d{0,2}(?:T\d{3})+)(?:D(\d+))?$/.exec(form) ??
    /^([1-9]\d{0,2}(?:D\d{3})+)(?:T(\d+))?$/.exec(form) ??
    /^([1-9]\d{0,2}(?:S\d{3})+)(?:D(\d+)|T(\d{1,2}|\d{4,}))?$/.exec(form);
  if (grouped === null) return null;
  const decimals = grouped[2] ?? grouped[3];
  return grouped[1].replaceAll(/\D/g, "") + (decimals === undefined ? "" : `.${decimals}`);
}

/** The `YYYY-MM-DD` of a day that is written `25.11.2026`; null of anything else. Whether the day exists is not asked here. */
export function readDay(text) {
  const [, day, month, year] = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})\.?$/.exec(text.trim()) ?? [];
  return day === undefined ? null : `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

/** The text beside a field: the number that was read, where its text may be meant differently; else nothing. */
export function readBeside(text, language) {
  const { value, readings } = readNumber(text, language) ?? {};
  const [mark] = MARKS[language];
  if (readings !== undefined) return `${readings.map((one) => inLanguage(one, language)).join(" / ")}?`;
  if (value === undefined || /^-?\d+$/.test(text.trim().replace(mark, ""))) return "";
  const shown = inLanguage(value, language);
  return shown === text.trim() ? "" : `= ${shown}`;
}

/** A decimal in a language, exact however long, with two decimals at least: `1,234.50`. */
export function inLanguage(value, language) {
  return formatOf(language).format(value);
}

const formats = {};

/** Making a formatter costs a hundred times what using it does. */
function formatOf(language) {
  const locale = { en: "en-GB", ro: "ro-RO" }[language];
  return (formats[language] ??= new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 6 }));
}

/** Decimals of a quantity, and of a price; an amount has as many of both, of which two are shown. */
const PLACES = 6;
const CENT = 10n ** BigInt(2 * PLACES - 2);

/** A line's quantity times its price, exact to the cent, half a cent up; null where one of them is no number. */
export function lineAmount(quantity, price) {
  const exact = exactAmount(quantity, price);
  return exact === null ? null : cents(exact);
}

/** The sum of lines, rounded once, and not line by line. */
export function sumOf(lines) {
  return cents(lines.reduce((sum, { quantity, unit_price: price }) => sum + (exactAmount(quantity, price) ?? 0n), 0n));
}

function exactAmount(quantity, price) {
  const [many, each] = [scaled(quantity), scaled(price)];
  return many === null || each === null ? null : many * each;
}

function scaled(text) {
  const [, sign, whole, fraction = ""] = /^(-?)(\d{1,15})(?:\.(\d{1,6}))?$/.exec(text ?? "") ?? [];
  if (whole === undefined) return null;
  const value = BigInt(whole + fraction.padEnd(PLACES, "0"));
  return sign === "-" ? -value : value;
}

function cents(exact) {
  const size = exact < 0n ? -exact : exact;
  const rounded = (size + CENT / 2n) / CENT;
  const text = rounded.toString().padStart(3, "0");
  return `${exact < 0n && rounded > 0n ? "-" : ""}${text.slice(0, -2)}.${text.slice(-2)}`;
}
