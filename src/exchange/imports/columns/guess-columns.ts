import { isLanguage, languages, type Language } from "../../../kit/web/language.ts";
import type { Field } from "../../../platform/fields/fields.ts";
import { trim } from "../../../platform/text.ts";
import { columnLabels } from "./column-labels.ts";
import { dictionaryOf } from "./dictionary.ts";
import { folded } from "./folded.ts";
import { looksLike, valuesSay } from "./value-shapes.ts";

/** The fields of a kind's file, and the columns of one file. */
export type GuessedFile = {
  kind: string;
  table: string;
  /** The importable fields, those that name the company included. */
  fields: readonly Field[];
  names: readonly string[];
  /** The first rows behind the header. */
  samples: readonly (readonly string[])[];
  /** Fields by the names of columns, as people mapped them before; an empty one is not imported. */
  remembered: Readonly<Record<string, string>>;
  language: Language | null;
};

/** The field of each column, empty if there is none, and whether it was guessed. */
export type Guess = { columns: string[]; isGuessed: boolean[] };

/** A field for a column; the lowest rank wins the field. */
type Candidate = { index: number; field: string; rank: number; isGuess: boolean };

const [REMEMBERED, EXACT, BY_NAME, BY_VALUES] = [0, 1, 10, 1_000];

/**
 * Guesses the field of each column: as it was mapped before, by the field's own name, by the dictionary, and by its
 * values. Each field gets one column.
 */
export function guessColumns(file: GuessedFile): Guess {
  const { names } = file;
  const ranks = ranksOf(file);
  const candidates = names.flatMap((_name, index) => candidatesOf(file, index, ranks));
  const columns = names.map(() => "");
  const isGuessed = names.map(() => false);
  const decided = new Set<number>();
  const taken = new Set<string>();
  for (const { index, field, rank, isGuess } of candidates.toSorted((a, b) => a.rank - b.rank || a.index - b.index)) {
    if (decided.has(index) || (field !== "" && taken.has(field))) continue;
    // Values do not decide about a column whose name is another field's.
    if (rank >= BY_VALUES && candidates.some((one) => one.index === index && one.rank < BY_VALUES)) continue;
    decided.add(index);
    columns[index] = field;
    isGuessed[index] = isGuess;
    taken.add(field);
  }
  return { columns, isGuessed };
}

/** The names that are known, by any rule but the values. */
export function knownNames(kind: string, fields: readonly Field[], names: readonly string[]): string[] {
  const ranks = ranksOf({ kind, fields });
  return names.filter((name) => ranks.has(folded(name)) || fields.some((field) => field.name === name));
}

/** The fields of each folded name, the closest first. */
type Ranks = ReadonlyMap<string, { field: string; rank: number }[]>;

/** The names of each kind do not change: folding them for every row of every kind would block the event loop. */
const ranksOfKinds = new Map<string, Ranks>();

function ranksOf({ kind, fields }: Pick<GuessedFile, "kind" | "fields">): Ranks {
  return ranksOfKinds.getOrInsertComputed(kind, () => newRanks({ kind, fields }));
}

function newRanks({ kind, fields }: Pick<GuessedFile, "kind" | "fields">): Ranks {
  const ranks = new Map<string, { field: string; rank: number }[]>();
  const dictionary = dictionaryOf(kind);
  for (const { name } of fields) {
    const own = Object.keys(languages)
      .filter(isLanguage)
      .map((language) => columnLabels(kind, language)[name] ?? "");
    const known = [...(dictionary[name] ?? []), ...own, name].map(folded);
    for (const [at, word] of known.entries()) {
      const fieldsOf = ranks.getOrInsert(word, []);
      if (word !== "" && !fieldsOf.some(({ field }) => field === name))
        fieldsOf.push({ field: name, rank: BY_NAME + at });
    }
  }
  return ranks;
}

function candidatesOf(file: GuessedFile, index: number, ranks: Ranks): Candidate[] {
  const name = file.names[index] ?? "";
  const { fields, remembered } = file;
  if (Object.hasOwn(remembered, name)) {
    const field = remembered[name] ?? "";
    if (field === "" || fields.some((one) => one.name === field))
      return [{ index, field, rank: REMEMBERED, isGuess: false }];
  }
  if (fields.some((field) => field.name === name)) return [{ index, field: name, rank: EXACT, isGuess: false }];
  const values = file.samples.map((row) => trim(row[index] ?? "")).filter((value) => value !== "");
  const fits = (field: string) =>
    looksLike(
      fields.find((one) => one.name === field),
      values,
      file,
    );
  const named = (ranks.get(folded(name)) ?? []).filter(({ field }) => fits(field));
  const shaped = valuesSay(fields, values, file);
  return [
    ...named.map(({ field, rank }) => ({ index, field, rank, isGuess: true })),
    ...(shaped === null ? [] : [{ index, field: shaped, rank: BY_VALUES, isGuess: true }]),
  ];
}
