import { stringify } from "csv-stringify/sync";
import type { Language } from "../web/language.ts";

/** As spreadsheets of a language open it: with the list separator of the language, and without formulas. */
export function toSpreadsheet(rows: string[][], language: Language): string {
  const guarded = rows.map((cells) => cells.map((cell) => (FORMULA.test(cell) ? `'${cell}` : cell)));
  return stringify(guarded, { ...FORMAT, delimiter: language === "ro" ? ";" : "," });
}

/**
 * A text that a spreadsheet runs as a formula. A phone or an amount begins with a sign and a digit; a formula that does
 * so calls a function or names a command or a sheet.
 */
const FORMULA = /^(?:[=@\t]|[+-](?!\d)|[+-].*(?:[|!]|[A-Za-z]\d*\())/s;

// By default csv-stringify quotes CR LF, but not a single CR or LF.
const FORMAT = { record_delimiter: "windows", quoted_match: /[\r\n]/ } as const;

export function toCsv(rows: string[][]): string {
  return stringify(rows, FORMAT);
}
