import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import { exportCsv } from "../imports/export-csv.ts";
import { kindOf } from "../imports/kinds.ts";
import { tenantNamed } from "./arguments.ts";
import { runs, type Work } from "./run-command.ts";

/** `export <kind>` (docs/operations.md 3.2): CSV on standard output. */
export function registerExport(program: Command): void {
  const command = program
    .command("export")
    .description(
      "Write rows to standard output as CSV that import reads: companies, contacts, addresses, invoices, invoice_lines, offers, " +
        "deals, tickets, subscriptions.",
    )
    .argument("<kind>", "what the rows are")
    .requiredOption("--tenant <slug>", "whose they are");
  runs(command, exportRows);
}

const exportRows: Work = async (deps, { operands: [kind = ""], options, signal }) => {
  const tenant = await tenantNamed(deps, options.tenant);
  try {
    await pipeline(exportCsv(deps, tenant.id, kindOf(kind)), process.stdout, { end: false, signal });
  } catch (error) {
    // The reader of the pipe has had enough: `| head`.
    if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
  }
  return null;
};
