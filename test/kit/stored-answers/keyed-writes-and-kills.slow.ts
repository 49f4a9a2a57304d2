import assert from "node:assert/strict";
import { test } from "node:test";
import { migratedDataDirectory } from "../../failure/data-directory.ts";
import { keepLedger } from "./ledger.ts";

test("after hang-ups and deaths, each write with a key is done once, and all its answers are the same", async () => {
  const { dup, lost, differing, tries, replayed } = await keepLedger(await migratedDataDirectory(), {
    writes: 300,
    kills: 4,
  });
  assert.deepEqual({ dup, lost, differing }, { dup: 0, lost: 0, differing: 0 });
  assert.ok(tries >= 600 && replayed >= 300, `${tries} tries, ${replayed} replayed`);
});
