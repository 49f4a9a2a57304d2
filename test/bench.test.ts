import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

const { scripts } = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8"));
const [BENCH = ""] = /\S+\.ts/.exec(scripts.bench) ?? [];

test("the benchmark runs: every scenario, each beside the ideal server and the limit", async () => {
  // Its numbers mean nothing here, where everything else runs at the same time; that every answer was a 2xx does.
  const { stdout } = await promisify(execFile)(process.execPath, [BENCH, "--quick"], { cwd: ROOT, timeout: 120_000 });
  const lines = stdout.split("\n");
  const rowOf = (scenario: string) =>
    (lines.find((line) => line.startsWith(`${scenario} `)) ?? "").slice(scenario.length);
  for (const scenario of SCENARIOS) {
    assert.match(rowOf(scenario), /^(?: +[\d.,]+){7} +- +-$/, `${scenario} in:\n${stdout}`);
  }
  assert.match(stdout, /^The usual way is left out/m);
  assert.match(stdout, /^server's memory at the end +\d+ MB/m);
});

test("the benchmark's bad neighbours run: every attack, and the other tenant is answered beside each", async () => {
  const run = async (...parameters: string[]) =>
    await promisify(execFile)(process.execPath, [BENCH, ...parameters], { cwd: ROOT, timeout: 240_000 });
  const [, attacks = ""] = /--attacks a,b +of these: (.*)/.exec((await run("--help")).stdout) ?? [];
  const { stdout, stderr } = await run("--neighbours", "--quick");
  const lines = stdout.split("\n");
  for (const attack of attacks.split(", ")) {
    const line = lines.find((line) => line.replaceAll(",", "").replaceAll(" ", "-").startsWith(`${attack}--`)) ?? "";
    // Five operations, the ratio with its operation, nothing failed, time, memory, processors, how the requests ended.
    assert.match(
      line,
      /(?: +[\d.,]+\/[\d.,]+){5} +[\d.,]+ [\w-]+ +- +[\d.,]+ +[\d.,]+ +[\d.]+\+[\d.]+ +[\d,]+ x \w+/,
      `${attack} in:\n${stdout}\n${stderr}`,
    );
  }
});

test("the benchmark's bad neighbours run beside the product without a mechanism, and make the attacks that it is there for", async () => {
  const parameters = [BENCH, "--neighbours", "--quick", "--without", "aside"];
  const { stdout } = await promisify(execFile)(process.execPath, parameters, { cwd: ROOT, timeout: 240_000 });
  assert.match(stdout, /^contacts of a huge company, page 4,000 /m);
  assert.match(stdout, /^look-ups of a huge company /m);
  assert.doesNotMatch(stdout, /^lists, pipelined/m);
});

test("the benchmark's queue runs: jobs are enqueued, claimed and done", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [BENCH, "--jobs", "--quick"], {
    cwd: ROOT,
    timeout: 120_000,
  });
  for (const figure of [
    "enqueueing",
    "claim of a job",
    "claim of 100 jobs",
    "jobs a second",
    "the smallest tenant's",
  ]) {
    const line = stdout.split("\n").find((line) => line.startsWith(figure));
    assert.match(line ?? "", / {2,}(?:0\.\d*[1-9]|[\d,]*[1-9])/, `${figure} in:\n${stdout}`);
  }
});

test("the benchmark's imports run: into an empty database, and beside another tenant's companies", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [BENCH, "--imports", "--quick"], {
    cwd: ROOT,
    timeout: 120_000,
  });
  assert.match(stdout, /^import of 600 companies: rows per second +[\d,.]*[1-9]/m);
  assert.match(stdout, /^the same beside 1,000 of others \/ that +[\d.]*[1-9]/m);
});

/** The deep pages need tenants that are larger than this one. */
const SCENARIOS = [
  "show",
  "list page 1",
  "list by status",
  "list by owner",
  "search few",
  "search a thousand",
  "search every row",
  "search two letters",
  "search none",
  "contacts",
  "wms-orders",
  "create",
  "update",
  "delete",
  "mix",
];
