import type { Language } from "../../web/language.ts";

/** The encodings that a file may have, as TextDecoder calls them. */
export const encodings = ["utf-8", "utf-16le", "utf-16be", "windows-1250"] as const;
export type Encoding = (typeof encodings)[number];

/** The characters that may stand between two cells. */
export const delimiters = [",", ";", "\t"] as const;
export type Delimiter = (typeof delimiters)[number];

/** How a file is read. */
export type Reading = {
  encoding: Encoding;
  delimiter: Delimiter;
  /** Whether an empty cell empties its field; else it leaves what is there. */
  clearsEmpty: boolean;
  /** The field of each column, by its place, where somebody mapped them; an empty one is none. */
  columns: readonly string[] | null;
  /** The language that its numbers and days are read in; null where they are as documented. */
  language: Language | null;
};

/** How the command line reads (docs/operations.md 4). */
export const AS_DOCUMENTED: Reading = {
  encoding: "utf-8",
  delimiter: ",",
  clearsEmpty: true,
  columns: null,
  language: null,
};
