import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { startCandidates, type Candidate } from "./candidates/candidates.ts";
import { startCompared } from "./candidates/other-commit.ts";
import { residentMegabytes } from "./candidates/process-usage.ts";
import { openPlace } from "./candidates/seeded-place.ts";
import { citusFigures, FULL_CITUS, QUICK_CITUS } from "./figures/citus-cost.ts";
import { fieldFigures, FULL_FIELDS, QUICK_FIELDS } from "./figures/custom-fields.ts";
import { feedFigures, FULL_FEED, QUICK_FEED } from "./figures/feed-speed.ts";
import type { Figure } from "./figures/figure.ts";
import { growthFigures } from "./figures/growth-with-size.ts";
import { idFigures } from "./figures/ids-and-external-ids.ts";
import { FULL_IMPORTS, importBesideOthersFigures, QUICK_IMPORTS } from "./figures/import-beside-others.ts";
import { importFigures } from "./figures/import-speed.ts";
import { runRounds, type Series } from "./figures/interleaved-rounds.ts";
import { invoiceWriteFigures } from "./figures/invoice-writes.ts";
import { FULL_QUEUE, jobFigures, QUICK_QUEUE } from "./figures/job-speed.ts";
import { keyAndBatchFigures } from "./figures/keys-and-batches.ts";
import { knownTagFigure } from "./figures/known-tags.ts";
import { soakFigures } from "./figures/memory-soak.ts";
import { FULL_MONEY, moneyFigures, QUICK_MONEY } from "./figures/money-time.ts";
import { FULL_OVERLOAD, overloadFigures, QUICK_OVERLOAD } from "./figures/overload.ts";
import { pageFigures } from "./figures/page-time.ts";
import { searchAndImportFigures } from "./figures/search-and-import-beside.ts";
import { severalProcessesFigures } from "./figures/several-processes.ts";
import { sharesOfShow } from "./figures/shares-of-show.ts";
import { spentOf } from "./figures/spent.ts";
import { startFigure } from "./figures/start-time.ts";
import { doorFigures, FULL_DOORS, QUICK_DOORS } from "./figures/strangers-at-doors.ts";
import { throughputFigures } from "./figures/throughput-goals.ts";
import { FULL_WEBHOOKS, QUICK_WEBHOOKS, webhookFigures } from "./figures/webhook-speed.ts";
import { measureNeighbours } from "./neighbours/bad-neighbours.ts";
import { neighbourFigures } from "./neighbours/spell.ts";
import { USAGE, readOptions, type Options } from "./options.ts";
import { neighbourHeader, spellLine } from "./report/neighbour-table.ts";
import { appendResults } from "./report/results-file.ts";
import { budgetLines, figureLines, headerOf, seriesLine } from "./report/tables.ts";
import { dataDirectory } from "./tenants/data-directory.ts";
import type { SeededTenant } from "./tenants/seed.ts";

process.env.NODE_ENV = "production";
const options = parse();
const isAlone =
  options.jobs ||
  options.imports ||
  options.feed ||
  options.webhooks ||
  options.doors ||
  options.fields ||
  options.money ||
  options.overload ||
  options.citus;
const isTemporary = options.quick || isAlone;
const dataDir = isTemporary ? temporaryDirectory() : dataDirectory(options.neighbours ? "bad-neighbours" : "full");
const began = performance.now();
/** The milliseconds between two lines of progress in a file. */
const QUIET_MS = 10_000;
let lastProgress = -QUIET_MS;
try {
  if (isAlone) await runAlone(options);
  else await (options.neighbours ? runNeighbours(options) : run(options));
} finally {
  if (isTemporary) fs.rmSync(dataDir, { recursive: true, force: true });
}

