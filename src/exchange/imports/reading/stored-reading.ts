import { isLanguage } from "../../../kit/web/language.ts";
import { AS_DOCUMENTED, delimiters, encodings, type Reading } from "./reading.ts";

/** The columns of an import (`i`) that store its reading. */
export const readingColumns = {
  encoding: "i.encoding",
  delimiter: "i.delimiter",
  clearsEmpty: "i.clears_empty",
  columns: "i.columns",
  language: "i.language",
  rest: "i.reading",
};

/** The parts of a reading that have columns of their own, or are files of its import. The others share a column. */
const APART = ["encoding", "delimiter", "clearsEmpty", "columns", "language", "corrected", "instead"] as const;
type Rest = Omit<Reading, (typeof APART)[number]>;

export function readingOf(stored: Record<keyof typeof readingColumns, string | null>): Reading {
  return {
    ...AS_DOCUMENTED,
    encoding: encodings.find((encoding) => encoding === stored.encoding) ?? "utf-8",
    delimiter: delimiters.find((delimiter) => delimiter === stored.delimiter) ?? ",",
    clearsEmpty: stored.clearsEmpty === "t",
    columns: stored.columns === null ? null : (JSON.parse(stored.columns) as string[]),
    language: isLanguage(stored.language) ? stored.language : null,
    ...(stored.rest === null ? {} : (JSON.parse(stored.rest) as Rest)),
  };
}

/** A reading as it is stored, by readingColumns. */
export function storedReading(reading: Reading) {
  const { encoding, delimiter, clearsEmpty, columns, language } = reading;
  const mapped = columns === null ? null : JSON.stringify(columns);
  return { encoding, delimiter, clearsEmpty, columns: mapped, language, rest: restOfReading(reading) };
}

/** The parts that share a column, as they are stored. */
export function restOfReading(reading: Reading): string {
  const apart: readonly string[] = APART;
  return JSON.stringify(Object.fromEntries(Object.entries(reading).filter(([name]) => !apart.includes(name))));
}
