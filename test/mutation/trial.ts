import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import pg from "pg";
import type { Connection } from "../../src/platform/postgres/database.ts";
import { mutated, type Mutant } from "./mutants.ts";

/** `invalid`: its types or its SQL are wrong, so that it says nothing. `slow`: its tests did not end. */
export type Outcome = "killed" | "slow" | "survived" | "invalid";

export type Trial = { outcome: Outcome; seconds: number; by: string };

let templates = 0;

/** Runs tests on a copy of the checkout with a mutant in it, until the first one fails. */
export async function tryMutant(
  copy: string,
  mutant: Mutant,
  { tests, cluster, mostMs }: { tests: readonly string[]; cluster: Connection; mostMs: number },
): Promise<Trial> {
  const file = path.join(copy, mutant.file);
  const text = fs.readFileSync(file, "utf8");
  const changed = mutated(text, mutant);
  const begun = performance.now();
  fs.writeFileSync(file, changed);
  try {
    const isSql = mutant.file.endsWith(".sql");
    const template = isSql ? await templateWith(cluster, changed) : cluster;
    if (template === null || (!isSql && !hasRightTypes(copy))) return { outcome: "invalid", seconds: 0, by: "" };
    const { outcome, by } = await runTests(copy, tests, { cluster: template, mostMs });
    return { outcome, seconds: (performance.now() - begun) / 1_000, by };
  } finally {
    fs.writeFileSync(file, text);
    await dropDatabases(cluster);
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
export async function runTests(
  copy: string,
  tests: readonly string[],
  { cluster, mostMs }: { cluster: Connection; mostMs: number },
): Promise<{ outcome: Outcome; by: string }> {
  const args = ["--test", "--test-reporter=tap", "--test-concurrency=2", ...tests];
  const env = { ...process.env, LIAISON_TEST_CLUSTER: JSON.stringify(cluster) };
  const child = spawn(process.execPath, args, { cwd: copy, env, detached: true, stdio: ["ignore", "pipe", "ignore"] });
  const end = () => {
    try {
      process.kill(-Number(child.pid), "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  };
  let isSlow = false;
  const timer = setTimeout(() => {
    isSlow = true;
    end();
  }, mostMs);
  let by: string | null = null;
  let output = "";
  const ended = new Promise((resolve) => child.on("close", resolve));
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    output += String(chunk);
    by ??= /^\s*not ok \d+ - (.*)$/m.exec(output)?.[1] ?? null;
    if (by !== null) {
      end();
      break;
    }
  }
  await ended;
  clearTimeout(timer);
  end();
  if (by !== null) return { outcome: "killed", by };
  if (isSlow) return { outcome: "slow", by: "" };
  return child.exitCode === 0 ? { outcome: "survived", by: "" } : { outcome: "killed", by: "the process" };
}
