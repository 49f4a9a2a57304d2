import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import fc from "fast-check";
import type { Connection } from "../../src/platform/postgres/database.ts";
import { globalSetup, globalTeardown } from "../global-setup.ts";
import { filesOf, testFiles } from "../together.ts";
import { LOADED, wasRun } from "./coverage.ts";
import { Kept, score, type Baseline } from "./kept.ts";
import { mutantsOf, type Mutant } from "./mutants.ts";
import { roomOf, ROOMS, type Room } from "./rooms.ts";
import { runTests, tryMutant, withRightTypes, type Group, type Trial } from "./trial.ts";

/**
 * `npm run test:mutation [ROOM...]`: changes one place of a room after the other, in a copy of the checkout, and runs
 * the room's tests on each change. Prints the changes that no test notices. A room is a path below src/, as in
 * `people/sessions`, or `functions`. A run that was ended goes on where it was.
 */
const {
  values: { count, seed, minutes, slow, within, kept: folder, only },
  positionals,
} = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    /** No mutant begins after them. */
    minutes: { type: "string", default: "600" },
    /** The slow tests of the room too. */
    slow: { type: "boolean", default: false },
    /** A command that runs each process of tests, as in `nice -n 19`. */
    within: { type: "string", default: "" },
    /** The folder of baselines and results. The score counts all results in it. */
    kept: { type: "string", default: "node_modules/.cache/mutants" },
    /** Mutants whose `file:line` this expression matches. */
    only: { type: "string", default: "" },
  },
});
const command = within.split(" ").filter((word) => word !== "");
const ROOT = path.join(import.meta.dirname, "../..");
const LEFT_OUT = new Set(["node_modules", ".git", "data"]);
/** The time of a mutant's tests, beside that of the tests without it. */
const [TIMES, MORE_MS] = [3, 30_000];
/** Mutants in the sample beside those that are tried: some are invalid. */
const MORE_TIMES = 2;
const BASELINE_MS = 1_800_000;
/** The test files that run with others. */
const together = new Set(
  testFiles()
    .entries.flatMap(filesOf)
    .map((file) => path.relative(ROOT, file)),
);
const deadline = performance.now() + Number(minutes) * 60_000;
/** Test files that fail without a mutant. */
const failing = new Set<string>();

/** The checkout as it is now: it may change during the run. */
const copy = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-mutants-"));
const kept = new Kept(copy, path.resolve(ROOT, folder));
const removeAll = async () => {
  await globalTeardown();
  fs.rmSync(copy, { recursive: true, force: true });
};
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void removeAll().finally(() => process.exit(1)));
}
await globalSetup();
try {
  copyCheckout();
  const cluster = JSON.parse(process.env.LIAISON_TEST_CLUSTER ?? "null") as Connection;
  for (const name of positionals.length === 0 ? ROOMS : positionals) await tryRoom(roomOf(copy, name), cluster);
} finally {
  await removeAll();
}
console.log(score(kept.results));
process.exitCode = kept.results.some(({ outcome }) => outcome === "survived") ? 1 : 0;

async function tryRoom(room: Room, cluster: Connection): Promise<void> {
  const all = room.sources.flatMap((file) => mutantsOf(copy, file));
  const chosen = all.filter((mutant) => new RegExp(only).test(`${mutant.file}:${lineOf(mutant)}`));
  const [order = []] = fc.sample(fc.shuffledSubarray(chosen, { minLength: chosen.length }), {
    seed: Number(seed),
    numRuns: 1,
  });
  const sample = order.slice(0, Number(count) * MORE_TIMES);
  const left = sample.filter((mutant) => kept.resultOf(mutant) === undefined);
  const right = withRightTypes(copy, left);
  for (const mutant of sample) {
    const ofRoom = kept.resultsOf(sample).filter(({ outcome }) => outcome !== "types" && outcome !== "invalid");
    if (ofRoom.length >= Number(count) || performance.now() > deadline) break;
    if (kept.resultOf(mutant) !== undefined) continue;
    const begun = performance.now();
    const trial = right.has(mutant)
      ? await tryOne(room, mutant, cluster)
      : { outcome: "types" as const, file: "", by: "" };
    const { outcome, file, by } = trial;
    const took = Math.round((performance.now() - begun) / 1_000);
    kept.note({ ...mutant, line: lineOf(mutant), outcome, test: file, by, seconds: took });
    if (outcome === "types" || outcome === "invalid") continue;
    const what = `${mutant.file}:${lineOf(mutant)} ${excerpt(mutant.from)} → ${excerpt(mutant.to)}`;
    console.log(`${outcome} ${what} (${took} s) ${file}: ${by}`);
  }
  console.log(`${room.name}, ${chosen.length} mutants: ${score(kept.resultsOf(sample))}`);
}

