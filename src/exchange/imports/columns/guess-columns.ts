import { isLanguage, languages, type Language } from "../../../kit/web/language.ts";
import type { Field } from "../../../platform/fields/fields.ts";
import { trim } from "../../../platform/text.ts";
import { columnLabels } from "./column-labels.ts";
import { dictionaryOf } from "./dictionary.ts";
import { folded } from "./folded.ts";
import { looksLike, valuesSay } from "./value-shapes.ts";

/** The cells of the first rows behind the header, cut to SAMPLE_LENGTH. */
export type Samples = readonly (readonly string[])[];

/** No shape of a value is longer. A row of a file may have a million characters. */
export const SAMPLE_LENGTH = 200;

/** Waits for a turn for the work of guessing. @param work characters that are compared */
export type TurnForWork = (work: number) => Promise<void>;

/** The fields of a kind's file, and the columns of one file. */
export type GuessedFile = {
  kind: string;
  table: string;
  /** The importable fields, those that name the company included. */
  fields: readonly Field[];
  names: readonly string[];
  samples: Samples;
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
export async function guessColumns(file: GuessedFile, rest: TurnForWork): Promise<Guess> {
  const { names } = file;
  const ranks = ranksOf(file);
  const candidates: Candidate[] = [];
  for (const index of names.keys()) {
    const values = valuesIn(file.samples, index);
    await rest(guessWork(values));
    candidates.push(...candidatesOf(file, index, ranks, values));
  }
  const named = new Set(candidates.filter(({ rank }) => rank < BY_VALUES).map(({ index }) => index));
  const columns = names.map(() => "");
  const isGuessed = names.map(() => false);
  const decided = new Set<number>();
  const taken = new Set<string>();
  for (const { index, field, rank, isGuess } of candidates.toSorted((a, b) => a.rank - b.rank || a.index - b.index)) {
    if (decided.has(index) || (field !== "" && taken.has(field))) continue;
    // Values do not decide about a column whose name is another field's.
    if (rank >= BY_VALUES && named.has(index)) continue;
    decided.add(index);
    columns[index] = field;
    isGuessed[index] = isGuess;
    taken.add(field);
  }
  return { columns, isGuessed };
}

/** The values of a column, without blanks around them. */
export function valuesIn(samples: Samples, index: number): string[] {
  return samples.map((row) => trim(row[index] ?? "")).filter((value) => value !== "");
}

/** The work of comparing values with the shapes and words of a kind's fields, in characters that are read. */
export function guessWork(values: readonly string[]): number {
  return values.reduce((sum, { length }) => sum + WORK_OF_VALUE + length, WORK_OF_VALUE);
}

const WORK_OF_VALUE = 256;

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

function candidatesOf(file: GuessedFile, index: number, ranks: Ranks, values: readonly string[]): Candidate[] {
  const name = file.names[index] ?? "";
  const { fields, remembered } = file;
  if (Object.hasOwn(remembered, name)) {
    const field = remembered[name] ?? "";
    if (field === "" || fields.some((one) => one.name === field))
      return [{ index, field, rank: REMEMBERED, isGuess: false }];
  }
  if (fields.some((field) => field.name === name)) return [{ index, field: name, rank: EXACT, isGuess: false }];
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
