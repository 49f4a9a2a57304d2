import type { Field } from "../../../platform/fields/fields.ts";
import { everyLabel } from "./column-labels.ts";
import { folded, spelledPlainly } from "./folded.ts";

/** The values of words: exact, without case and accents, and folded. The first map that knows a word decides. */
export type WordsOfField = {
  exact: ReadonlyMap<string, string>;
  plain: ReadonlyMap<string, string>;
  folded: ReadonlyMap<string, string>;
};

const yesAndNo: ReadonlyMap<string, string> = new Map([
  ...["true", "yes", "y", "da", "d", "x", "1", "adevarat"].map((word) => [word, "true"] as const),
  ...["false", "no", "n", "nu", "0", "fals"].map((word) => [word, "false"] as const),
]);

const booleans: WordsOfField = { exact: new Map(), plain: new Map(), folded: yesAndNo };

/** Whether a text says yes or no, in a language of the pages. */
export function isYesOrNo(text: string): boolean {
  return yesAndNo.has(folded(text));
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
  return chosen.length === 0 ? words : { ...words, folded: new Map([...words.folded, ...chosen]) };
}

/** The value that a text means; undefined for an unknown word. A column has few known ones, which are folded once. */
export function valueOfWord(words: WordsOfField, text: string): string | undefined {
  const spelled = spellings.getOrInsertComputed(words, () => new Map());
  const known = spelled.get(text);
  if (known !== undefined) return known;
  const value = valueOfSpelling(words, spellingOf(text));
  if (value !== undefined && spelled.size < MOST_SPELLINGS) spelled.set(text, value);
  return value;
}

/** A text as words are compared: spelled once for all fields, since long marks take time. */
export type Spelling = { text: string; plain: string; folded: string };

export function spellingOf(text: string): Spelling {
  const plain = spelledPlainly(text);
  return { text, plain, folded: folded(plain) };
}

/** The value that a text means; undefined for an unknown word. */
export function valueOfSpelling(words: WordsOfField, spelling: Spelling): string | undefined {
  return words.exact.get(spelling.text) ?? words.plain.get(spelling.plain) ?? words.folded.get(spelling.folded);
}

const MOST_SPELLINGS = 100;
const spellings = new WeakMap<WordsOfField, Map<string, string>>();

/** The words of each field, folded once: a custom field may have a hundred options, and a file 500 columns. */
const plainWords = new WeakMap<Field, WordsOfField>();

function newWords(table: string, field: Field): WordsOfField {
  const { name, values = [] } = field;
  const labels = everyLabel(table, field);
  const own = values.map((value): Word => [value, value]);
  const called = values.flatMap((value) =>
    labels.flatMap((of) => of[value] ?? []).map((label): Word => [label, value]),
  );
  const names = [...own, ...called];
  const more: Word[] = Object.entries(others[`${table}.${name}`] ?? {});
  const folds = [...names, ...more].map(([word, value]): Word => [folded(word), value]);
  // In Romanian a file says "Activ" of a customer, where the page says "Activă" of a company.
  const cut = called.flatMap(([label, value]): Word[] => {
    const word = folded(label);
    return /[^\s]a$/.test(word) ? [[word.slice(0, -1), value]] : [];
  });
  const plain = names.map(([word, value]): Word => [spelledPlainly(word), value]);
  return { exact: withOneValue(own, called), plain: withOneValue(plain), folded: withOneValue(folds, cut) };
}

type Word = [word: string, value: string];

/** The words that have one value. One that an earlier list has is not taken from a later one. */
export function withOneValue(...lists: readonly Word[][]): Map<string, string> {
  const found = new Map<string, string | null>([["", null]]);
  for (const list of lists) {
    const known = new Set(found.keys());
    for (const [word, value] of list) {
      if (known.has(word)) continue;
      const other = found.get(word);
      found.set(word, other === undefined || other === value ? value : null);
    }
  }
  return new Map([...found].flatMap(([word, value]) => (value === null ? [] : [[word, value]])));
}
