import { isLanguage, languages, type Language } from "../../../kit/web/language.ts";
import { isCustom } from "../../../platform/fields/custom.ts";
import type { Field } from "../../../platform/fields/fields.ts";
import { trim } from "../../../platform/text.ts";
import { columnLabels } from "./column-labels.ts";
import { COMPANY_ID } from "./company-columns.ts";
import { namesOfField } from "./dictionary.ts";
import { folded } from "./folded.ts";
import { FULL_NAME, isOneName } from "./full-name.ts";
import { nameForms, saysNumbers, saysOther, type NameForm } from "./name-forms.ts";
import { areWordsOf, looksLike, valuesSay } from "./value-shapes.ts";
import { spellingOf, wordsOf } from "./value-words.ts";

/** The cells of the first rows behind the header, cut to SAMPLE_LENGTH. */
export type Samples = readonly (readonly string[])[];

/** No shape of a value is longer. A row of a file may have a million characters. */
export const SAMPLE_LENGTH = 200;

/** Waits for a turn for the work of guessing. @param work characters that are compared */
export type TurnForWork = (work: number) => Promise<void>;

/** The field that a person chose for a column, and the day; an empty one is not imported. */
export type ChosenField = { field: string; on: string };

/** The fields of a kind's file, and the columns of one file. */
export type GuessedFile = {
  kind: string;
  table: string;
  /** The importable fields, those that name the company included. */
  fields: readonly Field[];
  names: readonly string[];
  samples: Samples;
  /** The choices of people for columns, by columnKeys. */
  remembered: Readonly<Record<string, ChosenField>>;
  language: Language | null;
};

/** The field of each column, empty if there is none, and whether it was guessed. */
export type Guess = { columns: string[]; isGuessed: boolean[] };

/** A field for a column; the lowest rank wins the field. */
type Candidate = { index: number; field: string; rank: number; isGuess: boolean };

const [REMEMBERED, EXACT, BY_NAME, UNUSUAL, BY_VALUES] = [0, 1, 10, 500, 10_000];
/** More than the names of a field: each word that is taken away from a column's name makes it a worse one. */
const STEP = 100;

/**
 * Guesses the field of each column: as a person chose it before, by the field's own name, by the dictionary, and by its
 * values. Each field gets one column.
 */
