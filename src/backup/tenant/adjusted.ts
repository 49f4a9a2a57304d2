import { lineOf, linesOf, valuesOf } from "../../platform/postgres/copy-lines.ts";
import type { StoredTable } from "../../platform/postgres/stored-tables.ts";

/** The values of a row by column. */
export type RowValues = Record<string, string | null>;
export type Adjust = (values: RowValues) => void;

/** Rows of a table as they are to be loaded; without an adjustment as they are. */
export function adjusted(
  { columns }: StoredTable,
  rows: AsyncIterable<Buffer>,
  adjust: Adjust | undefined,
): AsyncIterable<Buffer> {
  if (adjust === undefined) return rows;
  return (async function* () {
    for await (const line of linesOf(rows)) {
      const found = valuesOf(line);
      const values = Object.fromEntries(columns.map((column, index) => [column, found[index] ?? null]));
      adjust(values);
      yield lineOf(columns.map((column) => values[column] ?? null));
    }
  })();
}
