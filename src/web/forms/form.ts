import type { Input } from "../../platform/fields/fields.ts";
import type { FieldMessages } from "../messages.ts";
import type { FieldValues } from "./field.ts";
import { pageErrors } from "./page-errors.ts";

/** A posted form, or a query: names with any number of values. */
export type Form = {
  /** The last value of the name; undefined where there is none. */
  get(name: string): string | undefined;
  /** All values of the name, as checkboxes send them. */
  all(name: string): string[];
  has(name: string): boolean;
  /** The named fields as far as they were posted, as a body of the API has them. */
  input(names: readonly string[]): Input;
  /** The named fields as the form shows them again. */
  values(names: readonly string[]): FieldValues;
};

/** A form that is shown with what was wrong with it; as it is shown first, where nothing was. */
export type RefusedForm = { status?: number; errors?: FieldMessages };

/** No form of ours has as many. */
const MOST_VALUES = 1_000;

/** Throws where there are more values: who posted them would not learn which of them counted. */
export function parseForm(text: string): Form {
  if (text.split("&", MOST_VALUES + 1).length > MOST_VALUES) throw pageErrors.tooManyValues();
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    // Browsers send a line break as two characters, whatever the text had.
    values.getOrInsert(name, []).push(value.replaceAll("\r\n", "\n"));
  }
  const last = (name: string) => values.get(name)?.at(-1);
  return {
    get: last,
    all: (name) => [...(values.get(name) ?? [])],
    has: (name) => values.has(name),
    input: (names) => Object.fromEntries(names.flatMap((name) => (values.has(name) ? [[name, last(name)]] : []))),
    values: (names) => Object.fromEntries(names.map((name) => [name, last(name)])),
  };
}
