import fs from "node:fs/promises";
import type { Command } from "commander";
import { mergedCompanies } from "../customers/companies/merged-queries.ts";
import { readCsv } from "../exchange/imports/reading/csv-reader.ts";
import type { CsvRow } from "../exchange/imports/reading/csv-row.ts";
import { FileRefusal, importReasonIn } from "../exchange/imports/reasons.ts";
import { kindCounts } from "../exchange/merging/merge-sentences.ts";
import { merge, type Moved } from "../exchange/merging/merge.ts";
import { mergeableCompany } from "../exchange/merging/mergeable-noun.ts";
import { actingAs, type Actor } from "../kit/actor.ts";
import type { Deps } from "../kit/deps.ts";
import { sentences } from "../kit/errors.ts";
import { trying } from "../kit/tried-writes.ts";
import { fieldMessages } from "../platform/fields/field-reasons.ts";
import { isId } from "../platform/ids.ts";
import { shortened, trim } from "../platform/text.ts";
import { runsFor, type TenantWork } from "./arguments.ts";
import { showProgress } from "./progress.ts";
import type { Output } from "./run-command.ts";

const COLUMNS = ["keep", "from"] as const;
/** Code points of a wrong id in a message. */
const SHOWN = 40;

type Pair = { line: number; keep: string; from: string };
type Rejected = { outcome: "rejected"; errors: Record<string, string[]> };
type Outcome = { outcome: "merged"; merge_id: number | null; moved: Moved } | { outcome: "unchanged" } | Rejected;
type Reported = Pair & Outcome;

/** `merge` (docs/operations.md 3.2). A pair that was merged before is unchanged, so that a file can be run again. */
export function registerMerge(program: Command): void {
  const command = program
    .command("merge")
    .description("Merge companies that are the same. Each line of a CSV file names the one to keep, and the other.")
    .argument("<file>", "the CSV file with the columns keep and from: ids of companies")
    .option("--dry-run", "only say what each line would do");
  runsFor(command, mergeFile);
}

const mergeFile: TenantWork = async (deps, tenant, { operands: [file = ""], options, signal }) => {
  const actor = actingAs("command", tenant);
  // A dry run notes what it would merge away: the real run rejects later lines that name it.
  const dry = options.dryRun === true ? new Map<string, string>() : null;
  await using source = await fs.open(file);
  const progress = showProgress();
  const lines: Reported[] = [];
  try {
    for await (const row of pairsOf(source.createReadStream())) {
      if (signal.aborted) {
        console.error(`Interrupted before line ${row.line}. Run the file again: what is merged stays so.`);
        process.exitCode = 1;
        break;
      }
      lines.push({ ...row, ...("errors" in row ? row : await mergePair(deps, actor, row, dry)) });
      progress.show(() => `${lines.length} lines`);
    }
  } finally {
    progress.end();
  }
  return outputOf(lines, dry !== null);
};

/** The pairs of a file. Throws FileRefusal for a file without the columns. */
async function* pairsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Pair | (Pair & Rejected)> {
  let places: number[] | null = null;
  for await (const rows of readCsv(chunks, async () => {})) {
    for (const row of rows) {
      if (places === null) places = placesIn(row);
      else if ("complaint" in row) {
        yield { line: row.line, keep: "", from: "", ...rejected("row", importReasonIn("en", row.complaint)) };
      } else if (row.cells.length > 0) {
        const [keep = "", from = ""] = places.map((place) => trim(row.cells[place] ?? ""));
        yield { line: row.line, keep, from };
      }
    }
  }
  if (places === null) throw new FileRefusal({ code: "empty" });
}

function placesIn(row: CsvRow): number[] {
  const names = "cells" in row ? row.cells.map((cell) => trim(cell).toLowerCase()) : [];
  const missing = COLUMNS.find((name) => !names.includes(name));
  if (missing !== undefined) throw new FileRefusal({ code: "columnMissing", columns: [missing] });
  return COLUMNS.map((name) => names.indexOf(name));
}

/** @param dry the companies that a dry run has merged away so far, each with the one that it went into */
async function mergePair(
  deps: Deps,
  actor: Actor,
  { keep, from }: Pair,
  dry: Map<string, string> | null,
): Promise<Outcome> {
  if (!isId(keep)) return rejected("keep", wrongId(keep));
  if (!isId(from)) return rejected("from", wrongId(from));
  const into = async (id: string) =>
    dry?.get(id) ?? (await mergedCompanies.into(actor.tenant, deps.database, id)) ?? id;
  const [keptAs, goneInto] = [await into(keep), await into(from)];
  if (keep !== from && keptAs === goneInto) return { outcome: "unchanged" };
  if (keptAs !== keep) return rejected("keep", `Company ${keep} was merged into ${keptAs}.`);
  if (goneInto !== from) return rejected("from", `Company ${from} was merged into ${goneInto}.`);
  const pair = { kept: keep, from, choices: {}, expected: null };
  const merged = await merge(dry === null ? deps : trying(deps), actor, mergeableCompany, pair);
  switch (merged.outcome) {
    case "merged":
      dry?.set(from, keep);
      return { outcome: "merged", merge_id: dry === null ? Number(merged.mergeId) : null, moved: merged.moved };
    case "invalid":
      return { outcome: "rejected", errors: fieldMessages(merged.messages) };
    default:
      return rejected("keep", sentences.missing("Company", keep));
  }
}

function wrongId(text: string): string {
  return text === "" ? "The id of a company is missing." : `"${shortened(text, SHOWN)}" is not the id of a company.`;
}

function rejected(column: string, message: string): Rejected {
  return { outcome: "rejected", errors: { [column]: [message] } };
}

function outputOf(lines: readonly Reported[], isDry: boolean): Output {
  const count = (outcome: Reported["outcome"]) => lines.filter((line) => line.outcome === outcome).length;
  const counts = { merged: count("merged"), unchanged: count("unchanged"), rejected: count("rejected") };
  const verb = isDry ? "would be merged" : "merged";
  const summary = `${counts.merged} ${verb}, ${counts.unchanged} merged before, ${counts.rejected} rejected.`;
  return { json: { ...counts, lines }, text: [summary, ...lines.map((line) => textOf(line, verb))].join("\n") };
}

function textOf(reported: Reported, verb: string): string {
  const { line, keep, from } = reported;
  if (reported.outcome === "rejected") return `line ${line}: ${Object.values(reported.errors).flat().join(" ")}`;
  if (reported.outcome === "unchanged") return `line ${line}: ${from} was merged into ${keep} before.`;
  const moved = kindCounts(reported.moved);
  const merge = reported.merge_id === null ? "" : ` (merge ${reported.merge_id})`;
  const what = moved === "" ? "" : `, with ${moved}`;
  return `line ${line}: ${from} ${verb} into ${keep}${merge}${what}.`;
}
