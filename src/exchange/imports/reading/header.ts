import type { BulkRows } from "../../../kit/bulk-queries.ts";
import type { Language } from "../../../kit/web/language.ts";
import { customName, isCustom } from "../../../platform/fields/custom.ts";
import type { Field, FieldTable } from "../../../platform/fields/fields.ts";
import { isWithin, trim } from "../../../platform/text.ts";
import { currencyOfColumn } from "../cells/amounts.ts";
import { CURRENCY, type FileColumn } from "../cells/read-cell.ts";
import { COMPANY_ID, COMPANY_NAME, COMPANY_TAX_ID } from "../columns/company-columns.ts";
import { CONTACT_PERSON } from "../columns/contact-person.ts";
import { folded } from "../columns/folded.ts";
import { FULL_NAME, SERIES } from "../columns/full-name.ts";
import { withOneValue, wordsOf } from "../columns/value-words.ts";
import { FileRefusal } from "../reasons.ts";
import type { CsvRow } from "./csv-row.ts";
import { AS_DOCUMENTED, type Reading } from "./reading.ts";

/** The first row of a CSV file: the meaning of each cell. */
export type CsvHeader = {
  /** Cells per row. */
  width: number;
  /** The names of the columns as the file has them. */
  written: readonly string[];
  /** The cell with the id of the stored row; null if rows are found by their identity. */
  idIndex: number | null;
  /** Whether the file is an export of a page. Rows whose ids are unknown are read without. */
  isOwnExport: boolean;
  /** The imported cells. Other columns (timestamps, unknown ones) are ignored. */
  columns: readonly FileColumn[];
  /** Whether rows name their company. */
  namesCompany: boolean;
  clearsEmpty: boolean;
  /** The language of numbers and dates; null for the documented formats. */
  language: Language | null;
  /** A person's choice for the unreadable cells of a field, or for its days. */
  choices: Reading["choices"];
  /** Whether a row has a currency, which those of its amounts become. */
  takesCurrency: boolean;
  /** The cell that makes a row a title if it is alone: a company's name. Null if rows are no titles. */
  titleAt: number | null;
  hasTitles: boolean;
  again: Reading["again"];
  /** The lines of the rows that were corrected by hand. */
  corrected: Pick<ReadonlyMap<number, unknown>, "has">;
  /** The stored rows that rows of a page's file update, by line, as a person chose. */
  instead?: Reading["instead"];
  /** Whether identities are found in any spelling. Items of a batch are found as they are written. */
  isFile: boolean;
  /** Whether an existing row moves to the company that the file names. */
  moves: boolean;
};

/** Maximum code points of a column's name. */
const COLUMN_MAX = 255;

/** The column that names the stored row in a change of listed rows. */
export const ID = "id";

/** The optional and required columns of a kind's file. */
type KindColumns = {
  bulk: { table: string; fields: FieldTable; identity?: { field: string } | null };
  namedBy: readonly string[];
  ofCompany: boolean;
  oneOf: readonly string[];
  idColumn: string;
};

const companyColumns: FieldTable = [
  { name: COMPANY_ID, kind: "integer" },
  { name: COMPANY_TAX_ID, kind: "string" },
];

const nameColumn: FieldTable = [{ name: COMPANY_NAME, kind: "string" }];
/** First and last name together, which only files of pages have. */
const fullName: FieldTable = [{ name: FULL_NAME, kind: "string" }];
const personColumn: FieldTable = [{ name: CONTACT_PERSON, kind: "string" }];
const NAMES = ["first_name", "last_name"];
const seriesColumn: FieldTable = [{ name: SERIES, kind: "string" }];
/** The fields that only files with numbers of invoices have. */
const OF_INVOICES = new Set(["issued_on", "invoice_number"]);

/** The fields that an import reads of a kind's file. @param byName whether companies may be named by their names */
export function fileFields({ bulk, ofCompany }: Pick<KindColumns, "bulk" | "ofCompany">, byName = true): FieldTable {
  if (!byName) return ofCompany ? [...bulk.fields, ...companyColumns] : bulk.fields;
  const hasSeries = bulk.fields.some(({ name }) => OF_INVOICES.has(name));
  const all = [...bulk.fields, ...(hasSeries ? seriesColumn : [])];
  if (!ofCompany) return bulk.table === "companies" ? [...all, ...personColumn] : all;
  const names = [...(hasNames(bulk) ? fullName : []), ...all, ...nameColumn];
  return [...names, ...companyColumns];
}

