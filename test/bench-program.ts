import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

const { scripts } = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8"));
const [BENCH = ""] = /\S+\.ts/.exec(scripts.bench) ?? [];

/** What the benchmark prints, run to its end; fails with all that it said where it does. */
export async function runBench(...parameters: string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, [BENCH, ...parameters], { cwd: ROOT, timeout: 900_000 })).stdout;
}

/** The names of all attacks, as the command lists them. */
export async function everyAttack(): Promise<string[]> {
  const [, attacks = ""] = /--attacks a,b +of these: (.*)/.exec(await runBench("--help")) ?? [];
  return attacks.split(", ");
}

/** Runs attacks of the benchmark's bad neighbours for next to no time; each has to have a whole line. */
export async function runAttacks(attacks: readonly string[]): Promise<void> {
  const stdout = await runBench("--neighbours", "--quick", "--attacks", attacks.join(","));
  const lines = stdout.split("\n");
  for (const attack of attacks) {
    const line = lines.find((line) => line.replaceAll(",", "").replaceAll(" ", "-").startsWith(`${attack}--`)) ?? "";
    // Five operations, the ratio with its operation, nothing failed, time, memory, processors, how the requests ended.
    assert.match(
      line,
      /(?: +[\d.,]+\/[\d.,]+){5} +[\d.,]+ [\w-]+ +- +[\d.,]+ +[\d.,]+ +[\d.]+\+[\d.]+ +[\d,]+ x \w+/,
      `${attack} in:\n${stdout}`,
    );
  }
}
