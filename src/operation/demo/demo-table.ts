import fs from "node:fs";
import path from "node:path";
import { cellsOf } from "../../exchange/imports/reading/csv-row.ts";
import { importReasonIn } from "../../exchange/imports/reasons.ts";

/** A row of a demo table by column; empty values are left out. */
export type DemoRow = Readonly<Record<string, string>>;

/**
 * The rows of a table in data/: CSV in the format of imports, one row per line. Read only when the demo is created,
 * because most processes never need it.
 */
export function demoTable(name: string): DemoRow[] {
  const text = fs.readFileSync(path.join(import.meta.dirname, "data", `${name}.csv`), "utf8");
  const [columns = [], ...rows] = text.trimEnd().split("\n").map(cells);
  return rows.map((row) => Object.fromEntries(columns.flatMap((column, at) => (row[at] ? [[column, row[at]]] : []))));
}

function cells(line: string): string[] {
  const row = cellsOf(line, ",");
  if ("complaint" in row) throw new Error(`${importReasonIn("en", row.complaint)} ${line}`);
  return row.cells;
}