function hasNames({ fields }: Pick<BulkRows, "fields">): boolean {
  return NAMES.every((name) => fields.some((field) => field.name === name));
}

/** The columns that an import reads of a kind's file. */
export function columnNames(kind: Pick<KindColumns, "bulk" | "ofCompany">, byName = true): string[] {
  return fileFields(kind, byName).map(({ name }) => name);
}

/** Whether the first row begins like a ZIP archive, as workbooks do. */
export function isArchive(cells: readonly string[]): boolean {
  return cells[0]?.startsWith("PK\u0003\u0004") === true;
}

type ReadingOfRows = Pick<
  Reading,
  | "clearsEmpty"
  | "columns"
  | "language"
  | "words"
  | "corrected"
  | "instead"
  | "namedById"
  | "orders"
  | "choices"
  | "hasTitles"
  | "again"
>;

/** The header of an export of a kind: the id, the columns that name the company, and the fields. */
export function exportHeader({
  bulk,
  ofCompany,
  idColumn,
}: Pick<KindColumns, "bulk" | "ofCompany" | "idColumn">): string[] {
  return [idColumn, ...(ofCompany ? [COMPANY_ID, COMPANY_TAX_ID] : []), ...bulk.fields.map(({ name }) => name)];
}

/** A header without the custom fields of its workspace. */
function asExported(names: readonly string[]): string {
  return names.filter((name) => !name.startsWith(customName(""))).join("\n");
}

/** Throws FileRefusal for an ambiguous header, and for one that no row could satisfy. */
export function parseHeader(
  kind: KindColumns,
  row: CsvRow | undefined,
  reading: ReadingOfRows = AS_DOCUMENTED,
): CsvHeader {
  const { bulk, ofCompany, idColumn } = kind;
  const { clearsEmpty, columns: mapped, language, namedById } = reading;
  const written = headerNames(headerCells(row));
  const names = mapped?.length === written.length ? mapped : namedByLabels(written, bulk.fields);
  // Only the whole header says that an id is ours: other services have such a column too. Custom fields come and go.
  const isOwnExport =
    idColumn === ID && asExported(exportHeader({ bulk, ofCompany, idColumn })) === asExported(written);
  const byName = language !== null;
  const namesCompany = checkNames(kind, names, { namedById, isOwnExport, byName });
  const fields = new Map(fileFields({ bulk, ofCompany }, byName).map((field) => [field.name, field]));
  return {
    width: names.length,
    written,
    idIndex: namedById ? names.indexOf(ID) : isOwnExport ? 0 : null,
    isOwnExport,
    columns: fileColumns(bulk, fields, { names, written }, reading),
    namesCompany,
    clearsEmpty,
    language,
    choices: reading.choices,
    // Lines and payments are compared with their invoices.
    takesCurrency: fields.has(CURRENCY) || fields.has("invoice_number"),
    titleAt: bulk.table === "companies" && byName && reading.choices.name !== "keep" ? names.indexOf("name") : null,
    hasTitles: reading.hasTitles,
    again: reading.again,
    corrected: reading.corrected,
    instead: reading.instead,
    isFile: true,
    moves: !namedById,
  };
}

function headerCells(row: CsvRow | undefined): string[] {
  if (row === undefined) throw new FileRefusal({ code: "empty" });
  if ("complaint" in row) {
    const { complaint: why } = row;
    throw new FileRefusal(
      why.code === "tooManyCells" ? { ...why, code: "tooManyColumns" } : { code: "headerUnreadable", why },
    );
  }
  if (isArchive(row.cells)) throw new FileRefusal({ code: "archive" });
  return row.cells;
}

/** Returns whether the columns name a row's company. Throws FileRefusal if a name is there twice, or one is missing. */
function checkNames(
  { bulk, namedBy, ofCompany, oneOf }: KindColumns,
  names: readonly string[],
  { namedById, isOwnExport, byName }: { namedById: boolean; isOwnExport: boolean; byName: boolean },
): boolean {
  const repeated = repeatedOf(names.filter((name) => name !== ""));
  if (repeated !== undefined) throw new FileRefusal({ code: "columnTwice", column: repeated });
  const has = (name: string) => names.includes(name);
  // Rows that name a stored row may be updates, which need no required fields.
  const mayUpdate = namedById || isOwnExport || (namedBy.length > 0 && namedBy.every(has));
  const needed = mayUpdate ? [] : bulk.fields.filter(({ required }) => required);
  const missing = needed.find(({ name }) => !has(name) && !(has(FULL_NAME) && NAMES.includes(name)));
  if (missing !== undefined) throw new FileRefusal({ code: "columnMissing", columns: [missing.name] });
  if (oneOf.length > 0 && !oneOf.some(has)) throw new FileRefusal({ code: "columnMissing", columns: oneOf });
  const namesCompany = ofCompany && (has(COMPANY_ID) || has(COMPANY_TAX_ID) || (byName && has(COMPANY_NAME)));
  if (ofCompany && !namesCompany && namedBy.length === 0 && !namedById && !isOwnExport) {
    throw new FileRefusal({ code: "columnMissing", columns: [byName ? COMPANY_NAME : COMPANY_ID, COMPANY_TAX_ID] });
  }
  return namesCompany;
}

