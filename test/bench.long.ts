import assert from "node:assert/strict";
import { test } from "node:test";
import { everyAttack, runAttacks } from "./bench-program.ts";

test("the benchmark's bad neighbours run: every attack, and the other tenant is answered beside each", async () => {
  const attacks = await everyAttack();
  assert.ok(attacks.length > 100);
  await runAttacks(attacks);
});
