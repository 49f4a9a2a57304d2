import fs from "node:fs/promises";
import { getSystemErrorMessage } from "node:util";
import type { Command } from "commander";
import { actingAs } from "../actor.ts";
import { importCsv, type ImportResult } from "../imports/import-csv.ts";
import { kindOf } from "../imports/kinds.ts";
import { now } from "../platform/clock.ts";
import { Refusal } from "../platform/refusal.ts";
import { tenantNamed } from "./arguments.ts";
import { describeFailure } from "./failure.ts";
import { runs, type Work } from "./run-command.ts";

const CHUNK_BYTES = 256 * 1024;
const PROGRESS_INTERVAL_MS = 250;

/** `import <kind>` (docs/operations.md 3.2). Rejected rows are reported, and do not make it a failure. */
export function registerImport(program: Command): void {
  const command = program
    .command("import")
    .description(
      "Create and update rows from a CSV file: companies, contacts, addresses, invoices, offers, deals, tickets, " +
        "subscriptions. A company of a known tax_id and an invoice of a known number are updated.",
    )
    .argument("<kind>", "what the rows are")
    .argument("<file>", "the CSV file; its first row names the columns")
    .requiredOption("--tenant <slug>", "whose they are")
    .option("--from-line <number>", "go on at this line of the file");
  runs(command, importFile);
}

const importFile: Work = async (deps, { operands: [kind = "", file = ""], options, signal }) => {
  const tenant = await tenantNamed(deps, options.tenant);
  const progress = progressOn(process.stderr);
  const result = await importCsv(deps, {
    kind: kindOf(kind),
    actor: actingAs("import", tenant),
    chunks: (await openFile(file)).createReadStream({ highWaterMark: CHUNK_BYTES }),
    fromLine: lineOf(options.fromLine),
    stop: signal,
    onProgress: progress.add,
  }).finally(progress.end);
  if (result.nextLine !== null) {
    const why = result.failure === null ? "Interrupted." : describeFailure(result.failure);
    console.error(
      `${why} What comes before line ${result.nextLine} is done; continue with --from-line ${result.nextLine}.`,
    );
    process.exitCode = 1;
  }
  const { created, updated, rejected } = result;
  return { json: { created, updated, rejected }, text: summaryOf(result) };
};

async function openFile(file: string): Promise<fs.FileHandle> {
  try {
    if ((await fs.stat(file)).isDirectory()) throw new Refusal(`${file} is a directory: name the CSV file.`);
    return await fs.open(file);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const { errno } = error as NodeJS.ErrnoException;
    const why = errno === undefined ? (error as Error).message : getSystemErrorMessage(errno);
    throw new Refusal(`${file} cannot be read: ${why}. Check the path of the CSV file.`);
  }
}

function lineOf(option: string | boolean | undefined): number {
  if (option === undefined) return 1;
  if (!/^[1-9]\d{0,14}$/.test(String(option))) throw new Refusal("--from-line must be a line number of the file.");
  return Number(option);
}

function summaryOf({ created, updated, rejected }: ImportResult): string {
  const reasons = rejected.map(({ line, errors }) => `line ${line}: ${Object.values(errors).flat().join(" ")}`);
  return [`${created} created, ${updated} updated, ${rejected.length} rejected.`, ...reasons].join("\n");
}

/** Rows so far and per second, on a terminal only. */
function progressOn(stream: NodeJS.WriteStream): { add: (rows: number) => void; end: () => void } {
  const start = now();
  let shownAt = start;
  let total = 0;
  return {
    add(rows) {
      total += rows;
      if (!stream.isTTY || now() - shownAt < PROGRESS_INTERVAL_MS) return;
      shownAt = now();
      const rate = Math.round((total * 1000) / (shownAt - start));
      stream.write(`\r${total.toLocaleString("en")} rows, ${rate.toLocaleString("en")} per second\u001b[K`);
    },
    end() {
      if (shownAt > start) stream.write("\r\u001b[K");
    },
  };
}
