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
  const { kind, values = [] } = field;
  if (kind === "boolean") return booleans;
  if (kind !== "enum") return null;
  const words = plainWords.getOrInsertComputed(field, () => newWords(table, field));
  const chosen = Object.entries(mapped).filter(([, value]) => value === "" || values.includes(value));
  return chosen.length === 0 ? words : new Map([...words, ...chosen]);
}

/** The value that a text means; undefined for an unknown word. A column has few known ones, which are folded once. */
export function valueOfWord(words: WordsOfField, text: string): string | undefined {
  const spelled = spellings.getOrInsertComputed(words, () => new Map());
  const known = spelled.get(text);
  if (known !== undefined) return known;
  const value = words.get(folded(text));
  if (value !== undefined && spelled.size < MOST_SPELLINGS) spelled.set(text, value);
  return value;
}

const MOST_SPELLINGS = 100;
const spellings = new WeakMap<WordsOfField, Map<string, string>>();

/** The words of each field, folded once: a custom field may have a hundred options, and a file 500 columns. */
const plainWords = new WeakMap<Field, WordsOfField>();

function newWords(table: string, field: Field): WordsOfField {
  const { name, values = [] } = field;
  const words = new Map<string, string>();
  const labels = everyLabel(table, field);
  for (const value of values) {
    for (const label of labels.flatMap((of) => of[value] ?? [])) {
      const word = folded(label);
      words.set(word, value);
      // In Romanian a file says "Activ" of a customer, where the page says "Activă" of a company.
      if (/[^\s]a$/.test(word)) words.set(word.slice(0, -1), value);
    }
  }
  for (const [word, value] of Object.entries(others[`${table}.${name}`] ?? {})) words.set(word, value);
  for (const value of values) words.set(folded(value), value);
  return words;
}
