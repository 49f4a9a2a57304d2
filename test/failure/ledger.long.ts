import assert from "node:assert/strict";
import { test } from "node:test";
import { keepLedger } from "./ledger.ts";

test("through a hundred faults, what the doors answered is there once, and nothing else is", async () => {
  const { verdict, doors, struck } = await keepLedger({ between: 50, faults: 100 });
  const { lost, phantom, double } = verdict;
  console.log(`lost=${lost} phantom=${phantom} double=${double} ${JSON.stringify({ doors, struck })}`);
  assert.deepEqual(verdict, { lost: 0, phantom: 0, double: 0 });
});
