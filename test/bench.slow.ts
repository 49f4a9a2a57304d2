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
    assert.match(rowOf(scenario), /^(?: +[\d.,]+){7}(?: +-){4}$/, `${scenario} in:\n${stdout}`);
  }
  for (const kind of ["show", "list page 1", "search few", "create", "update"])
    assert.match(
      stdout,
      new RegExp(`^${kind}(?: +[\\d.,]+){4} +(?:within|[\\d,.]+ % above)$`, "m"),
      `${kind} in:\n${stdout}`,
    );
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
