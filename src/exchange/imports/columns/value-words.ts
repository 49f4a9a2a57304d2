import type { Field } from "../../../platform/fields/fields.ts";
import { everyLabel } from "./column-labels.ts";
import { folded } from "./folded.ts";

/** Words by their folded text. */
export type WordsOfField = ReadonlyMap<string, string>;

const booleans: WordsOfField = new Map([
  ...["true", "yes", "y", "da", "d", "x", "1", "adevarat"].map((word) => [word, "true"] as const),
  ...["false", "no", "n", "nu", "0", "fals"].map((word) => [word, "false"] as const),
]);

/** Whether a text says yes or no, in any language. */
export function isYesOrNo(text: string): boolean {
  return booleans.has(folded(text));
}

/** Words that files have beside the labels, folded, by table and field. */
const others: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "invoices.status": { platita: "paid", platit: "paid" },
  "addresses.type": { "sediu fiscal": "fiscal" },
};

/**
 * The words that a page's import reads as values of a field: the API's, the labels of every language, and their
 * masculine form; then those that a person mapped. Null for a field that takes any text.
 * @param mapped by folded word; an empty value leaves the field out
 */
export function wordsOf(
  table: string,
  field: Field,
  mapped: Readonly<Record<string, string>> = {},
): WordsOfField | null {
  const { name, kind, values = [] } = field;
  if (kind === "boolean") return booleans;
  if (kind !== "enum") return null;
  const words = new Map<string, string>();
  for (const value of values) {
    for (const label of everyLabel(table, field, value)) {
      const word = folded(label);
      words.set(word, value);
      // In Romanian a file says "Activ" of a customer, where the page says "Activă" of a company.
      if (/[^\s]a$/.test(word)) words.set(word.slice(0, -1), value);
    }
  }
  for (const [word, value] of Object.entries(others[`${table}.${name}`] ?? {})) words.set(word, value);
  for (const value of values) words.set(folded(value), value);
  for (const [word, value] of Object.entries(mapped)) {
    if (value === "" || values.includes(value)) words.set(word, value);
  }
  return words;
}
