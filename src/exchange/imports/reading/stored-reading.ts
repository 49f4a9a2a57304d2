import { isLanguage } from "../../../kit/web/language.ts";
import { delimiters, encodings, type Reading } from "./reading.ts";

/** The columns of an import (`i`) that store its reading. */
export const readingColumns = {
  encoding: "i.encoding",
  delimiter: "i.delimiter",
  clearsEmpty: "i.clears_empty",
  columns: "i.columns",
  language: "i.language",
  rest: "i.reading",
};

/** The parts of a reading that share a column. */
type Rest = Pick<
  Reading,
  | "headerLine"
  | "words"
  | "orders"
  | "choices"
  | "hasTitles"
  | "again"
  | "workbook"
  | "namedById"
  | "isKindGuessed"
  | "made"
  | "digest"
>;

export function readingOf(stored: Record<keyof typeof readingColumns, string | null>): Reading {
  return {
    encoding: encodings.find((encoding) => encoding === stored.encoding) ?? "utf-8",
    delimiter: delimiters.find((delimiter) => delimiter === stored.delimiter) ?? ",",
    clearsEmpty: stored.clearsEmpty === "t",
    columns: stored.columns === null ? null : (JSON.parse(stored.columns) as string[]),
    language: isLanguage(stored.language) ? stored.language : null,
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
    ...(stored.rest === null ? {} : (JSON.parse(stored.rest) as Rest)),
  };
}

/** The parameters, in the order of the columns. */
export function storedReading(reading: Reading) {
  const { encoding, delimiter, clearsEmpty, columns, language } = reading;
  const mapped = columns === null ? null : JSON.stringify(columns);
  return { encoding, delimiter, clearsEmpty, columns: mapped, language, rest: restOfReading(reading) };
}

/** The parts that share a column, as they are stored. */
export function restOfReading(reading: Reading): string {
  const { headerLine, words, orders, choices, hasTitles, again, workbook, namedById, isKindGuessed, made, digest } =
    reading;
  return JSON.stringify({
    headerLine,
    words,
    orders,
    choices,
    hasTitles,
    again,
    workbook,
    namedById,
    isKindGuessed,
    made,
    digest,
  } satisfies Rest);
}
