import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { isReached, type Figure } from "../figures/figure.ts";
import { medianSample, ratioTo, type Series } from "../figures/interleaved-rounds.ts";
import type { Spell } from "../neighbours/spell.ts";
import type { Options } from "../options.ts";
import { ROOT } from "../tenants/data-directory.ts";

const RATIOS = { ideal: "ideal", limit: "limit", usualWay: "usual way", compared: "compared" } as const;

/** What a run measured: the candidates' rounds, or what a bad neighbour's neighbour noticed. */
export type Results = { series?: Series[]; figures: Figure[]; neighbours?: Spell[] };

/** One line per run, so that runs can be put side by side later. */
export function appendResults(
  { series = [], figures, neighbours }: Results,
  { rounds, seconds, compare, rate }: Options,
): string {
  const file = path.join(ROOT, "bench", "results.ndjson");
  const git = (...parameters: string[]) => execFileSync("git", parameters, { cwd: ROOT, encoding: "utf8" }).trim();
  const run = {
    at: new Date().toISOString(),
    commit: git("rev-parse", "--short", "HEAD"),
    changed: git("status", "--porcelain", "src", "migrations") !== "",
    compared: compare,
    machine: {
      cpu: os.cpus()[0]?.model,
      cores: os.availableParallelism(),
      memoryGigabytes: Math.round(os.totalmem() / 2 ** 30),
      node: process.version,
      load: os.loadavg()[0],
    },
    rounds,
    seconds,
    series: series.map((one) => ({
      scenario: one.scenario,
      size: one.size,
      medians: Object.fromEntries(Object.entries(one.samples).map(([name, samples]) => [name, medianSample(samples)])),
      ratios: Object.fromEntries(Object.entries(RATIOS).map(([name, other]) => [name, ratioTo(one, other)])),
    })),
    ...(neighbours === undefined ? {} : { rate, neighbours }),
    figures: figures.map((figure) => ({ ...figure, reached: isReached(figure) })),
  };
  const rounded = (_key: string, value: unknown) => (typeof value === "number" ? Number(value.toPrecision(5)) : value);
  fs.appendFileSync(file, `${JSON.stringify(run, rounded)}\n`);
  return path.relative(ROOT, file);
}