/** The columns that are read, with the meaning of their cells. */
function fileColumns(
  bulk: KindColumns["bulk"],
  fields: ReadonlyMap<string, Field>,
  { names, written }: { names: readonly string[]; written: readonly string[] },
  { choices, orders, words: wordsByName, language }: ReadingOfRows,
): FileColumn[] {
  const columns = names.flatMap((name, index): FileColumn[] => {
    const field = fields.get(name);
    const choice = choices[name];
    // A person has said that the column is not what identifies the rows.
    if (field === undefined || (name === bulk.identity?.field && choice === "leave")) return [];
    const words = language === null ? null : wordsOf(bulk.table, field, wordsByName[name]);
    const order = choice === "dmy" || choice === "mdy" ? choice : (orders[name] ?? null);
    const currency =
      language !== null && field.kind === "decimal" && !isCustom(field) ? currencyOfColumn(written[index] ?? "") : null;
    return [{ index, name, kind: field.kind, words, order, currency }];
  });
  // On pages the cell of an amount may say its currency.
  const hasAmount = language !== null && columns.some(({ kind }) => kind === "decimal");
  if (hasAmount && fields.has(CURRENCY) && !names.includes(CURRENCY)) {
    columns.push(plainColumn(-1, CURRENCY, "string"));
  }
  return columns;
}

/** The name in the file of the column that has a field; empty without one. */
export function nameOfColumn({ columns, written }: CsvHeader, field: string): string {
  return written[columns.find(({ name }) => name === field)?.index ?? -1] ?? "";
}

/** A column whose cells mean what they say. @param index of its cells; -1 for a column that no file has */
export function plainColumn(index: number, name: string, kind: FileColumn["kind"]): FileColumn {
  return { index, name, kind, words: null, order: null, currency: null };
}

/** The header of rows that no file has: they do not move to another company. */
export function headerOfInputs(
  columns: readonly FileColumn[],
  { clearsEmpty, namesCompany }: Pick<CsvHeader, "clearsEmpty" | "namesCompany">,
): CsvHeader {
  const { language, corrected, choices, again } = AS_DOCUMENTED;
  return {
    written: [],
    takesCurrency: false,
    titleAt: null,
    hasTitles: false,
    width: columns.length,
    idIndex: null,
    isOwnExport: false,
    columns,
    namesCompany,
    clearsEmpty,
    language,
    corrected,
    choices,
    again,
    isFile: false,
    moves: false,
  };
}

/** The header of a reading that only asks which rows name the same stored row. */
export function namingHeader(
  header: CsvHeader,
  { bulk, namedBy }: Pick<KindColumns, "namedBy"> & { bulk: Pick<BulkRows, "identity"> },
): CsvHeader {
  const names = new Set([bulk.identity?.field, SERIES, ...namedBy]);
  return { ...header, columns: header.columns.filter(({ name }) => names.has(name)) };
}

/** The names with those of custom fields in the place of their labels. */
function namedByLabels(written: readonly string[], fields: FieldTable): readonly string[] {
  const custom = fields.filter(isCustom);
  if (custom.length === 0) return written;
  const exact = new Map(custom.map(({ label, name }) => [label, name]));
  const byLabel = withOneValue(custom.map(({ label, name }) => [folded(label), name]));
  return written.map((name) => {
    const named = exact.get(name) ?? byLabel.get(folded(name));
    const isKnown = named === undefined || written.includes(named) || fields.some((field) => field.name === name);
    return isKnown ? name : named;
  });
}

/** The column names, one per cell of the header. A name above COLUMN_MAX becomes empty, since no field has it. */
export function headerNames(cells: readonly string[]): string[] {
  return cells.map((cell) => (isWithin(cell, COLUMN_MAX) ? trim(cell) : ""));
}

function repeatedOf(names: string[]): string | undefined {
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size);
}
