import type { Input } from "../platform/fields/fields.ts";

/** A posted form, or a query: names with any number of values. */
export type Form = {
  /** The last value of the name; undefined where there is none. */
  get(name: string): string | undefined;
  /** All values of the name, as checkboxes send them. */
  all(name: string): string[];
  has(name: string): boolean;
  /** The named fields as far as they were posted, as a body of the API has them. */
  input(names: readonly string[]): Input;
};

export function parseForm(text: string): Form {
  const values = new URLSearchParams(text);
  // Browsers send a line break as two characters, whatever the text had.
  for (const name of new Set(values.keys())) {
    const all = values.getAll(name).map((value) => value.replaceAll("\r\n", "\n"));
    values.delete(name);
    for (const value of all) values.append(name, value);
  }
  return {
    get: (name) => values.getAll(name).at(-1),
    all: (name) => values.getAll(name),
    has: (name) => values.has(name),
    input: (names) =>
      Object.fromEntries(names.flatMap((name) => (values.has(name) ? [[name, values.getAll(name).at(-1)]] : []))),
  };
}
