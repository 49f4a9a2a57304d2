import { taxNumberOf } from "./tax-spelling-queries.ts";

/** The numbers of the European Union's VAT ids behind their prefix. */
const FORMATS: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]?\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^[A-Z0-9]\d{7}[A-Z0-9]$/,
  FI: /^\d{8}$/,
  FR: /^[A-Z0-9]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^\d[A-Z0-9+*]\d{5}[A-Z]{1,2}$/,
  IT: /^\d{11}$/,
  LT: /^(?:\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^[A-Z0-9+*]{10}\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
};

export function isRomania(country: string): boolean {
  return /^\s*(?:ro|rom[aâ]nia)\s*$/iu.test(country);
}

/**
 * Whether a fiscal id cannot be right: by the check digit of a Romanian one, or the format of another VAT id of the
 * European Union. It is remarked on, never refused. @param country of the company, for an id without a prefix
 */
export function isOddTaxId(text: string | null, country: string | null): boolean {
  if (text === null || text.trim() === "") return false;
  const { country: prefix, number } = taxNumberOf(text);
  if (prefix === "RO" || (prefix === null && isRomania(country ?? ""))) return !isRomanian(number);
  return prefix !== null && FORMATS[prefix]?.test(number) === false;
}

/** A company's CUI, or a person's CNP, of which the last digit is computed from the others. */
function isRomanian(number: string): boolean {
  if (/^\d{13}$/.test(number)) return digitOf(number, "279146358279", 1) === Number(number.at(-1));
  return /^\d{2,10}$/.test(number) && digitOf(number.padStart(10, "0"), "753217532", 10) === Number(number.at(-1));
}

/** The CUI of these digits, at most nine, and the digit that is computed from them. */
export function romanianTaxId(digits: string): string {
  return `RO${digits}${digitOf(digits.padStart(9, "0"), "753217532", 10)}`;
}

/** The sum of the digits times their weights, modulo 11. A rest of 10 is 0 of a CUI, and 1 of a CNP. */
function digitOf(number: string, weights: string, factor: number): number {
  const sum = Array.from(weights).reduce((total, weight, index) => total + Number(weight) * Number(number[index]), 0);
  const rest = (sum * factor) % 11;
  return rest < 10 ? rest : factor === 1 ? 1 : 0;
}
