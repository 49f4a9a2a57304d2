import { LINES_MAX } from "../../invoices/invoice.ts";
import { writeLines } from "../../invoices/write-lines.ts";
import type { Run } from "../../platform/postgres/database.ts";
import type { BatchOutcome, ImportTarget } from "../kind.ts";
import { refusedCells, type ImportRow } from "../reading/rows.ts";

/** Writes invoice lines. The stored rows that it writes are invoices. */
export async function writeLineRows(run: Run, { actor, kind }: ImportTarget, rows: ImportRow[]): Promise<BatchOutcome> {
  const inputs = rows.map(({ input }) => input);
  const { outcomes, written } = await writeLines(run, actor, inputs);
  const outcome: BatchOutcome = { rows: [], rejected: [], written };
  for (const [index, { line, input }] of rows.entries()) {
    const told = outcomes[index];
    if (told === undefined) throw new Error("a line has no outcome");
    switch (told.outcome) {
      case "invalid":
        outcome.rejected.push({
          line,
          errors: told.messages,
          cells: refusedCells(kind.bulk.fields, input, told.messages),
        });
        break;
      case "sent":
        outcome.rejected.push({ line, errors: {}, row: { code: "sent" } });
        break;
      case "full":
        outcome.rejected.push({ line, errors: {}, row: { code: "tooManyLines", most: LINES_MAX } });
        break;
      default:
        outcome.rows.push({ line, id: null, outcome: told.outcome });
    }
  }
  return outcome;
}
