import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import fc from "fast-check";
import type { Connection } from "../../src/platform/postgres/database.ts";
import { globalSetup, globalTeardown } from "../global-setup.ts";
import { filesOf, testFiles } from "../together.ts";
import { LOADED, wasRun, wasUsed, type Ran } from "./coverage.ts";
import { mutantsOf, type Mutant } from "./mutants.ts";
import { roomOf, ROOMS, type Room } from "./rooms.ts";
import { runTests, tryMutant, withRightTypes, type Group, type Outcome } from "./trial.ts";

/**
 * `npm run test:mutation [ROOM...]`: changes one place of a room after the other, in a copy of the checkout, and runs
 * the room's tests on each change. Prints the changes that no test notices. A room is a path below src/, as in
 * `people/sessions`, or `functions`.
 */
const {
  values: { count, seed, minutes, slow, within },
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
  },
});
const command = within.split(" ").filter((word) => word !== "");
const ROOT = path.join(import.meta.dirname, "../..");
const LEFT_OUT = new Set(["node_modules", ".git", "data"]);
/** The time of a mutant's tests, beside that of the tests without it. */
const [TIMES, MORE_MS] = [3, 60_000];
/** Mutants in the sample beside those that are tried: some are invalid. */
const MORE_TIMES = 2;
const BASELINE_MS = 1_800_000;
/** The test files that run with others. */
const together = new Set(
  testFiles()
    .entries.flatMap(filesOf)
    .map((file) => path.relative(ROOT, file)),
);
/** How often a test file noticed a mutant, by the source file. */
const kills = new Map<string, number>();
const deadline = performance.now() + Number(minutes) * 60_000;
const totals: Record<Outcome, number> = { killed: 0, slow: 0, survived: 0, invalid: 0 };

const copy = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-mutants-"));
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
  for (const name of positionals.length === 0 ? ROOMS : positionals) await tryRoom(roomOf(ROOT, name), cluster);
} finally {
  await removeAll();
}
const { killed, survived, invalid } = totals;
console.log(`killed=${killed} slow=${totals.slow} survived=${survived} invalid=${invalid}`);
process.exitCode = survived === 0 ? 0 : 1;

/** The seconds of each test file without a mutant, and what it runs of the room's sources. */
type Baseline = { seconds: Map<string, number>; ran: Map<string, Ran> };

async function tryRoom(room: Room, cluster: Connection): Promise<void> {
  const { name, sources } = room;
  const all = sources.flatMap((file) => mutantsOf(ROOT, file));
  const [order = []] = fc.sample(fc.shuffledSubarray(all, { minLength: all.length }), {
    seed: Number(seed),
    numRuns: 1,
  });
  const sample = order.slice(0, Number(count) * MORE_TIMES);
  const right = withRightTypes(copy, sample);
  const baselines = new Map<string, Baseline>();
  const inRoom: Record<Outcome, number> = { killed: 0, slow: 0, survived: 0, invalid: 0 };
  let tried = 0;
  for (const mutant of sample) {
    if (tried === Number(count) || performance.now() > deadline) break;
    if (!right.has(mutant)) {
      totals.invalid++;
      continue;
    }
    const { file, at, from, to } = mutant;
    const tests = room.tests(file).filter((each) => slow || !each.endsWith(".slow.ts"));
    const key = tests.join(" ");
    const known = baselines.get(key) ?? (await baseline(room, tests, cluster));
    if (known === null) return;
    baselines.set(key, known);
    const files = filesThatRun(mutant, tests, known);
    const seconds = files.reduce((sum, each) => sum + (known.seconds.get(each) ?? 0), 0);
    const begun = performance.now();
    const { outcome, ...killer } = await tryMutant(copy, mutant, {
      groups: groupsOf(file, files, known.seconds),
      cluster,
      mostMs: TIMES * 1_000 * seconds + MORE_MS,
      within: command,
    });
    totals[outcome]++;
    inRoom[outcome]++;
    if (outcome === "invalid") continue;
    const noticed = `${file} ${killer.file}`;
    if (killer.file !== "") kills.set(noticed, (kills.get(noticed) ?? 0) + 1);
    tried++;
    const line = fs.readFileSync(path.join(ROOT, file), "utf8").slice(0, at).split("\n").length;
    const by = killer.by === "" ? `${files.length} of ${tests.length} files run it` : `${killer.file}: ${killer.by}`;
    const took = Math.round((performance.now() - begun) / 1_000);
    console.log(`${outcome} ${file}:${line} ${excerpt(from)} → ${excerpt(to)} (${took} s, ${by})`);
  }
  const counts = `${inRoom.killed} killed, ${inRoom.slow} slow, ${inRoom.survived} survived`;
  console.log(`${name}: ${tried} of ${all.length} mutants tried: ${counts}`);
}

async function baseline(room: Room, files: string[], cluster: Connection): Promise<Baseline | null> {
  const { outcome, by, file, seconds, ran } = await runTests(copy, {
    groups: groupsOf("", files, new Map()),
    cluster,
    mostMs: BASELINE_MS,
    within: command,
    watched: room.sources.filter((source) => source.endsWith(".ts")),
  });
  if (outcome === "survived") return { seconds, ran };
  console.log(`${room.name}: its tests fail without a mutant (${outcome}): ${file}: ${by}`);
  return null;
}

/** The test files that run a mutant. What is run as a file is loaded matters to all that call a function of it. */
function filesThatRun({ file, at }: Mutant, tests: readonly string[], { ran }: Baseline): readonly string[] {
  if (!file.endsWith(".ts")) return tests;
  const isLoaded = wasRun(ran.get(LOADED)?.[file], at);
  const found = tests.filter((test) => {
    const own = ran.get(test);
    return own === undefined || (isLoaded ? wasUsed(own[file]) : wasRun(own[file], at));
  });
  return isLoaded && found.length === 0 ? tests : found;
}

/** Files that noticed other mutants of the source file come first, then quick ones. */
function groupsOf(source: string, files: readonly string[], seconds: Map<string, number>): Group[] {
  const rank = (file: string) => (seconds.get(file) ?? 0) / (1 + (kills.get(`${source} ${file}`) ?? 0)) ** 4;
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
