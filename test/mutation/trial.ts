import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import pg from "pg";
import type { Connection } from "../../src/platform/postgres/database.ts";
import { ranByProcesses, startsProcesses, type Ran } from "./coverage.ts";
import { mutated, type Mutant } from "./mutants.ts";

/** `types`, `invalid`: TypeScript or PostgreSQL refuses it. `slow`: its tests did not end, or had no memory left. */
export type Outcome = "killed" | "slow" | "survived" | "types" | "invalid";

/** `by`: the first test that failed. `seconds` and `ran`: of each test file that ended, if it was watched. */
export type Trial = {
  outcome: Outcome;
  by: string;
  file: string;
  seconds: Map<string, number>;
  ran: Map<string, Ran>;
};

/** Test files that one process runs, in this order. */
export type Group = { together: boolean; files: string[] };

export type Tests = {
  groups: readonly Group[];
  cluster: Connection;
  mostMs: number;
  /** The command that runs each process, with its options. */
  within: readonly string[];
  /** The source files whose use by each test file is watched. */
  watched?: readonly string[];
};

const CHOSEN = "test/mutation/chosen.ts";
/** What the process of a watched run writes. A file that starts others counts as one that runs everything. */
const COVERED = "covered";
/** The end of a file that runs with others, in TAP. */
const FILE = /^ {4}ok \d+ - (\S+\.(?:test|slow)\.ts)\n +---\n +duration_ms: ([\d.]+)/gm;
const INVALID: Trial = { outcome: "invalid", by: "", file: "", seconds: new Map(), ran: new Map() };

/** The heap of each process. Without it, an endless loop takes the memory of the machine. */
const MEMORY = "--max-old-space-size=1500";

let templates = 0;

/** Runs tests on a copy of the checkout with a mutant in it, until the first one fails. */
export async function tryMutant(copy: string, mutant: Mutant, tests: Tests): Promise<Trial> {
  const file = path.join(copy, mutant.file);
  const text = fs.readFileSync(file, "utf8");
  const changed = mutated(text, mutant);
  fs.writeFileSync(file, changed);
  try {
    const isSql = mutant.file.endsWith(".sql");
    const cluster = isSql ? await templateWith(tests.cluster, changed) : tests.cluster;
    if (cluster === null) return INVALID;
    const trial = await runTests(copy, { ...tests, cluster });
    // Its types may be wrong for another file.
    const isRefused = trial.outcome === "survived" && !isSql && filesWithErrors(copy).size > 0;
    return isRefused ? { ...trial, outcome: "types" } : trial;
  } finally {
    fs.writeFileSync(file, text);
    await dropDatabases(tests.cluster);
  }
}

/** The databases of tests that were ended, which would fill the memory. */
async function dropDatabases(cluster: Connection): Promise<void> {
  const owner = new pg.Client({ ...cluster, database: "postgres" });
  await owner.connect();
  const { rows } = await owner.query<{ datname: string }>(
    "select datname from pg_database where datname ~ '^(test|mutant)_'",
  );
  for (const { datname } of rows) {
    await owner.query(`drop database if exists ${owner.escapeIdentifier(datname)} with (force)`);
  }
  await owner.end();
}

/** A database with another function in place of its own; null: PostgreSQL refuses it. */
async function templateWith(cluster: Connection, text: string): Promise<Connection | null> {
  const database = `mutant_${process.pid}_${++templates}`;
  const owner = new pg.Client({ ...cluster, database: "postgres" });
  await owner.connect();
  await owner.query(`create database ${database} template ${owner.escapeIdentifier(String(cluster.database))}`);
  await owner.end();
  const client = new pg.Client({ ...cluster, database });
  await client.connect();
  try {
    await client.query(text);
    return { ...cluster, database };
  } catch {
    return null;
  } finally {
    await client.end();
  }
}

/** The mutants whose own file has no wrong types. Each is checked as a file beside it, all at once. */
export function withRightTypes(copy: string, mutants: readonly Mutant[]): Set<Mutant> {
  const checked = mutants.filter(({ file }) => file.endsWith(".ts"));
  const names = checked.map(({ file }, index) => `${file.slice(0, -".ts".length)}.mutant-${index}.ts`);
  for (const [index, mutant] of checked.entries()) {
    const text = fs.readFileSync(path.join(copy, mutant.file), "utf8");
    fs.writeFileSync(path.join(copy, names[index] ?? ""), mutated(text, mutant));
  }
  const wrong = checked.length === 0 ? new Set() : filesWithErrors(copy);
  for (const name of names) fs.rmSync(path.join(copy, name));
  const refused = new Set(checked.filter((_, index) => wrong.has(names[index])));
  return new Set(mutants.filter((mutant) => !refused.has(mutant)));
}

