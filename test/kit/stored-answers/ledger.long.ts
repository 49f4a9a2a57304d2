import assert from "node:assert/strict";
import { test } from "node:test";
import { createDataDirectory } from "../../failure/data-directory.ts";
import { keepLedger } from "./ledger.ts";

test("through thirty deaths each of thousands of writes with a key is done once, and all its answers are the same", async () => {
  const { dup, lost, differing, tries, replayed } = await keepLedger(createDataDirectory(), {
    writes: 5_000,
    kills: 30,
  });
  console.log(`tries=${tries} replayed=${replayed} dup=${dup} lost=${lost} differing=${differing}`);
  assert.deepEqual({ dup, lost, differing }, { dup: 0, lost: 0, differing: 0 });
});