async function run(options: Options): Promise<void> {
  const { place, close } = await openPlace(dataDir, options, progress);
  const { tenants, owner } = place;
  const largest = tenants.get(Math.max(...options.sizes)) as SeededTenant;

  const { candidates, generator } = await startCandidates(place, options, progress);
  const figures: Figure[] = [];
  let series: Series[] = [];
  try {
    if (options.compare !== null) candidates.push(await startCompared(options, place, generator, progress));
    if (options.compare === null && !options.usualWay && !options.pages && !options.budget)
      print("The usual way is left out: its packages are not the product's.");
    let size = 0;
    series = await runRounds(candidates, options, progress, (finished) => {
      if (finished.size !== size) print(headerOf(finished.size));
      size = finished.size;
      print(seriesLine(finished));
    });
    if (!options.quick && !options.pages && !options.budget) figures.push(...throughputFigures(series));
    const spent = spentOf(series);
    if (spent.length > 0) print(budgetLines(spent));
    if (options.budget && !options.quick && spent.some(({ isAbove }) => isAbove)) process.exitCode = 1;
    const [product] = candidates as [Candidate];
    if (options.pages) {
      for (const tenant of tenants.values()) figures.push(...(await pageFigures(product, owner, tenant, progress)));
    }
    const first = tenants.get(options.sizes[0] ?? 0) as SeededTenant;
    if (options.figures) {
      progress("vacuum");
      // What the rounds left is autovacuum's to tidy; the figures do not wait until it comes.
      await owner.query("vacuum companies");
      figures.push(...(await growthFigures(product, options.sizes, progress)));
      figures.push(...(await searchAndImportFigures(product, options.sizes, progress)));
      figures.push(...(await severalProcessesFigures(product, first, progress)));
      figures.push(...(await keyAndBatchFigures(product, first, progress)));
      figures.push(...(await idFigures(product, first, progress)));
      progress("look-ups of what the caller has");
      figures.push(await knownTagFigure(product, first));
      progress("a profile");
      figures.push(...(await sharesOfShow(place, first)));
    }
    if (options.long) {
      figures.push(...(await soakFigures(product, first, options.soakMinutes, progress)));
      figures.push(...(await importFigures(place, options.rows, progress)));
    }
    figures.push({
      name: "server's memory at the end",
      value: residentMegabytes(product.pid),
      unit: "MB",
      atMost: 200,
    });
  } finally {
    await generator.stop();
    for (const { stop } of candidates) await stop();
    await close();
  }
  if (options.figures) {
    progress("starting");
    figures.push(await startFigure(dataDir, largest));
  }
  print(figureLines(figures));
  if (options.json) print(`\nappended to ${appendResults({ series, figures }, options)}`);
}

async function runNeighbours(options: Options): Promise<void> {
  print(neighbourHeader());
  const spells = await measureNeighbours(dataDir, options, progress, (spell) => print(spellLine(spell)));
  const figures = neighbourFigures(spells);
  print(figureLines(figures));
  if (options.json) print(`\nappended to ${appendResults({ figures, neighbours: spells }, options)}`);
}

/** Figures that need a database of their own and nothing else. */
async function runAlone(options: Options): Promise<void> {
  const { quick, jobs, imports, feed, webhooks, doors, fields, money, overload, citus } = options;
  const figures: Figure[] = [];
  if (jobs) figures.push(...(await jobFigures(dataDir, quick ? QUICK_QUEUE : FULL_QUEUE, progress)));
  if (imports)
    figures.push(...(await importBesideOthersFigures(dataDir, quick ? QUICK_IMPORTS : FULL_IMPORTS, progress)));
  if (feed) figures.push(...(await feedFigures(dataDir, options, quick ? QUICK_FEED : FULL_FEED, progress)));
  if (feed || webhooks)
    figures.push(...(await webhookFigures(dataDir, quick ? QUICK_WEBHOOKS : FULL_WEBHOOKS, progress)));
  if (fields) figures.push(...(await fieldFigures(dataDir, quick ? QUICK_FIELDS : FULL_FIELDS, progress)));
  if (money && options.compare !== null) figures.push(...(await invoiceWriteFigures(options, progress)));
  else if (money) figures.push(...(await moneyFigures(dataDir, quick ? QUICK_MONEY : FULL_MONEY, progress)));
  if (overload)
    figures.push(...(await overloadFigures(dataDir, options, quick ? QUICK_OVERLOAD : FULL_OVERLOAD, progress)));
  if (doors) figures.push(...(await doorFigures(dataDir, quick ? QUICK_DOORS : FULL_DOORS, progress)));
  if (citus) figures.push(...(await citusFigures(dataDir, quick ? QUICK_CITUS : FULL_CITUS, progress)));
  print(figureLines(figures));
  if (options.json) print(`\nappended to ${appendResults({ figures }, options)}`);
}

function parse(): Options {
  if (process.argv.includes("--help")) {
    print(USAGE);
    process.exit(0);
  }
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}\n`);
    process.exit(2);
  }
}

/** Where PostgreSQL's own account can reach it when root runs the benchmark. */
function temporaryDirectory(): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-bench-"));
  fs.chmodSync(directory, 0o755);
  return directory;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Apart from the results, which may go to a file. On a terminal it overwrites itself. */
function progress(message: string): void {
  const line = `[${Math.round((performance.now() - began) / 1_000)} s] ${message}`;
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${line}\r`);
  else if (performance.now() > lastProgress + QUIET_MS) {
    lastProgress = performance.now();
    process.stderr.write(`${line}\n`);
  }
}
