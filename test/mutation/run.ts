import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import fc from "fast-check";
import type { Connection } from "../../src/platform/postgres/database.ts";
import { globalSetup, globalTeardown } from "../global-setup.ts";
import { mutantsOf } from "./mutants.ts";
import { roomOf, ROOMS, type Room } from "./rooms.ts";
import { runTests, tryMutant, type Outcome } from "./trial.ts";

/**
 * `npm run test:mutation [ROOM...]`: changes one place of a room after the other, in a copy of the checkout, and runs
 * the room's tests on each change. Prints the changes that no test notices. A room is a path below src/, as in
 * `people/sessions`, or `functions`.
 */
const {
  values: { count, seed, minutes },
  positionals,
} = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    /** No mutant begins after them. */
    minutes: { type: "string", default: "600" },
  },
});
const ROOT = path.join(import.meta.dirname, "../..");
const LEFT_OUT = new Set(["node_modules", ".git", "data"]);
/** The time of a mutant's tests, beside that of the tests without it. */
const [TIMES, MORE_MS] = [3, 60_000];
const deadline = performance.now() + Number(minutes) * 60_000;
const totals: Record<Outcome, number> = { killed: 0, slow: 0, survived: 0, invalid: 0 };

const copy = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-mutants-"));
await globalSetup();
try {
  copyCheckout();
  const cluster = JSON.parse(process.env.LIAISON_TEST_CLUSTER ?? "null") as Connection;
  for (const name of positionals.length === 0 ? ROOMS : positionals) await tryRoom(roomOf(ROOT, name), cluster);
} finally {
  await globalTeardown();
  fs.rmSync(copy, { recursive: true });
}
const { killed, slow, survived, invalid } = totals;
console.log(`killed=${killed} slow=${slow} survived=${survived} invalid=${invalid}`);
process.exitCode = survived === 0 ? 0 : 1;

async function tryRoom(room: Room, cluster: Connection): Promise<void> {
  const { name, sources } = room;
  const all = sources.flatMap((file) => mutantsOf(ROOT, file));
  const order =
    fc.sample(fc.shuffledSubarray(all, { minLength: all.length }), { seed: Number(seed), numRuns: 1 })[0] ?? [];
  const baselines = new Map<string, number>();
  let tried = 0;
  for (const mutant of order) {
    if (tried === Number(count) || performance.now() > deadline) break;
    const files = room.tests(mutant.file);
    const key = files.join(" ");
    if (!baselines.has(key)) {
      const begun = performance.now();
      const { outcome, by } = await runTests(copy, files, { cluster, mostMs: 600_000 });
      if (outcome !== "survived") {
        console.log(`${name}: its tests fail without a mutant (${outcome}): ${by}`);
        return;
      }
      baselines.set(key, performance.now() - begun);
    }
    const mostMs = TIMES * Number(baselines.get(key)) + MORE_MS;
    const { outcome, seconds, by } = await tryMutant(copy, mutant, { tests: files, cluster, mostMs });
    totals[outcome]++;
    if (outcome === "invalid") continue;
    tried++;
    const { file, at, from, to } = mutant;
    const line = fs.readFileSync(path.join(ROOT, file), "utf8").slice(0, at).split("\n").length;
    console.log(
      `${outcome} ${file}:${line} ${excerpt(from)} → ${excerpt(to)} (${Math.round(seconds)} s${by && `, ${by}`})`,
    );
  }
  console.log(`${name}: ${tried} of ${all.length} mutants tried`);
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