export async function guessColumns(file: GuessedFile, rest: TurnForWork): Promise<Guess> {
  const { names } = file;
  const ranks = ranksOf(file);
  const keys = columnKeys(names);
  const forms = names.map((_name, index) => formsOf(file, index));
  const candidates: Candidate[] = [];
  for (const field of file.fields.filter(({ kind }) => kind === "enum")) {
    await rest(guessWork(field.values ?? []));
    wordsOf(file.table, field);
  }
  for (const index of names.keys()) {
    const values = valuesIn(file.samples, index);
    await rest(guessWork(values));
    candidates.push(...candidatesOf(file, index, { ranks, keys, forms }, values));
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
  return { columns: withOneName(file, columns), isGuessed };
}

/** The names of columns with their places among those of the same name: by these a choice is remembered. */
export function columnKeys(names: readonly string[]): string[] {
  const times = new Map<string, number>();
  return names.map((name) => {
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    return name === "" || time === 1 ? name : `${name}\t${time}`;
  });
}

/** First and last name make a full name superfluous, and one of them that has both is one. */
function withOneName({ fields, samples }: GuessedFile, columns: string[]): string[] {
  if (!fields.some(({ name }) => name === FULL_NAME)) return columns;
  const has = (field: string) => columns.includes(field);
  if (has("first_name") && has("last_name")) return columns.map((field) => (field === FULL_NAME ? "" : field));
  if (has(FULL_NAME)) return columns;
  return columns.map((field, index) => {
    if (field !== "first_name" && field !== "last_name") return field;
    return isOneName(samples.map((row) => trim(row[index] ?? ""))) ? FULL_NAME : field;
  });
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
  return names.filter(
    (name) => fields.some((field) => field.name === name) || nameForms(name).some(({ word }) => ranks.has(word)),
  );
}

/** The fields of each folded name, the closest first. */
type Ranks = ReadonlyMap<string, { field: string; rank: number }[]>;

/** The names of each kind do not change: folding them for every row of every kind would block the event loop. */
const ranksOfKinds = new Map<string, Ranks>();

function ranksOf({ kind, fields }: Pick<GuessedFile, "kind" | "fields">): Ranks {
  const ranks = ranksOfKinds.getOrInsertComputed(kind, () =>
    newRanks({ kind, fields: fields.filter((field) => !isCustom(field)) }),
  );
  const custom = fields.filter(isCustom);
  if (custom.length === 0) return ranks;
  return ranksWithCustom.getOrInsertComputed(fields, () => {
    const all = new Map(ranks);
    // A workspace's own names are before those of the dictionary.
    for (const { name, label } of custom)
      all.set(folded(label), [{ field: name, rank: BY_NAME - 1 }, ...(all.get(folded(label)) ?? [])]);
    return all;
  });
}

/** The same with custom fields, for as long as a file is read. */
const ranksWithCustom = new WeakMap<readonly Field[], Ranks>();

function newRanks({ kind, fields }: Pick<GuessedFile, "kind" | "fields">): Ranks {
  const ranks = new Map<string, { field: string; rank: number }[]>();
  for (const { name } of fields) {
    const own = Object.keys(languages)
      .filter(isLanguage)
      .map((language) => columnLabels(kind, language)[name] ?? "");
    // `Company ID` of another service is no number of a company here.
    const known = [...namesOfField(kind, name), ...own, ...(name === COMPANY_ID ? [] : [name])].map(folded);
    for (const [at, word] of known.entries()) {
      const fieldsOf = ranks.getOrInsert(word, []);
      if (word !== "" && !fieldsOf.some(({ field }) => field === name))
        fieldsOf.push({ field: name, rank: BY_NAME + at });
    }
  }
  return ranks;
}

/** The forms of a column's name. Google's `Phone 1 - Value` is what most of `Phone 1 - Label` say. */
function formsOf({ names, samples }: GuessedFile, index: number): NameForm[] {
  const forms = nameForms(names[index] ?? "");
  const [, base] = /^(.*) - value$/i.exec(names[index] ?? "") ?? [];
  const at =
    base === undefined ? -1 : names.findIndex((name) => name === `${base} - Label` || name === `${base} - Type`);
  if (at < 0) return forms;
  const isMobile = samples.filter((row) => /mobil|cell/i.test(row[at] ?? "")).length;
  const has = samples.filter((row) => trim(row[index] ?? "") !== "").length;
  return 2 * isMobile > has ? [{ word: "mobile", steps: 0 }] : forms;
}

type Known = { ranks: Ranks; keys: readonly string[]; forms: readonly NameForm[][] };

function candidatesOf(
  file: GuessedFile,
  index: number,
  { ranks, keys, forms }: Known,
  values: readonly string[],
): Candidate[] {
  const name = file.names[index] ?? "";
  const { fields, remembered } = file;
  const key = keys[index] ?? "";
  const chosen = Object.hasOwn(remembered, key) ? remembered[key] : undefined;
  // An earlier version stored a text, which was not always a choice.
  if (chosen?.field !== undefined && (chosen.field === "" || fields.some((one) => one.name === chosen.field)))
    return [{ index, field: chosen.field, rank: REMEMBERED, isGuess: false }];
  if (fields.some((field) => field.name === name)) return [{ index, field: name, rank: EXACT, isGuess: false }];
  const fieldOf = (named: string) => fields.find((one) => one.name === named);
  const closest = forms[index]?.find(({ word }) => ranks.has(word));
  const named = (closest === undefined ? [] : (ranks.get(closest.word) ?? [])).flatMap(({ field, rank }) => {
    const found = fieldOf(field);
    if (!looksLike(found, values, file)) return [];
    // `State` is a status or a county: the words decide.
    // A column without values yields to one that has some.
    const isUnusual =
      values.length === 0 || (found?.kind === "enum" && !areWordsOf(file.table, found, values.map(spellingOf)));
    // Labels may differ in punctuation alone.
    const isExact = found !== undefined && isCustom(found) && found.label === name;
    const worse = STEP * (closest?.steps ?? 0) + (isUnusual ? UNUSUAL : 0) - (isExact ? 1 : 0);
    return { index, field, rank: rank + worse, isGuess: true };
  });
  const shaped = saysOther(name) ? null : valuesSay(fields, values, file);
  const isOfNumbers = shaped === "tax_id" && saysNumbers(name) && values.every((value) => /^\d+$/.test(value));
  return [
    ...named,
    ...(shaped === null || isOfNumbers ? [] : [{ index, field: shaped, rank: BY_VALUES, isGuess: true }]),
  ];
}
