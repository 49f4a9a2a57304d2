import { writeLines } from "../../invoices/write-lines.ts";
import type { Run } from "../../platform/postgres/database.ts";
import type { BatchOutcome, ImportTarget, Rejection } from "../kind.ts";
import { refusedCells, type ImportRow } from "../reading/rows.ts";

/** Writes invoices' lines. The rows that this writes are their invoices. */
export async function writeLineRows(run: Run, { actor, kind }: ImportTarget, rows: ImportRow[]): Promise<BatchOutcome> {
  const inputs = rows.map(({ input }) => input);
  const { outcomes, written } = await writeLines(run, actor, inputs);
  const rejected: Rejection[] = [];
  let [created, updated, unchanged] = [0, 0, 0];
  for (const [index, line] of outcomes.entries()) {
    if (line.outcome === "created") created++;
    else if (line.outcome === "invalid") {
      const { line: at = 0, input = {} } = rows[index] ?? {};
      rejected.push({ line: at, errors: line.messages, cells: refusedCells(kind.bulk, input, line.messages) });
    } else updated++;
    if (line.outcome === "unchanged") unchanged++;
  }
  return { created, updated, unchanged, rejected, written };
}
