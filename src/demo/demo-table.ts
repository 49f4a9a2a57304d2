import fs from "node:fs";
import path from "node:path";
import { cellsOf } from "../imports/reading/csv-row.ts";
import { importReasonIn } from "../imports/reading/reasons.ts";

/** A row of a table of the demo, by its columns: those that are empty are left out. */
export type DemoRow = Readonly<Record<string, string>>;

/** The rows of a table in data/: CSV as imports read it, each row on a line of its own. Read when the demo is made: most processes never do. */
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
