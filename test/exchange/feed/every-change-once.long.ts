import assert from "node:assert/strict";
import { test } from "node:test";
import { createDataDirectory } from "../../failure/data-directory.ts";
import { keepLedger } from "./ledger.ts";

test("through thirty deaths, and transactions that pause for up to ten seconds, all followers hear of tens of thousands of changes, each once and in one order", async () => {
  const { changes, authors, ...verdict } = await keepLedger(createDataDirectory(), {
    writes: 10_000,
    kills: 30,
    pauseMs: 10_000,
  });
  const words = Object.entries(verdict).map((pair) => pair.join("="));
  console.log(`changes=${changes} by=${authors.join()} ${words.join(" ")}`);
  assert.deepEqual(verdict, { missed: 0, phantom: 0, disordered: 0 });
});
