import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import pg from "pg";
import type { Connection } from "../../src/platform/postgres/database.ts";
import { mutated, type Mutant } from "./mutants.ts";

/** `invalid`: its types or its SQL are wrong, so that it says nothing. `slow`: its tests did not end. */
export type Outcome = "killed" | "slow" | "survived" | "invalid";

/** `by`: the first test that failed. `seconds`: of each test file that ended. */
export type Trial = { outcome: Outcome; by: string; file: string; seconds: Map<string, number> };

/** Test files that one process runs, in this order. */
export type Group = { together: boolean; files: string[] };

export type Tests = {
  groups: readonly Group[];
  cluster: Connection;
  mostMs: number;
  /** The command that runs each process, with its options. */
  within: readonly string[];
};

const CHOSEN = "test/mutation/chosen.ts";
/** The end of a file that runs with others, in TAP. */
const FILE = /^ {4}ok \d+ - (\S+\.test\.ts)\n +---\n +duration_ms: ([\d.]+)/gm;
const INVALID: Trial = { outcome: "invalid", by: "", file: "", seconds: new Map() };

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
    if (cluster === null || (!isSql && !hasRightTypes(copy))) return INVALID;
    return await runTests(copy, { ...tests, cluster });
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

function hasRightTypes(copy: string): boolean {
  return spawnSync(path.join(copy, "node_modules/.bin/tsc"), ["-p", "tsconfig.json"], { cwd: copy }).status === 0;
}

/** The outcome, and the first test that failed. The tests have the databases of this process. */
export async function runTests(copy: string, { groups, cluster, mostMs, within }: Tests): Promise<Trial> {
  const seconds = new Map<string, number>();
  const env = { ...process.env, LIAISON_TEST_CLUSTER: JSON.stringify(cluster) };
  let msLeft = mostMs;
  for (const { together, files } of groups) {
    const entry = together ? CHOSEN : (files[0] ?? "");
    if (together) fs.writeFileSync(path.join(copy, CHOSEN), chosen(files));
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
    if (failed !== undefined) return { outcome: "killed", by: failed, file, seconds };
    if (isSlow) return { outcome: "slow", by: "", file, seconds };
    if (child.exitCode !== 0) return { outcome: "killed", by: "the process", file, seconds };
    msLeft -= took;
  }
  return { outcome: "survived", by: "", file: "", seconds };
}

function chosen(files: readonly string[]): string {
  const paths = JSON.stringify(files.map((file) => `../../${file}`));
  return `import path from "node:path";
import { runTogether } from "../together.ts";
await runTogether(import.meta.filename, ${paths}.map((file) => path.join(import.meta.dirname, file)));
`;
}
