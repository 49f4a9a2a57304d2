import { writtenNumber } from "../web/assets/numbers.js";
import type { Language } from "../web/language.ts";

/** A cell of a file: a text, a number in the API's format, or a day (`YYYY-MM-DD`). */
export type Cell = string | { number: string } | { day: string };

export function cellOfNumber(value: string | null | undefined): Cell {
  return value == null || value === "" ? "" : { number: value };
}

export function cellOfDay(value: string | null | undefined): Cell {
  return value == null || value === "" ? "" : { day: value };
}

/** A cell as a text file of a language has it. */
export function cellText(cell: Cell, language: Language): string {
  const text = apiText(cell);
  return typeof cell === "string" || "day" in cell ? text : marked(text, writtenNumber(text, language));
}

/** A cell in the API's format. */
export function apiText(cell: Cell): string {
  if (typeof cell === "string") return cell;
  return "day" in cell ? cell.day : cell.number;
}

/** With a zero more than the number has, as it is written with one that would have two readings. */
function marked(value: string, written: string): string {
  return /^-?[1-9]\d{0,2}\.\d{3}0+$/.test(value) ? `${written}0` : written;
}
