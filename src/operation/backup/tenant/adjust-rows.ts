import { lineOf, linesOf, valuesOf } from "../../../platform/postgres/copy-lines.ts";
import type { StoredTable } from "../../../platform/postgres/stored-tables.ts";

/** The values of a row by column. */
export type RowValues = Record<string, string | null>;
export type Adjust = (values: RowValues) => void;

/** The rows of a table as they are loaded; without an adjustment they are unchanged. */
export function adjustRows(
  { name, columns }: StoredTable,
  rows: AsyncIterable<Buffer>,
  adjust: Adjust | undefined,
): AsyncIterable<Buffer> {
  if (adjust === undefined) return rows;
  return (async function* () {
    for await (const line of linesOf(name, rows)) {
      const found = valuesOf(line);
      const values = Object.fromEntries(columns.map((column, index) => [column, found[index] ?? null]));
      adjust(values);
      yield lineOf(columns.map((column) => values[column] ?? null));
    }
  })();
}

/** Reads PostgreSQL's boolean, in its own format or cast to text. */
export function isTrue(value: string | null | undefined): boolean {
  return value === "t" || value === "true";
}
