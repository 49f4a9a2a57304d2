import { OPTION_VALUE_MAX, type CustomKind } from "../../../customers/custom-fields/custom-field.ts";
import { readNumber } from "../../../kit/web/assets/numbers.js";
import type { Language } from "../../../kit/web/language.ts";
import { isLine, isWithin } from "../../../platform/text.ts";
import { amountIn } from "../cells/amounts.ts";
import { readDayOfColumn } from "../columns/days.ts";
import { folded, spelledPlainly } from "../columns/folded.ts";
import { isYesOrNo } from "../columns/value-words.ts";

/** The kind that a field of a column's values would have, and the words of a choice. */
export type GuessedField = { kind: CustomKind; options: string[] };

/** Different words of a choice. */
const MOST_WORDS = 20;
/** Digits of a number in all, and behind its point. */
const [DIGITS, PLACES] = [15, 6];

/** Looks at the values of a column one after the other, each only for the kinds that are still possible. */
export function guessingField(language: Language) {
  const possible = new Set<CustomKind>(["yes_no", "date", "number", "choice"]);
  /** The first spelling of each word, and whether one came twice. */
  const words = new Map<string, string>();
  let isRepeated = false;
  const tests: Readonly<Record<string, (text: string) => boolean>> = {
    yes_no: isYesOrNo,
    date: (text) => !/^\d+$/.test(text) && readDayOfColumn(text, null) !== null,
    number: (text) => isNumber(text, language),
    choice(text) {
      // A+ and A- are two options.
      const word = spelledPlainly(text);
      if (words.has(word)) isRepeated = true;
      else words.set(word, text);
      return folded(word) !== "" && words.size <= MOST_WORDS && isWithin(text, OPTION_VALUE_MAX) && isLine(text);
    },
  };
  return {
    look(text: string): void {
      for (const kind of possible) if (tests[kind]?.(text) !== true) possible.delete(kind);
    },
    found(): GuessedField {
      // A number that is always 1 is no "yes".
      const areBoth = words.size > 1 || [...words.values()].some((text) => !/^\d+$/.test(text));
      const first = [...possible].find((kind) => kind !== "choice" && (kind !== "yes_no" || areBoth));
      if (first !== undefined) return { kind: first, options: [] };
      return possible.has("choice") && isRepeated
        ? { kind: "choice", options: [...words.values()] }
        : { kind: "text", options: [] };
    },
  };
}

/** A number with leading zeros is a code, such as a postal one. */
function isNumber(text: string, language: Language): boolean {
  if (text.length > 40 || /^0\d/.test(text)) return false;
  const read = readNumber(amountIn(text).number, language);
  const number = read?.value ?? read?.readings?.[0];
  if (number === undefined) return false;
  const [whole = "", behind = ""] = number.replace("-", "").split(".");
  return whole.length + behind.length <= DIGITS && behind.length <= PLACES;
}
