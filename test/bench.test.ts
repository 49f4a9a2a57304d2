import assert from "node:assert/strict";
import { test } from "node:test";
import { runAttacks, runBench } from "./bench-program.ts";

test("the benchmark runs: every scenario, each beside the ideal server and the limit", async () => {
  // Its numbers mean nothing here, where everything else runs at the same time; that every answer was a 2xx does.
  const stdout = await runBench("--quick");
  const lines = stdout.split("\n");
  const rowOf = (scenario: string) =>
    (lines.find((line) => line.startsWith(`${scenario} `)) ?? "").slice(scenario.length);
  for (const scenario of SCENARIOS) {
    assert.match(rowOf(scenario), /^(?: +[\d.,]+){7} +- +-$/, `${scenario} in:\n${stdout}`);
  }
  assert.match(stdout, /^The usual way is left out/m);
  assert.match(stdout, /^server's memory at the end +\d+ MB/m);
});

test("the benchmark's bad neighbours run: attacks of every kind, and the other tenant is answered beside each", async () => {
  // All of them take a minute of both processors: bench.long.ts.
  await runAttacks([
    "look-ups-pipelined",
    "fat-export-never-read",
    "member-pages-strangers",
    "files-that-are-cancelled-at-once",
  ]);
});

test("the benchmark's queue runs: jobs are enqueued, claimed and done", async () => {
  const stdout = await runBench("--jobs", "--quick");
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

test("the benchmark's feed runs: it is read, heard of, and followed beside writes, and webhooks are told of it", async () => {
  const stdout = await runBench("--feed", "--quick");
  assert.match(stdout, /^reading \d+ changes, 1,000 a page +[\d.]*[1-9]/m);
  assert.match(stdout, /^throughput of update beside 50 followers of the tenant \/ alone +[\d.]*[1-9]/m);
  assert.match(stdout, /^deliveries a second to one receiver +[\d.,]*[1-9]/m);
  assert.match(stdout, /^the p99 beside as many dead ones \/ alone +[\d.]*[1-9]/m);
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
