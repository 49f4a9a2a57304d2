import assert from "node:assert/strict";
import { test } from "node:test";
import { createDataDirectory } from "../failure/data-directory.ts";
import { keepLedger } from "./ledger.ts";

test("the same at length: thousands of writes, thirty deaths", async () => {
  const { dup, lost, differing, tries, replayed } = await keepLedger(createDataDirectory(), {
    writes: 5_000,
    kills: 30,
  });
  console.log(`tries=${tries} replayed=${replayed} dup=${dup} lost=${lost} differing=${differing}`);
  assert.deepEqual({ dup, lost, differing }, { dup: 0, lost: 0, differing: 0 });
});
