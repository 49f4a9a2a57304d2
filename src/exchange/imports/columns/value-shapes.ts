import type { Language } from "../../../kit/web/language.ts";
import type { Field } from "../../../platform/fields/fields.ts";
import { readDayOfColumn } from "./days.ts";
import { readWhole } from "./local-values.ts";
import { spellingOf, valueOfSpelling, wordsOf, type Spelling } from "./value-words.ts";

type Place = { table: string };

/**
 * Whether values can be those of a field that the column's name names. Of a field that may be empty, the others are
 * left out of their rows, so one is enough.
 */
export function looksLike(
  field: Field | undefined,
  values: readonly string[],
  { language }: { language: Language | null },
): boolean {
  if (field === undefined) return false;
  const test = tests[field.kind];
  // Without a language a number is needed: only pages find users by their names.
  if (field.kind === "user" && language === null)
    return values.length > 0 && mostly(values, (value) => /^\d{1,9}$/.test(value));
  if (field.name === "job_title" && values.length > 0 && mostly(values, (value) => SALUTATION.test(value)))
    return false;
  if (values.length === 0 || test === undefined) return true;
  return field.kind === "decimal" ? mostly(values, test) : values.some(test);
}

/** Words of Outlook's column "Title". */
const SALUTATION = /^(?:dl|dna|d-na|dra|d-ra|domnul|doamna|dr|mr|mrs|ms|miss|mx|herr|frau|m|mme|mlle)\.?$/i;

const tests: Partial<Record<Field["kind"], (value: string) => boolean>> = {
  user: (value) => !/^[\d\s.,]+$/.test(value) || /^\d{1,9}$/.test(value),
  integer: (value) => /^\d+$/.test(readWhole(value)),
  email: (value) => value.includes("@"),
  date: (value) => readDayOfColumn(value, null) !== null,
  decimal: (value) => /\d/.test(value),
};

/** The shapes of values that name a field where the column's name does not, the surest first. */
const shapes: readonly [fields: readonly string[], shape: RegExp][] = [
  [["email"], /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i],
  [["registration_number"], /^[JFC]\s?\d{1,2}\s?\/\s?\d{1,6}\s?\/\s?\d{4}$|^[JFC]\d{13}$/i],
  [["tax_id", "company_tax_id"], /^RO\s?\d{2,10}$/i],
  [["website"], /^(?:https?:\/\/|www\.)\S+$/i],
  [
    ["phone", "mobile"],
    /^(?:\+|00)\d[\d\s().-]{7,18}$|^\(?0[2-7]\d{1,2}\)?[\s./-]?\d{2,3}[\s.-]?\d{2,3}(?:[\s.-]?\d{2,3})?$/,
  ],
  [
    ["name", "company_name"],
    /\b(?:S\.?\s?R\.?\s?L\.?(?:-D)?|S\.?\s?A\.?|P\.?F\.?A\.?|S\.?C\.?S\.?|I\.?I\.?|Ltd\.?|GmbH)$/i,
  ],
];

/** The field that the values alone name; null if there is none. */
export function valuesSay(fields: readonly Field[], values: readonly string[], { table }: Place): string | null {
  if (values.length === 0) return null;
  for (const [names, shape] of shapes) {
    const field = fields.find(({ name }) => names.includes(name));
    if (field !== undefined && mostly(values, (value) => value.length < 100 && shape.test(value))) return field.name;
  }
  if (fields.some(({ name }) => name === "tax_id") && areFiscalIds(values)) return "tax_id";
  const enumerated = fields.filter(({ kind }) => kind === "enum");
  const said = enumerated.length === 0 ? [] : values.map(spellingOf);
  return enumerated.find((field) => areWordsOf(table, field, said))?.name ?? null;
}

/** Whether most values are words of an enumerated field. */
export function areWordsOf(table: string, field: Field, said: readonly Spelling[]): boolean {
  const words = wordsOf(table, field);
  return words !== null && mostly(said, (spelling) => valueOfSpelling(words, spelling) !== undefined);
}

/** At least two thirds. */
function mostly<T>(values: readonly T[], test: (value: T) => boolean): boolean {
  return 3 * values.filter(test).length >= 2 * values.length;
}

/** Fiscal ids differ from each other. One of ten other numbers passes the check digit by chance. */
const FEWEST_IDS = 5;

function areFiscalIds(values: readonly string[]): boolean {
  const different = new Set(values.filter(isFiscalId)).size;
  return different >= FEWEST_IDS && 10 * different >= 9 * values.length;
}

const WEIGHTS = [7, 5, 3, 2, 1, 7, 5, 3, 2];

/** A Romanian fiscal id without its prefix, by its check digit. Numbers of few digits are rather something else. */
function isFiscalId(value: string): boolean {
  if (!/^\d{6,10}$/.test(value)) return false;
  const digits = value.slice(0, -1).padStart(9, "0");
  const sum = WEIGHTS.reduce((total, weight, at) => total + weight * Number(digits[at]), 0);
  return ((sum * 10) % 11) % 10 === Number(value.at(-1));
}
