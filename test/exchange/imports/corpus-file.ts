import type { Cell } from "./workbooks.ts";

/** A file as people have it: how it was saved, its rows, and the field that each column is. */
export type CorpusFile = {
  name: string;
  kind: string;
  saved: "xlsx" | "xlsx inline" | "semicolons" | "commas" | "tabs";
  encoding?: "windows-1250" | "utf-16le" | "utf-8 with a mark";
  language: "en" | "ro";
  rows: Cell[][];
  /** The row with the column names; 1 without titles. */
  header?: number;
  fields: string[];
  /** Words to map by hand, by the name of their field in the form, and the rows that are imported then. */
  words?: Record<string, string>;
  imported: number;
  /** One row as it is stored. */
  stored: Record<string, string>;
  merged?: string[];
};
