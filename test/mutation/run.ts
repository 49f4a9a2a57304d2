import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import fc from "fast-check";
import type { Connection } from "../../src/platform/postgres/database.ts";
import { globalSetup, globalTeardown } from "../global-setup.ts";
import { filesOf, testFiles } from "../together.ts";
import { mutantsOf } from "./mutants.ts";
import { roomOf, ROOMS, type Room } from "./rooms.ts";
import { runTests, tryMutant, type Group, type Outcome } from "./trial.ts";

/**
 * `npm run test:mutation [ROOM...]`: changes one place of a room after the other, in a copy of the checkout, and runs
 * the room's tests on each change. Prints the changes that no test notices. A room is a path below src/, as in
 * `people/sessions`, or `functions`.
 */
const {
  values: { count, seed, minutes, within },
  positionals,
} = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    /** No mutant begins after them. */
    minutes: { type: "string", default: "600" },
    /** A command that runs each process of tests, as in `nice -n 19`. */
    within: { type: "string", default: "" },
  },
});
const command = within.split(" ").filter((word) => word !== "");
const ROOT = path.join(import.meta.dirname, "../..");
const LEFT_OUT = new Set(["node_modules", ".git", "data"]);
/** The time of a mutant's tests, beside that of the tests without it. */
const [TIMES, MORE_MS] = [3, 60_000];
const BASELINE_MS = 1_800_000;
/** The entry of each test file that runs with others. */
const entryOf = new Map(testFiles().entries.flatMap((entry) => filesOf(entry).map((file) => [file, entry] as const)));
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
const { killed, slow, survived, invalid } = totals;
console.log(`killed=${killed} slow=${slow} survived=${survived} invalid=${invalid}`);
process.exitCode = survived === 0 ? 0 : 1;

async function tryRoom(room: Room, cluster: Connection): Promise<void> {
  const { name, sources } = room;
  const all = sources.flatMap((file) => mutantsOf(ROOT, file));
  const order =
    fc.sample(fc.shuffledSubarray(all, { minLength: all.length }), { seed: Number(seed), numRuns: 1 })[0] ?? [];
  const baselines = new Map<string, Map<string, number>>();
  let tried = 0;
  for (const mutant of order) {
    if (tried === Number(count) || performance.now() > deadline) break;
    const files = room.tests(mutant.file);
    const key = files.join(" ");
    const known = baselines.get(key);
    const seconds = known ?? (await baseline(name, files, cluster));
    if (seconds === null) return;
    baselines.set(key, seconds);
    const mostMs = TIMES * 1_000 * seconds.values().reduce((sum, each) => sum + each, 0) + MORE_MS;
    const groups = groupsOf(mutant.file, files, seconds);
    const begun = performance.now();
    const { outcome, by, file: killer } = await tryMutant(copy, mutant, { groups, cluster, mostMs, within: command });
    totals[outcome]++;
    if (outcome === "invalid") continue;
    if (killer !== "") kills.set(`${mutant.file} ${killer}`, (kills.get(`${mutant.file} ${killer}`) ?? 0) + 1);
    tried++;
    const { file, at, from, to } = mutant;
    const line = fs.readFileSync(path.join(ROOT, file), "utf8").slice(0, at).split("\n").length;
    console.log(
      `${outcome} ${file}:${line} ${excerpt(from)} → ${excerpt(to)} (${Math.round((performance.now() - begun) / 1_000)} s${by && `, ${killer}: ${by}`})`,
    );
  }
  console.log(`${name}: ${tried} of ${all.length} mutants tried`);
}

/** The seconds of each test file without a mutant. */
async function baseline(room: string, files: string[], cluster: Connection): Promise<Map<string, number> | null> {
  const groups = groupsOf("", files, new Map());
  const { outcome, by, file, seconds } = await runTests(copy, {
    groups,
    cluster,
    mostMs: BASELINE_MS,
    within: command,
  });
  if (outcome === "survived") return seconds;
  console.log(`${room}: its tests fail without a mutant (${outcome}): ${file}: ${by}`);
  return null;
}

/** Groups whose tests noticed other mutants of the source file come first, then quick ones. Likewise within a group. */
function groupsOf(source: string, files: readonly string[], seconds: Map<string, number>): Group[] {
  const rank = (file: string) => (seconds.get(file) ?? 0) / (1 + (kills.get(`${source} ${file}`) ?? 0)) ** 4;
  const sorted = files.toSorted((one, other) => rank(one) - rank(other));
  const grouped = Map.groupBy(sorted, (file) => entryOf.get(path.join(ROOT, file)) ?? file);
  const first = (group: Group) => rank(group.files[0] ?? "");
  return [...grouped]
    .map(([entry, own]) => ({ together: entry !== own[0], files: own }))
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
