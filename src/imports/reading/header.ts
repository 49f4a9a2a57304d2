import type { FieldKind, FieldTable } from "../../platform/fields/fields.ts";
import { isWithin, trim } from "../../platform/text.ts";
import type { Language } from "../../web/language.ts";
import type { CsvRow } from "./csv-row.ts";
import { AS_DOCUMENTED, type Reading } from "./reading.ts";
import { FileRefusal } from "./reasons.ts";

/** The first row of a CSV file: which cell is what. */
export type CsvHeader = {
  /** The number of cells of each row. */
  width: number;
  /** The cells that are imported. All others (`id`, timestamps, whatever else a file carries) are ignored. */
  columns: readonly FileColumn[];
  /** Whether rows name their company. */
  namesCompany: boolean;
  clearsEmpty: boolean;
  /** The language of its numbers and days; null where they are as documented. */
  language: Language | null;
  /** Whether a row that is there goes to the company that it names. */
  moves: boolean;
};

type FileColumn = { index: number; name: string; kind: FieldKind };

/** Code points of a column's name. */
const COLUMN_MAX = 255;

/** The columns in which a row names its company. */
export const COMPANY_ID = "company_id";
export const COMPANY_TAX_ID = "company_tax_id";

/** The columns that a kind's file may have, and those that it must. */
type KindColumns = {
  bulk: { fields: FieldTable };
  namedBy: readonly string[];
  ofCompany: boolean;
  oneOf: readonly string[];
};

/** The columns that an import reads of a kind's file. */
export function columnNames({ bulk, ofCompany }: Pick<KindColumns, "bulk" | "ofCompany">): string[] {
  return [...bulk.fields.map(({ name }) => name), ...(ofCompany ? [COMPANY_ID, COMPANY_TAX_ID] : [])];
}

/** Whether the first row of a file is the beginning of an archive, as workbooks are. */
export function isArchive(cells: readonly string[]): boolean {
  return cells[0]?.startsWith("PK\u0003\u0004") === true;
}

/** Throws FileRefusal for a header that no row could satisfy, and for one that is ambiguous. */
export function parseHeader(
  { bulk, namedBy, ofCompany, oneOf }: KindColumns,
  row: CsvRow | undefined,
  { clearsEmpty, columns: mapped, language }: Pick<Reading, "clearsEmpty" | "columns" | "language"> = AS_DOCUMENTED,
): CsvHeader {
  if (row === undefined) throw new FileRefusal({ code: "empty" });
  if ("complaint" in row) {
    const { complaint: why } = row;
    throw new FileRefusal(
      why.code === "tooManyCells" ? { ...why, code: "tooManyColumns" } : { code: "headerUnreadable", why },
    );
  }
  if (isArchive(row.cells)) throw new FileRefusal({ code: "archive" });
  const names = mapped?.length === row.cells.length ? mapped : headerNames(row.cells);
  const repeated = repeatedOf(names.filter((name) => name !== ""));
  if (repeated !== undefined) throw new FileRefusal({ code: "columnTwice", column: repeated });

  const has = (name: string) => names.includes(name);
  // Rows that name what they mean may be updates, which need no required field.
  const mayUpdate = namedBy.length > 0 && namedBy.every(has);
  const needed = mayUpdate ? [] : bulk.fields.filter(({ required }) => required);
  const missing = needed.find(({ name }) => !has(name));
  if (missing !== undefined) throw new FileRefusal({ code: "columnMissing", columns: [missing.name] });
  if (oneOf.length > 0 && !oneOf.some(has)) throw new FileRefusal({ code: "columnMissing", columns: oneOf });
  const namesCompany = ofCompany && (has(COMPANY_ID) || has(COMPANY_TAX_ID));
  if (ofCompany && !namesCompany && namedBy.length === 0) {
    throw new FileRefusal({ code: "columnMissing", columns: [COMPANY_ID, COMPANY_TAX_ID] });
  }

  const kinds = new Map(bulk.fields.map(({ name, kind }) => [name, kind]));
  if (ofCompany) kinds.set(COMPANY_ID, "integer").set(COMPANY_TAX_ID, "string");
  const columns = names.flatMap((name, index) => {
    const kind = kinds.get(name);
    return kind === undefined ? [] : [{ index, name, kind }];
  });
  return { width: names.length, columns, namesCompany, clearsEmpty, language, moves: true };
}

/** The names of columns, one for each cell of a header. A longer one is none, since no field has it. */
export function headerNames(cells: readonly string[]): string[] {
  return cells.map((cell) => (isWithin(cell, COLUMN_MAX) ? trim(cell) : ""));
}

function repeatedOf(names: string[]): string | undefined {
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size);
}
