import type { CustomKind, CustomNoun } from "../../../customers/custom-fields/custom-field.ts";
import type { Language } from "../../../kit/web/language.ts";
import { dayOrders, type DayOrder } from "../columns/days.ts";

/** The encodings that a file may have, by TextDecoder's names; it does not know the last three. */
export const encodings = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1250",
  "windows-1252",
  "iso-8859-2",
  "iso-8859-16",
  "macintosh",
  "cp852",
  "x-mac-romanian",
  "x-mac-ce",
] as const;
export type Encoding = (typeof encodings)[number];

/** The characters that may separate two cells. */
export const delimiters = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof delimiters)[number];

/** A custom field that an import makes. `id`: of its definition, once there is one. */
export type MadeField = {
  noun: CustomNoun;
  key: string;
  label: string;
  kind: CustomKind;
  options: readonly string[];
  id: string | null;
};

/** A sheet of a workbook, and whether its hidden rows are left out. */
export type SheetChoice = { sheet: number; leavesHidden: boolean };

/**
 * Hidden rows and the places of hidden columns of a sheet that have values, cells whose format shows nothing, formulas
 * without a stored value, and cells that are merged with another.
 */
export type SheetFacts = {
  hidden: number;
  hiddenColumns: readonly number[];
  unseen: number;
  formulas: number;
  merged: number;
};

/** How a file is read. */
export type Reading = {
  encoding: Encoding;
  delimiter: Delimiter;
  /** Whether an empty cell empties its field; otherwise the field is left unchanged. */
  clearsEmpty: boolean;
  /** The field of each column by position, if mapped by hand; an empty string ignores the column. */
  columns: readonly string[] | null;
  /** The language of numbers and dates; null for the documented formats. */
  language: Language | null;
  /** The line of the header; 0 while it is not known. Lines before it are titles, and are not read. */
  headerLine: number;
  /** The values of unknown words of enumerated fields, by field and folded word; an empty one leaves the field out. */
  words: Words;
  /** The order of day and month in fields of days, as the values of the whole file prove it. */
  orders: Readonly<Record<string, DayOrder>>;
  /** A person's choice for the unreadable cells of a field, or for its days. */
  choices: Readonly<Record<string, FieldChoice>>;
  /** Whether a company's row with its name alone may be a title: few rows of the file are so. */
  hasTitles: boolean;
  /** The treatment of rows that exist already. */
  again: Again;
  /** The names of a workbook's sheets, and how the one that was read was read; null for a text file. */
  workbook: ({ sheets: readonly string[] } & SheetChoice & SheetFacts) | null;
  /** The cells of rows that were corrected by hand, by line. */
  corrected: ReadonlyMap<number, readonly string[]>;
  /** The stored company that a row updates instead of making another, by line, as a person chose. */
  instead: ReadonlyMap<number, string>;
  /** Whether the column `id` names the stored rows: the file is a change of listed rows (imports/changing/). */
  namedById: boolean;
  /** Whether the import's kind is a guess, by what the file has. */
  isKindGuessed: boolean;
  /** The fields that a person has made of columns. They are defined when the import starts. */
  made: readonly MadeField[];
  /** A hash of the uploaded file, by which the same upload is known; empty for others. */
  digest: string;
};

/** Skips the rows with such cells, leaves the cells out, imports what may be a title, or gives days an order. */
export const fieldChoices = ["skip", "leave", "keep", ...dayOrders] as const;
type FieldChoice = (typeof fieldChoices)[number];

export const agains = ["update", "add", "skip"] as const;
export type Again = (typeof agains)[number];

export type Words = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** How the command line reads (docs/csv.md). */
export const AS_DOCUMENTED: Reading = {
  encoding: "utf-8",
  delimiter: ",",
  clearsEmpty: true,
  columns: null,
  language: null,
  headerLine: 1,
  words: {},
  orders: {},
  choices: {},
  hasTitles: false,
  again: "update",
  workbook: null,
  corrected: new Map(),
  instead: new Map(),
  namedById: false,
  isKindGuessed: false,
  made: [],
  digest: "",
};
