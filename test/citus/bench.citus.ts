import assert from "node:assert/strict";
import { test } from "node:test";
import { runBench } from "../bench-program.ts";

test("the benchmark's cluster runs: each node of each layout has a processor time for each kind of request", async () => {
  const stdout = await runBench("--citus", "--quick");
  for (const kind of ["show one", "list", "create", "send, with its job"]) {
    assert.match(stdout, new RegExp(`^${kind}, one PostgreSQL +[\\d.]+ ms`, "m"));
    assert.match(
      stdout,
      new RegExp(
        `^${kind}, coordinator \\+ two workers +[\\d.]+ ms\n.*its worker 1 +[\\d.]+ ms\n.*its worker 2 +[\\d.]+ ms`,
        "m",
      ),
    );
  }
});
