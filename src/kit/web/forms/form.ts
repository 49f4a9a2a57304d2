import type { Input } from "../../../platform/fields/fields.ts";
import type { FieldMessages } from "../messages.ts";
import type { FieldValues } from "./field.ts";
import { pageErrors } from "./page-errors.ts";

/** A posted form or a query: names with any number of values. */
export type Form = {
  /** The last value of the name, or undefined. */
  get(name: string): string | undefined;
  /** All values of the name, for example of checkboxes. */
  all(name: string): string[];
  has(name: string): boolean;
  /** The named fields that were posted, as in a body of the API. */
  input(names: readonly string[]): Input;
  /** The named fields, to show the form again. */
  values(names: readonly string[]): FieldValues;
};

/** A form with its messages; empty for a form that is shown for the first time. */
export type RefusedForm = { status?: number; errors?: FieldMessages };

/** More than any form has. */
const MOST_VALUES = 1_300;

/** Throws if there are too many values, because ignoring some would be silent. */
export function parseForm(text: string): Form {
  if (text.split("&", MOST_VALUES + 1).length > MOST_VALUES) throw pageErrors.tooManyValues();
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(withSpaces(text))) {
    // Browsers send each line break as CR LF.
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

const [PLUS, SPACE] = [0x2b, 0x20];

/** A form's "+" are spaces. They are replaced as bytes: a string gets a piece of memory for each one replaced. */
function withSpaces(text: string): string {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === PLUS) bytes[at] = SPACE;
  return bytes.toString();
}
