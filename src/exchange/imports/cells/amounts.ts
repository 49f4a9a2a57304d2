/** An amount as a file writes it, without its currency, and the currency as a code. */
export type Amount = { number: string; currency: string | null };

/** Characters of an amount with its currency. */
const LONGEST = 60;

/**
 * The number and the currency of a cell: `1.234,50 lei`, `-$99`, `EUR 5`, `1'234.50`, and `(5,00)` or `5,00-` for a
 * negative one. A text that is no amount, or in an unknown currency, stays as it is.
 */
export function amountIn(text: string): Amount {
  const whole = { number: text, currency: null };
  if (text.length > LONGEST || PLAIN.test(text)) return whole;
  const round = text.replace(NO_HUNDREDTHS, "");
  if (round !== text) return wholeAmount(round) ?? whole;
  // Programs of accountants write the sign at the end. Behind a whole number it may be a slip.
  const [, unsigned] = /^([^+\u2212-]*[.,]\d\d)\s?[\u2212-]$/.exec(text) ?? [];
  const [, inBrackets = unsigned] = /^\((.*)\)$/s.exec(text) ?? [];
  const parts = AMOUNT.exec(inBrackets ?? text)?.groups;
  if (parts === undefined) return whole;
  const { outer = "", before = "", inner = "", digits = "", after = "" } = parts;
  const named = [before, after].map((one) => one.trim()).filter((one) => one !== "");
  const [currency, other] = named.map(currencyOf);
  // A line behind the digits is a sign.
  const behind = /^[-\u2212]/.test(after) ? (text.includes(digits + after) ? "-" : "--") : "";
  const signs = (inBrackets === undefined ? "" : "-") + outer + inner + behind;
  if (named.length > 2 || currency === null || (other !== undefined && other !== currency) || signs.length > 1) {
    return whole;
  }
  const isSwiss = /^\d{1,3}(?:['\u2019]\d{3})+(?:\.\d+)?$/.test(digits);
  return {
    number: signs + (isSwiss ? digits.replaceAll(/['\u2019]/g, "") : digits.trim()),
    currency: currency ?? null,
  };
}

/** Prices are written without hundredths so: `1.234,- €`, `12,--` and `1'234.-`. */
const NO_HUNDREDTHS = /(?<=\d)[.,](?:--?|[\u2013\u2014])(?=[^\d,-]*$)/u;
const WHOLE_DIGITS = /^-?(?:\d+|\d{1,3}(?:([.,'\u2019\s])\d{3})(?:\1\d{3})*)$/;

/** The amount of a text without hundredths: any mark is one between thousands. */
function wholeAmount(text: string): Amount | null {
  const { number, currency } = PLAIN.test(text) ? { number: text.trim(), currency: null } : amountIn(text);
  return WHOLE_DIGITS.test(number) ? { number: number.replaceAll(/[^\d-]/g, ""), currency } : null;
}

const PLAIN = /^-?[\d.,\s]*$/;
const AMOUNT =
  /^(?<outer>[-\u2212]?)\s*(?<before>[^\d\s.,()\u2212-][^\d.,()\u2212-]*)?(?<inner>[-\u2212]?)\s*(?<digits>[\d.,][\d.,\s'\u2019]*?)\s*(?<after>[^\d\s.,()][^\d,()]*)?$/u;

/**
 * The code of a currency that a file names by its code, its symbol or its name: `dolari`, `euro/buc`, `RON (lei)`.
 * Null for an unknown one, and for two.
 */
export function currencyOf(text: string): string | null {
  const word = text.trim();
  if (word.length > LONGEST_NAME) return null;
  const whole = codeOf(word);
  if (whole !== null) return whole;
  const [first, ...others] = word
    .replace(PER_UNIT, "")
    .split(/[\s/()[\]|,;+-]+/)
    .filter((part) => part !== "")
    .map(codeOf);
  return first !== undefined && others.every((other) => other === first) ? first : null;
}

const LONGEST_NAME = 24;
const PER_UNIT =
  /\s*(?:\/| pe | per )\s*(?:buc(?:at[aă])?|kg|g|to?|ton[aă]|l|litru|ml?|mp|mc|ml|km|h|or[aă]|zi|lun[aă]|an|set|pac|cutie|palet|unit|piece|pcs?|hour|day|month|year)\.?$/i;

function codeOf(word: string): string | null {
  return SYMBOLS.get(word.toLowerCase().replace(/\.$/, "")) ?? (CODES.has(word) ? word : null);
}

/** The currency that a column's name ends with: `Total (EUR)`, `Valoare lei`. A rarer code may be a word there. */
export function currencyOfColumn(name: string): string | null {
  const [, word = ""] = /[\s([,]([\p{L}€$£]{1,8}(?:\s?\/\s?\p{L}{1,6})?)[)\].]?\s*$/u.exec(name.slice(-LONGEST)) ?? [];
  const code = currencyOf(word);
  return code !== null && NAMED.has(code) ? code : null;
}

const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ...["lei", "leu", "ron"].map((word) => [word, "RON"] as const),
  ...["€", "eur", "euro", "euros"].map((word) => [word, "EUR"] as const),
  ...["$", "us$", "usd", "dolar", "dolari", "dollar", "dollars"].map((word) => [word, "USD"] as const),
  ...["£", "gbp", "lire sterline", "lira sterlina", "liră sterlină", "pounds", "sterling"].map(
    (word) => [word, "GBP"] as const,
  ),
  ...["ft", "huf", "forint", "forinti", "forinți", "forinţi"].map((word) => [word, "HUF"] as const),
  ["zł", "PLN"],
  ["zloti", "PLN"],
  ["kč", "CZK"],
  ["лв", "BGN"],
  ["leva", "BGN"],
  ["₺", "TRY"],
  ["₴", "UAH"],
  ["₽", "RUB"],
  ["₹", "INR"],
  ["₪", "ILS"],
]);
/** The codes of the currencies above, and of some more. */
const NAMED: ReadonlySet<string> = new Set([...SYMBOLS.values(), ..."CHF SEK NOK DKK MDL RSD".split(" ")]);
const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));
