import { meantBy } from "../cells/meaning.ts";
import { folded } from "../columns/folded.ts";
import { mended } from "../columns/mended.ts";
import { valueOfWord, wordsOf, type WordsOfField } from "../columns/value-words.ts";
import type { Kind } from "../kind.ts";
import type { CsvRow } from "../reading/csv-row.ts";
import type { CsvHeader } from "../reading/header.ts";

/** A word of an enumerated field that a person has to map, or has mapped, and the rows that have it. */
export type UnknownWord = { field: string; word: string; rows: number };

/** Words that are counted, and the characters of one: a column of anything else has as many words as rows. */
const MOST_WORDS = 50;
const LONGEST_WORD = 60;

/** Counts the words of enumerated fields that no value is called by. */
export function countingWords({ bulk }: Kind) {
  const counts = new Map<string, UnknownWord>();
  const known = new Map<string, WordsOfField>();
  for (const field of bulk.fields) {
    const words = field.kind === "enum" ? wordsOf(bulk.table, field) : null;
    if (words !== null) known.set(field.name, words);
  }

  function count(field: string, text: string): void {
    const words = known.get(field);
    if (words === undefined || valueOfWord(words, text) !== undefined) return;
    const word = folded(text);
    if (word === "") return;
    const found = counts.get(`${field} ${word}`);
    if (found !== undefined) found.rows++;
    else if (counts.size < MOST_WORDS) counts.set(`${field} ${word}`, { field, word: text, rows: 1 });
  }

  return {
    look({ columns }: CsvHeader, row: CsvRow): void {
      if (!("cells" in row)) return;
      for (const { index, name, words } of columns) {
        const text = words === null || !known.has(name) ? "" : mended(meantBy(row.cells[index] ?? "") ?? "");
        if (text !== "" && text.length <= LONGEST_WORD) count(name, text);
      }
    },
    /** The commonest first. */
    found: () => [...counts.values()].toSorted((a, b) => b.rows - a.rows),
  };
}

/** The words that a check stored. */
export function storedWords(stored: string | null): UnknownWord[] {
  return stored === null ? [] : (JSON.parse(stored) as UnknownWord[]);
}
