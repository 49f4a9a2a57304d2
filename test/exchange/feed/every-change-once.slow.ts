import assert from "node:assert/strict";
import { test } from "node:test";
import { migratedDataDirectory } from "../../failure/data-directory.ts";
import { keepLedger } from "./ledger.ts";

test("whatever dies, all followers get every committed change once, in one order, receivers at least once, and nothing else", async () => {
  const { changes, authors, ...verdict } = await keepLedger(await migratedDataDirectory(), {
    writes: 500,
    kills: 4,
    pauseMs: 300,
  });
  assert.deepEqual(verdict, { missed: 0, phantom: 0, disordered: 0 });
  assert.ok(changes > 500, `${changes} changes`);
  assert.deepEqual(authors, ["command", "import", "key", "user", "worker"]);
});
