import type { Writable } from "../../platform/fields/draft.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import { encryptedFields, type Input } from "../../platform/fields/fields.ts";
import { isStorable, shortened, trim } from "../../platform/text.ts";
import { COMPANY_ID, COMPANY_TAX_ID, type CsvHeader } from "./header.ts";

export type ImportRow = {
  /** The physical line where it starts. */
  line: number;
  /** The id of the row that is meant; null where it is told by its identity, if at all. */
  id: string | null;
  /** The value of the field that says which row is meant (Bulk); null where the row has none. */
  identity: string | null;
  /** The fields, as a request's body would hold them. */
  input: Input;
};

/** The row of as many cells as the header has. An empty cell is null, or nothing where it leaves what is there; a boolean may be written out. */
export function rowOf(
  { columns, clearsEmpty }: CsvHeader,
  identityField: string | null,
  line: number,
  cells: string[],
): ImportRow {
  const input: Record<string, string | boolean | null> = {};
  for (const { index, name, kind } of columns) {
    const text = trim(cells[index] ?? "");
    if (text === "" && !clearsEmpty) continue;
    input[name] = text === "" ? null : kind === "boolean" ? (booleans.get(text.toLowerCase()) ?? text) : text;
  }
  return { line, id: null, identity: askable(identityField === null ? null : input[identityField]), input };
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
export function refusedCells({ fields }: Writable, input: Input, errors: FieldErrors): Cells {
  const hidden = new Set(encryptedFields(fields).map(({ name }) => name));
  return Object.fromEntries(
    Object.keys(errors).flatMap((name) => {
      const value = input[name];
      if (typeof value !== "string" || value === "" || hidden.has(name) || !isStorable(value)) return [];
      return [[name, shortened(value, SAID)]];
    }),
  );
}

/** The value, if PostgreSQL can be asked for it, and not for another in its place. Validation refuses any other. */
export function askable(value: unknown): string | null {
  return typeof value === "string" && isStorable(value) ? value : null;
}