function filesWithErrors(copy: string): Set<string> {
  const args = ["-p", "tsconfig.json", "--pretty", "false", "--incremental", "--tsBuildInfoFile", "types.json"];
  const { stdout } = spawnSync(path.join(copy, "node_modules/.bin/tsc"), args, { cwd: copy, encoding: "utf8" });
  return new Set([...stdout.matchAll(/^(\S+)\(\d+,\d+\): error /gm)].map(([, file = ""]) => file));
}

/** The outcome, and the first test that failed. The tests have the databases of this process. */
export async function runTests(copy: string, { groups, cluster, mostMs, within, watched }: Tests): Promise<Trial> {
  const seconds = new Map<string, number>();
  const ran = new Map<string, Ran>();
  const covered = path.join(copy, COVERED);
  const reports = path.join(covered, "processes");
  let msLeft = mostMs;
  for (const { together, files } of groups) {
    const entry = together ? CHOSEN : (files[0] ?? "");
    if (together) fs.writeFileSync(path.join(copy, CHOSEN), chosen(files, watched));
    fs.rmSync(covered, { recursive: true, force: true });
    fs.mkdirSync(covered);
    const env = {
      ...process.env,
      LIAISON_TEST_CLUSTER: JSON.stringify(cluster),
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} ${MEMORY}`,
      // Code from the cache does not say exactly what of it was run.
      ...(watched === undefined && { NODE_COMPILE_CACHE: path.join(copy, ".compiled") }),
      ...(watched !== undefined && !together && { NODE_V8_COVERAGE: reports }),
    };
    const [command, ...args] = [...within, process.execPath, "--test-reporter=tap", entry];
    const child = spawn(command, args, { cwd: copy, env, detached: true, stdio: ["ignore", "pipe", "ignore"] });
    const end = () => {
      try {
        process.kill(-Number(child.pid), "SIGKILL");
      } catch {
        // It has ended by itself.
      }
    };
    process.once("exit", end);
    const ended = new Promise((resolve) => child.on("close", resolve));
    let isSlow = false;
    let timer: NodeJS.Timeout | undefined;
    let begun = 0;
    let output = "";
    let failed: string | undefined;
    for await (const chunk of child.stdout.setEncoding("utf8")) {
      output += String(chunk);
      // The command may wait for its turn first.
      if (begun === 0) {
        begun = performance.now();
        timer = setTimeout(() => {
          isSlow = true;
          end();
        }, msLeft);
      }
      failed = /^\s*not ok \d+ - (.*)$/m.exec(output)?.[1];
      if (failed !== undefined) break;
    }
    end();
    await ended;
    process.off("exit", end);
    clearTimeout(timer);
    const took = performance.now() - begun;
    for (const [, name = "", ms] of output.matchAll(FILE)) {
      seconds.set(path.posix.join(path.dirname(CHOSEN), name), Number(ms) / 1_000);
    }
    if (!together) seconds.set(entry, took / 1_000);
    // Of files that run together, the first that has not ended.
    const file = files.find((each) => !seconds.has(each)) ?? entry;
    if (watched !== undefined) noteRan(copy, entry, { covered, reports, watched, ran });
    if (failed !== undefined) return { outcome: "killed", by: failed, file, seconds, ran };
    if (isSlow || child.signalCode === "SIGABRT") return { outcome: "slow", by: "", file, seconds, ran };
    if (child.exitCode !== 0) return { outcome: "killed", by: "the process", file, seconds, ran };
    msLeft -= took;
  }
  return { outcome: "survived", by: "", file: "", seconds, ran };
}

type Watched = { covered: string; reports: string; watched: readonly string[]; ran: Map<string, Ran> };

function noteRan(copy: string, entry: string, { covered, reports, watched, ran }: Watched): void {
  if (entry === CHOSEN) {
    const written = path.join(covered, "files.json");
    if (!fs.existsSync(written)) return;
    const byFile = JSON.parse(fs.readFileSync(written, "utf8")) as Record<string, Ran>;
    for (const [file, own] of Object.entries(byFile)) if (!startsProcesses(copy, file)) ran.set(file, own);
    return;
  }
  if (!startsProcesses(copy, entry) && fs.existsSync(reports)) {
    ran.set(entry, ranByProcesses(copy, reports, watched));
  }
}

function chosen(files: readonly string[], watched?: readonly string[]): string {
  const [list, sources] = [JSON.stringify(files), JSON.stringify(watched)];
  if (watched !== undefined) {
    return `import { runCovered } from "./coverage.ts";
await runCovered(process.cwd(), ${list}, ${sources}, "${COVERED}/files.json");
`;
  }
  return `import path from "node:path";
import { runTogether } from "../together.ts";
await runTogether(import.meta.filename, ${list}.map((file) => path.resolve(file)));
`;
}