async function tryOne(room: Room, mutant: Mutant, cluster: Connection): Promise<Trial> {
  const tests = room.tests(mutant.file).filter((each) => slow || !each.endsWith(".slow.ts"));
  const known = await baselineOf(room, tests, cluster);
  const sound = tests.filter((each) => !failing.has(each));
  const files = filesThatRun(mutant, sound, known);
  const most = () => TIMES * 1_000 * files.reduce((sum, file) => sum + (known.get(file)?.seconds ?? 0), 0) + MORE_MS;
  for (;;) {
    const mostMs = most();
    const groups = groupsOf(mutant.file, files, known);
    const trial = await tryMutant(copy, mutant, { groups, cluster, mostMs, within: command });
    if (trial.outcome !== "slow") return trial;
    // The machine may have more to do than when the tests ran without a mutant: they run so again, now.
    const now = await runTests(copy, { groups, cluster, mostMs: BASELINE_MS, within: command });
    for (const [file, seconds] of now.seconds) known.set(file, { ...known.get(file), seconds });
    kept.keepBaselines(room, known);
    if (now.outcome !== "survived" || most() < 1.5 * mostMs) return trial;
  }
}

/** What is known of tests without a mutant. Those that fail without one are left out. */
async function baselineOf(room: Room, files: string[], cluster: Connection): Promise<Map<string, Baseline>> {
  const known = kept.baselinesOf(room, [LOADED, ...files]);
  for (;;) {
    const unknown = files.filter((file) => !known.has(file) && !failing.has(file));
    if (unknown.length === 0) return known;
    const { outcome, by, file, seconds, ran } = await runTests(copy, {
      groups: groupsOf("", unknown, known),
      cluster,
      mostMs: BASELINE_MS,
      within: command,
      watched: room.sources.filter((source) => source.endsWith(".ts")),
    });
    for (const each of [LOADED, ...seconds.keys()]) {
      const own = ran.get(each);
      if (each !== LOADED || own !== undefined) known.set(each, { seconds: seconds.get(each) ?? 0, ran: own });
    }
    if (outcome !== "survived") {
      console.log(`${room.name}: a test file fails without a mutant and is left out (${outcome}): ${file}: ${by}`);
      failing.add(file);
    }
    kept.keepBaselines(room, known);
  }
}

/** The test files that run a mutant. What is run as a file is loaded, as a table of fields, may matter to all. */
function filesThatRun({ file, at }: Mutant, tests: readonly string[], known: Map<string, Baseline>): readonly string[] {
  if (!file.endsWith(".ts") || wasRun(known.get(LOADED)?.ran?.[file], at)) return tests;
  return tests.filter((test) => {
    const own = known.get(test)?.ran;
    return own === undefined || wasRun(own[file], at);
  });
}

/** Files that noticed other mutants of the source file come first, then quick ones. */
function groupsOf(source: string, files: readonly string[], known: Map<string, Baseline>): Group[] {
  const rank = (file: string) => (known.get(file)?.seconds ?? 0) / (1 + kept.kills(source, file)) ** 4;
  const sorted = files.toSorted((one, other) => rank(one) - rank(other));
  const grouped = Map.groupBy(sorted, (file) => (together.has(file) ? "" : file));
  const first = (group: Group) => rank(group.files[0] ?? "");
  return [...grouped]
    .map(([entry, own]) => ({ together: entry === "", files: own }))
    .toSorted((one, other) => first(one) - first(other));
}

function copyCheckout(): void {
  for (const name of fs.readdirSync(ROOT)) {
    if (!LEFT_OUT.has(name)) fs.cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
  }
  fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"));
  // Some tests run as a user of their own.
  fs.chmodSync(copy, 0o755);
}

function excerpt(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return JSON.stringify(line.length > 80 ? `${line.slice(0, 80)}…` : line);
}

function lineOf({ file, at }: Mutant): number {
  return fs.readFileSync(path.join(copy, file), "utf8").slice(0, at).split("\n").length;
}
