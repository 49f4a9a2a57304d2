/**
 * Numbers as people type them, and exact amounts. The server and the pages' script share this file, so that
 * the value shown during typing is the one that is stored.
 */

/** The decimal mark, and the mark between thousands. */
const MARKS = { en: [".", ","], ro: [",", "."] };

/** Currencies of ISO 4217 without decimals, and those with three. All others have two. */
export const WHOLE = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" ");
export const THOUSANDTHS = "BHD IQD JOD KWD LYD OMR TND".split(" ");

/** The decimals of a currency's amounts. */
export function placesOf(currency) {
  const code = currency?.toUpperCase();
  return WHOLE.includes(code) ? 0 : THOUSANDTHS.includes(code) ? 3 : 2;
}

/**
 * The number in a text, in the API's format. `1,234` may be a decimal or a thousand (in English `1.234`): then there
 * are two readings and no value, unless it is an amount in a currency without decimals, or with three. Null if the text
 * is not a number.
 */
export function readNumber(text, language, currency) {
  const [mark, between] = MARKS[language];
  const [, sign, digits] = /^([-\u2212]?)(.*)$/s.exec(text.trim());
  const form = digits.replaceAll(mark, "D").replaceAll(between, "T").replaceAll(/\s/g, "S");
  const value = valueOf(form);
  if (value === null) return null;
  const signed = (number) => `${sign === "" ? "" : "-"}${number}`;
  if (typeof value === "string") return { value: signed(value) };
  const places = placesOf(currency);
  return places === 2 ? { readings: value.map(signed) } : { value: signed(value[places === 0 ? 0 : 1]) };
}

/** @param form digits, with `D` for the decimal mark, `T` for the one between thousands, and `S` for a blank */
function valueOf(form) {
  if (/^\d+(?:[DT]\d+)?$/.test(form)) {
    const [whole, decimals] = form.split(/[DT]/);
    const isThousands = /^[1-9]\d{0,2}[DT]\d{3}$/.test(form);
    if (!isThousands) return decimals === undefined ? whole : `${whole}.${decimals}`;
    return form.includes("T") ? whole + decimals : [whole + decimals, `${whole}.${decimals}`];
  }
  // Several groups, or a group with decimals, have only one reading in either language.
  const grouped =
    /^([1-9]\d{0,2}(?:T\d{3})+)(?:D(\d+))?$/.exec(form) ??
    /^([1-9]\d{0,2}(?:D\d{3})+)(?:T(\d+))?$/.exec(form) ??
    /^([1-9]\d{0,2}(?:S\d{3})+)(?:D(\d+)|T(\d{1,2}|\d{4,}))?$/.exec(form);
  if (grouped === null) return null;
  const decimals = grouped[2] ?? grouped[3];
  return grouped[1].replaceAll(/\D/g, "") + (decimals === undefined ? "" : `.${decimals}`);
}

/** A decimal as a person types it: without a mark between thousands, and with one reading only. */
export function writtenNumber(value, language) {
  const text = value.replace(".", MARKS[language][0]);
  return /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(text) ? `${text}0` : text;
}

/**
 * The text to show beside a field: both readings of an ambiguous number, or the value of a number that is typed in
 * another format than it is displayed in. Nothing for a plain number, or for a text that is not a number.
 */
export function readBeside(text, language, currency) {
  const { value, readings } = readNumber(text, language, currency) ?? {};
  const [mark] = MARKS[language];
  if (readings !== undefined) return `${readings.map((one) => inLanguage(one, language)).join(" / ")}?`;
  if (value === undefined || /^-?\d+$/.test(text.trim().replace(mark, ""))) return "";
  const shown = inLanguage(value, language, currency);
  return shown === text.trim() ? "" : `= ${shown}`;
}

/**
 * A decimal in a language's format, exact at any length: `1,234.50`. It has at least two decimals, or those of a
 * currency: `1,500 JPY`. A part of a yen is shown, as `1,500.50`.
 */
export function inLanguage(value, language, currency) {
  const places = placesOf(currency);
  return formatOf(language, places === 0 && !/^-?\d+(?:\.0*)?$/.test(value) ? 2 : places).format(value);
}

export const LOCALES = { en: "en-GB", ro: "ro-RO" };

const formats = {};

/** Creating a formatter takes a hundred times as long as using it. */
function formatOf(language, places) {
  const digits = { minimumFractionDigits: places, maximumFractionDigits: 6 };
  return (formats[language + places] ??= new Intl.NumberFormat(LOCALES[language], digits));
}

/** Maximum decimals of a quantity and of a price. An exact amount has twice as many. */
const PLACES = 6;
const HUNDRED_PERCENT = 100n * 10n ** BigInt(PLACES);

/** A line's quantity times its price, rounded half up to its currency's decimals; null if one is not a number. */
export function lineAmount(quantity, price, currency) {
  const exact = exactAmount(quantity, price);
  const places = placesOf(currency);
  return exact === null ? null : written(rounded(exact, unitOf(places)), places);
}

/** The sum of lines with their VAT. */
export function sumOf(lines, currency) {
  return totalsOf(lines, currency).total;
}

/**
 * The net, VAT and total of lines, and the net and VAT of each rate, in the order of their first lines. Sums are
 * rounded once at the end to their currency's decimals, the VAT once for each rate. A line without a rate has no VAT.
 */
export function totalsOf(lines, currency) {
  const rates = new Map();
  const places = placesOf(currency);
  const unit = unitOf(places);
  let exact = 0n;
  for (const { quantity, unit_price: price, vat_rate: rate } of lines) {
    const amount = exactAmount(quantity, price) ?? 0n;
    exact += amount;
    const percent = scaled(rate);
    if (percent !== null) rates.set(percent, (rates.get(percent) ?? 0n) + amount);
  }
  let vat = 0n;
  const byRate = [...rates].map(([percent, of]) => {
    const vatOfRate = rounded(of * percent, unit * HUNDRED_PERCENT);
    vat += vatOfRate;
    return { rate: percentText(percent), net: written(rounded(of, unit), places), vat: written(vatOfRate, places) };
  });
  const net = rounded(exact, unit);
  return { net: written(net, places), vat: written(vat, places), total: written(net + vat, places), byRate };
}

/** `21`, `5.5` */
function percentText(percent) {
  const [whole, fraction] = [percent / 10n ** BigInt(PLACES), percent % 10n ** BigInt(PLACES)];
  const decimals = fraction.toString().padStart(PLACES, "0").replace(/0+$/, "");
  return decimals === "" ? String(whole) : `${whole}.${decimals}`;
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

/** The last decimal of an amount, as a part of an exact one. */
function unitOf(places) {
  return 10n ** BigInt(2 * PLACES - places);
}

/** In units, half up, away from zero. */
function rounded(exact, unit) {
  const units = ((exact < 0n ? -exact : exact) + unit / 2n) / unit;
  return exact < 0n ? -units : units;
}

function written(units, places) {
  const text = (units < 0n ? -units : units).toString().padStart(places + 1, "0");
  const point = text.length - places;
  return `${units < 0n ? "-" : ""}${text.slice(0, point)}${places === 0 ? "" : `.${text.slice(point)}`}`;
}
