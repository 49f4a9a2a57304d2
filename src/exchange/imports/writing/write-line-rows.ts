import { LINES_MAX } from "../../../orders/invoices/invoice.ts";
import { writeLines } from "../../../orders/invoices/write-lines.ts";
import type { Run } from "../../../platform/postgres/database.ts";
import type { RowNote } from "../cells/read-cell.ts";
import type { BatchOutcome, ImportTarget } from "../kind.ts";
import { refusedCells, type ImportRow } from "../reading/rows.ts";

/** Writes invoice lines. The stored rows that it writes are invoices. */
export async function writeLineRows(run: Run, { actor, kind }: ImportTarget, rows: ImportRow[]): Promise<BatchOutcome> {
  const inputs = rows.map(({ input }) => input);
  const { outcomes, written } = await writeLines(run, actor, inputs);
  const said = new Map<number, readonly RowNote[]>();
  const outcome: BatchOutcome = { rows: [], rejected: [], written, notes: said };
  for (const [index, { line, input, notes }] of rows.entries()) {
    const written = outcomes[index];
    if (written === undefined) throw new Error("a line has no outcome");
    switch (written.outcome) {
      case "invalid":
        outcome.rejected.push({
          line,
          errors: written.messages,
          cells: refusedCells(kind.bulk.fields, input, written.messages),
        });
        break;
      case "sent":
        outcome.rejected.push({ line, errors: {}, row: { code: "sent" } });
        break;
      case "currency": {
        const { amount, invoice } = written;
        outcome.rejected.push({
          line,
          errors: { unit_price: [] },
          row: { code: "invoiceCurrency", amount, invoice },
          cells: refusedCells(kind.bulk.fields, input, { unit_price: [] }),
        });
        break;
      }
      case "full":
        outcome.rejected.push({ line, errors: {}, row: { code: "tooManyLines", most: LINES_MAX } });
        break;
      default:
        if (notes !== undefined) said.set(line, notes);
        outcome.rows.push({ line, id: null, outcome: written.outcome });
    }
  }
  return outcome;
}
