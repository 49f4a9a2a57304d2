import type { BulkRows } from "../../../kit/bulk-queries.ts";
import type { ExternalId } from "../../../platform/fields/external-ids.ts";
import type { FieldErrors } from "../../../platform/fields/field-reasons.ts";
import { encryptedFields, type FieldTable, type Input } from "../../../platform/fields/fields.ts";
import { asChecked } from "../../../platform/fields/validation.ts";
import { asStored, comparable, isStorable, shortened, trim } from "../../../platform/text.ts";
import { readRowCells, type RowNote, type Unread } from "../cells/read-cell.ts";
import { COMPANY_EXTERNAL, COMPANY_ID, COMPANY_NAME, COMPANY_TAX_ID } from "../columns/company-columns.ts";
import { FULL_NAME, isFamilyFirst, SERIES, splitName } from "../columns/full-name.ts";
import type { Numbers } from "./csv-row.ts";
import { nameOfColumn, type CsvHeader } from "./header.ts";

export type ImportRow = {
  /** The physical line where it starts. */
  line: number;
  /** The id of the stored row that is named; null if the row is found by its identity, or not at all. */
  id: string | null;
  /** The field that identifies the stored row (Bulk); null if the row has no value there that could be stored. */
  identity: RowName | null;
  /** The external ids of the row, each of which may identify the stored row; a file has none. */
  external?: readonly ExternalId[];
  /** The fields, as in a request's body. */
  input: Input;
  notes?: readonly RowNote[];
  /** Whether the row was found by its name or e-mail address (writing/find-again.ts), or a person chose its company. */
  isAgain?: true;
  /** The texts by which it is known again in its file, once it is looked up. */
  keys?: RecordKeys;
};

/**
 * The texts by which a row is known again in its file: those that it is looked up by, and those that it is kept under.
 * `identity`: rows of one name may have several.
 */
export type RecordKeys = { asked: readonly string[]; kept: readonly string[]; identity?: string };

/**
 * A text that identifies a stored row: as it is stored, and in a form that is equal for all texts that the database may
 * treat as equal.
 */
export type RowName = { text: string; compared: string };

/** The value of a field as a name; null if it is missing, or if no stored row can have it. */
export function nameIn(fields: FieldTable, field: string | undefined, input: Input): RowName | null {
  if (field === undefined) return null;
  const max = fields.find(({ name }) => name === field)?.max;
  if (max === undefined) throw new Error(`rows cannot be named by ${field}, which has no max`);
  const text = asStored(asChecked(input[field]), max);
  const compared = text === null ? null : comparable(text, max);
  return text === null || compared === null ? null : { text, compared };
}

/**
 * Builds a row from cells under a header (cells/). An empty cell becomes null, or is left out if it leaves the field
 * unchanged, as an error of a spreadsheet does, and a cell that the row lacks.
 * @param numbers of the cells whose text is what a format shows
 */
export function rowOf(
  header: CsvHeader,
  { fields, identity }: Pick<BulkRows, "fields" | "identity">,
  { line, cells, numbers, repeated }: { line: number; cells: string[]; numbers?: Numbers; repeated?: Numbers },
): ImportRow | ({ line: number; cells: Cells } & Unread) {
  const { idIndex, columns } = header;
  const { input: read, unread, notes } = readRowCells(header, cells, numbers, repeated);
  if (unread !== null) {
    const said = Object.fromEntries(columns.map(({ index, name }) => [name, trim(cells[index] ?? "")]));
    return { line, ...unread, cells: refusedCells(columns, said, unread.errors) };
  }
  const input =
    FULL_NAME in read
      ? withNames(read, isFamilyFirst(nameOfColumn(header, FULL_NAME)))
      : SERIES in read
        ? withSeries(read)
        : read;
  const chosen = header.instead?.get(line);
  const id = chosen ?? (idIndex === null ? null : trim(cells[idIndex] ?? ""));
  const name = nameIn(fields, identity?.field, input);
  const { spellings } = identity ?? {};
  // Rows that may mean one stored row wait for each other.
  if (name !== null && spellings !== undefined) name.compared = spellings.key(name.text);
  const found = { line, id, identity: name, input, ...(notes.length > 0 && { notes }) };
  return chosen === undefined ? found : { ...found, isAgain: true };
}

function withNames({ [FULL_NAME]: full, ...others }: Input, isReversed: boolean): Input {
  return { ...(typeof full === "string" && splitName(full, isReversed)), ...others };
}

/**
 * The number of an invoice whose series has a column of its own: `A` and `0042` are `A 0042`. A number may begin with
 * its series, but 20 does not begin with the series 2.
 */
function withSeries({ [SERIES]: series, ...others }: Input): Input {
  for (const name of ["number", "invoice_number"]) {
    const { [name]: number } = others;
    if (typeof series !== "string" || typeof number !== "string") continue;
    const hasSeries =
      number.startsWith(series) && (/\P{N}/u.test(series) || /^\P{N}/u.test(number.slice(series.length)));
    if (hasSeries) continue;
    return { ...others, [name]: `${series} ${number}` };
  }
  return others;
}

/** Whether a row names its company. With empty cells that do not clear, it leaves the company unchanged. */
export function namesCompany({ input }: Pick<ImportRow, "input">): boolean {
  return [COMPANY_ID, COMPANY_TAX_ID, COMPANY_NAME, COMPANY_EXTERNAL].some((name) => name in input);
}

/** The values of the invalid fields, shortened, by field. Fields that are stored encrypted are left out. */
export type Cells = Readonly<Record<string, string>>;

/** Characters of a rejected value that are shown. */
export const SAID = 60;

/** The values of a row's invalid fields. */
export function refusedCells(fields: FieldTable, input: Input, errors: FieldErrors): Cells {
  const hidden = new Set(encryptedFields(fields).map(({ name }) => name));
  return Object.fromEntries(
    Object.keys(errors).flatMap((name) => {
      const value = input[name];
      if (typeof value !== "string" || value === "" || hidden.has(name) || !isStorable(value)) return [];
      return [[name, shortened(value, SAID)]];
    }),
  );
}
