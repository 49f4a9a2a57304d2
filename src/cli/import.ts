import fs from "node:fs/promises";
import type { Command } from "commander";
import { stringify } from "csv-stringify/sync";
import type { Rejection } from "../exchange/imports/kind.ts";
import { kindOfTenant } from "../exchange/imports/kinds.ts";
import { agains, AS_DOCUMENTED, type Again } from "../exchange/imports/reading/reading.ts";
import { rowMessages } from "../exchange/imports/reasons.ts";
import { importCsv, type ImportResult } from "../exchange/imports/writing/import-csv.ts";
import { actingAs } from "../kit/actor.ts";
import { now } from "../platform/clock.ts";
import { Refusal } from "../platform/refusal.ts";
import { runsFor, type TenantWork } from "./arguments.ts";
import { describeFailure } from "./failure.ts";
import { showProgress } from "./progress.ts";

const CHUNK_BYTES = 256 * 1024;

/** `import <kind>` (docs/operations.md 3.2). Rejected rows are reported, and do not make it a failure. */
export function registerImport(program: Command): void {
  const command = program
    .command("import")
    .description(
      "Create and update rows from a CSV file: companies, contacts, addresses, invoices, invoice_lines, payments, offers, " +
        "deals, tickets, subscriptions. A company of a known tax_id and an invoice of a known number are updated, and so is a " +
        "line of a known invoice_number and position.",
    )
    .argument("<kind>", "the kind of the rows")
    .argument("<file>", "the CSV file; its first row names the columns")
    .option("--from-line <number>", "start at this line of the file")
    .option(
      "--again <what>",
      "contacts, and companies without a tax_id, that exist already: update (default), add or skip them",
    )
    .option("--rejected <file>", "write every rejected row there as CSV, with its line and its errors");
  runsFor(command, importFile);
}

const importFile: TenantWork = async (deps, tenant, { operands: [kind = "", file = ""], options, signal }) => {
  const importing = {
    kind: await kindOfTenant(tenant.id, deps.database, kind),
    actor: actingAs("import", tenant),
    fromLine: lineOf(options.fromLine),
    reading: { ...AS_DOCUMENTED, again: againOf(options.again) },
  };
  // Node ends the process when it collects an open file handle as garbage.
  await using source = await openFile(file);
  await using report = await openReport(options.rejected);
  const progress = showProgress();
  const rate = ratePerSecond();
  const result = await importCsv(deps, {
    ...importing,
    chunks: source.createReadStream({ highWaterMark: CHUNK_BYTES }),
    stop: signal,
    onProgress: (rows) => {
      rate.add(rows);
      progress.show(rate.text);
    },
    onRejected: report.add,
  }).finally(progress.end);
  if (result.nextLine !== null) {
    const why = result.failure === null ? "Interrupted." : describeFailure(result.failure);
    console.error(
      `${why} The lines before line ${result.nextLine} are done; continue with --from-line ${result.nextLine}.`,
    );
    process.exitCode = 1;
  }
  const { created, updated, again, rejected, rejectedCount } = result;
  const more = rejectedCount > rejected.length ? { rejected_count: rejectedCount } : {};
  const reported = rejected.map((rejection) => ({ line: rejection.line, errors: rowMessages(rejection) }));
  const known = again > 0 ? { there_already: again } : {};
  return { json: { created, updated, rejected: reported, ...known, ...more }, text: summaryOf(result) };
};

async function openFile(file: string): Promise<fs.FileHandle> {
  if ((await fs.stat(file)).isDirectory()) throw new Refusal(`${file} is a directory: name the CSV file.`);
  return await fs.open(file);
}

function lineOf(option: string | boolean | undefined): number {
  if (option === undefined) return 1;
  if (!/^[1-9]\d{0,14}$/.test(String(option))) throw new Refusal("--from-line must be a line number of the file.");
  return Number(option);
}

function againOf(option: string | boolean | undefined): Again {
  const again = agains.find((one) => one === (option ?? "update"));
  if (again === undefined) throw new Refusal("--again must be update, add or skip.");
  return again;
}

function summaryOf(result: ImportResult): string {
  const { created, updated, unchanged, again, unknownIds, rejected, rejectedCount } = result;
  const more = rejectedCount - rejected.length;
  const asTheyWere = unchanged > 0 ? ` (${unchanged} unchanged)` : "";
  return [
    `${created} created, ${updated} updated${asTheyWere}, ${rejectedCount} rejected.`,
    ...(again > 0 ? [`There already, by name or e-mail address: ${again}.`] : []),
    ...(unknownIds > 0 ? [`Ids that mean no or another record here, and were ignored: ${unknownIds}.`] : []),
    ...rejected.map((rejection) => `line ${rejection.line}: ${textOf(rejection)}`),
    ...(more > 0 ? [`... and ${more} more; --rejected FILE writes all of them.`] : []),
  ].join("\n");
}

function textOf(rejection: Rejection): string {
  return Object.values(rowMessages(rejection)).flat().join(" ");
}

type Report = { add: (rejected: readonly Rejection[]) => Promise<void>; [Symbol.asyncDispose]: () => Promise<void> };

/** The file of all rejected rows. An existing file is not overwritten: it may be an earlier run's. */
async function openReport(file: string | boolean | undefined): Promise<Report> {
  if (file === undefined) return { async add() {}, async [Symbol.asyncDispose]() {} };
  const handle = await fs.open(String(file), "wx").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
    throw new Refusal(`${String(file)} already exists. Name another file for the rejected rows.`);
  });
  const write = async (rows: (string | number)[][]) => void (await handle.write(stringify(rows)));
  await write([["line", "messages"]]);
  return {
    async add(rejected) {
      if (rejected.length > 0) await write(rejected.map((rejection) => [rejection.line, textOf(rejection)]));
    },
    [Symbol.asyncDispose]: async () => await handle.close(),
  };
}

/** Counts rows; `text` has their number so far and per second. */
function ratePerSecond(): { add: (rows: number) => void; text: () => string } {
  const start = now();
  let total = 0;
  return {
    add: (rows) => void (total += rows),
    text() {
      const rate = Math.round((total * 1000) / Math.max(1, now() - start));
      return `${total.toLocaleString("en")} rows, ${rate.toLocaleString("en")} per second`;
    },
  };
}
