import assert from "node:assert/strict";
import { test } from "node:test";
import { FAULTS } from "./faults.ts";
import { keepLedger } from "./ledger.ts";

test("through one fault of each kind, what the doors answered is there once, and nothing else is", async () => {
  const { verdict, doors, struck } = await keepLedger({ between: 25, faults: FAULTS.length });
  assert.deepEqual(verdict, { lost: 0, phantom: 0, double: 0 });
  assert.deepEqual(
    Object.values(struck),
    FAULTS.map(() => 1),
  );
  for (const door of ["the API", "the API in batches", "an assistant", "a page"])
    assert.ok((doors[door] ?? 0) > 0, door);
});
