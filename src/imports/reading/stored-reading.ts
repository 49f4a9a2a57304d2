import { delimiters, encodings, type Reading } from "./reading.ts";

/** The columns of an import (`i`) that say how its file is read. */
export const readingColumns = {
  encoding: "i.encoding",
  delimiter: "i.delimiter",
  clearsEmpty: "i.clears_empty",
  columns: "i.columns",
};

export function readingOf(stored: Record<keyof typeof readingColumns, string | null>): Reading {
  return {
    encoding: encodings.find((encoding) => encoding === stored.encoding) ?? "utf-8",
    delimiter: delimiters.find((delimiter) => delimiter === stored.delimiter) ?? ",",
    clearsEmpty: stored.clearsEmpty === "t",
    columns: stored.columns === null ? null : (JSON.parse(stored.columns) as string[]),
  };
}

/** In the order of the columns. */
export function readingParameters({ encoding, delimiter, clearsEmpty, columns }: Reading): (string | boolean | null)[] {
  return [encoding, delimiter, clearsEmpty, columns === null ? null : JSON.stringify(columns)];
}
