import type { BulkRows } from "../../platform/fields/bulk.ts";
import { encryptedFields, type FieldTable, type Input } from "../../platform/fields/fields.ts";
import { asChecked, type FieldErrors } from "../../platform/fields/validation.ts";
import { askable, comparable, isStorable, shortened, trim } from "../../platform/text.ts";
import { readTyped } from "../../web/forms/typed.ts";
import { COMPANY_ID, COMPANY_TAX_ID, type CsvHeader } from "./header.ts";

export type ImportRow = {
  /** The physical line where it starts. */
  line: number;
  /** The id of the row that is meant; null where it is told by its identity, if at all. */
  id: string | null;
  /** The field that says which row is meant (Bulk); null where the row has none that could be stored. */
  identity: RowName | null;
  /** The fields, as a request's body would hold them. */
  input: Input;
};

/** A text by which a row means a row of the database: as it was sent, and one for all that the database may take for the same. */
export type RowName = { text: string; compared: string };

/** The text of a field as a name; null where the row has none there, or one that no row of the database can have. */
export function nameIn(fields: FieldTable, field: string | undefined, input: Input): RowName | null {
  if (field === undefined) return null;
  const max = fields.find(({ name }) => name === field)?.max;
  if (max === undefined) throw new Error(`rows cannot be named by ${field}, which has no max`);
  const text = askable(asChecked(input[field]), max);
  const compared = text === null ? null : comparable(text, max);
  return text === null || compared === null ? null : { text, compared };
}

/**
 * The row of as many cells as the header has. An empty cell is null, or nothing where it leaves what is there; a boolean may be written
 * out. A number with two readings makes it none.
 */
export function rowOf(
  { columns, clearsEmpty, language }: CsvHeader,
  { fields, identity }: Pick<BulkRows, "fields" | "identity">,
  line: number,
  cells: string[],
): ImportRow | { line: number; errors: FieldErrors; cells: Cells } {
  const input: Record<string, string | boolean | null> = {};
  for (const { index, name, kind } of columns) {
    const text = trim(cells[index] ?? "");
    if (text === "" && !clearsEmpty) continue;
    input[name] = text === "" ? null : kind === "boolean" ? (booleans.get(text.toLowerCase()) ?? text) : text;
  }
  const read = language === null ? { input, errors: null } : readTyped(columns, input, language);
  if (read.errors !== null) return { line, errors: read.errors, cells: refusedCells(columns, input, read.errors) };
  return { line, id: null, identity: nameIn(fields, identity?.field, read.input), input: read.input };
}

/** Whether a row says which company it is of: it leaves that as it is where its cells are empty, and do not clear. */
export function namesCompany({ input }: Pick<ImportRow, "input">): boolean {
  return COMPANY_ID in input || COMPANY_TAX_ID in input;
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

/** The beginnings of the texts that a row has in the fields that were refused, by field; never those that are stored encrypted. */
export type Cells = Readonly<Record<string, string>>;

/** Characters of a refused value that are said again. */
export const SAID = 60;

/** The texts of a row in the fields that were refused. */
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
