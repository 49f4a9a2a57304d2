import assert from "node:assert/strict";
import { test } from "node:test";
import { everyAttack, runAttacks, runBench } from "./bench-program.ts";

test("the benchmark's bad neighbours run: every attack, and the other tenant is answered beside each", async () => {
  const attacks = await everyAttack();
  assert.ok(attacks.length > 100);
  await runAttacks(attacks);
});

test("the benchmark's bad neighbours run beside the product without a mechanism, and make the attacks that it is there for", async () => {
  const stdout = await runBench("--neighbours", "--quick", "--without", "aside");
  assert.match(stdout, /^contacts of a huge company, page 4,000 /m);
  assert.match(stdout, /^look-ups of a huge company /m);
  assert.doesNotMatch(stdout, /^lists, pipelined/m);
});

test("the benchmark's imports run: into an empty database, and beside another tenant's companies", async () => {
  const stdout = await runBench("--imports", "--quick");
  assert.match(stdout, /^import of 600 companies: rows per second +[\d,.]*[1-9]/m);
  assert.match(stdout, /^the same beside 1,000 of others \/ that +[\d.]*[1-9]/m);
});
