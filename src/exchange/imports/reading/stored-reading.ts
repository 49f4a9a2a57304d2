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
type Rest = Pick<Reading, "headerLine" | "words" | "workbook" | "namedById" | "isKindGuessed">;

export function readingOf(stored: Record<keyof typeof readingColumns, string | null>): Reading {
  return {
    encoding: encodings.find((encoding) => encoding === stored.encoding) ?? "utf-8",
    delimiter: delimiters.find((delimiter) => delimiter === stored.delimiter) ?? ",",
    clearsEmpty: stored.clearsEmpty === "t",
    columns: stored.columns === null ? null : (JSON.parse(stored.columns) as string[]),
    language: isLanguage(stored.language) ? stored.language : null,
    headerLine: 1,
    words: {},
    workbook: null,
    corrected: new Map(),
    namedById: false,
    isKindGuessed: false,
    ...(stored.rest === null ? {} : (JSON.parse(stored.rest) as Rest)),
  };
}

/** The parameters, in the order of the columns. */
export function readingParameters({
  encoding,
  delimiter,
  clearsEmpty,
  columns,
  language,
  headerLine,
  words,
  workbook,
  namedById,
  isKindGuessed,
}: Reading): (string | boolean | null)[] {
  const rest: Rest = { headerLine, words, workbook, namedById, isKindGuessed };
  const mapped = columns === null ? null : JSON.stringify(columns);
  return [encoding, delimiter, clearsEmpty, mapped, language, JSON.stringify(rest)];
}
