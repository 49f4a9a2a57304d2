import assert from "node:assert/strict";
import { test } from "node:test";
import { DatabaseUnavailable } from "./failures.ts";
import { Turns } from "./turns.ts";

const PATIENT = { waitingEach: 100, waitMs: 60_000 };

test("tenants take turns, however much one of them asked for first", async () => {
  const turns = new Turns({ atOnce: 1, atOnceEach: () => 1, ...PATIENT });
  const served: string[] = [];
  const asked = ["a", "a", "a", "a", "b", "b", "c"].map(async (tenant) => {
    await turns.take(tenant);
    served.push(tenant);
    turns.give(tenant);
  });
  await Promise.all(asked);
  assert.equal(served.join(""), "aabcaba");
});

test("a tenant holds its share at most, also where nobody else asks", async () => {
  const turns = new Turns({ atOnce: 4, atOnceEach: () => 2, ...PATIENT });
  assert.deepEqual([turns.tryTake("a"), turns.tryTake("a"), turns.tryTake("a")], [true, true, false]);
  const third = turns.take("a");
  assert.deepEqual([turns.tryTake("b"), turns.tryTake("c"), turns.tryTake("d")], [true, true, false]);
  turns.give("b");
  assert.equal(turns.tryTake("d"), true);
  turns.give("a");
  await third;
});

test("who asks for more than may wait is refused, and nobody else", async () => {
  const turns = new Turns({ atOnce: 1, atOnceEach: () => 1, waitingEach: 1, waitMs: 60_000 });
  await turns.take("a");
  const waits = turns.take("a");
  await assert.rejects(turns.take("a"), DatabaseUnavailable);
  const other = turns.take("b");
  turns.give("a");
  await waits;
  turns.give("a");
  await other;
});

test("who waits too long is refused, and forgotten", async () => {
  const turns = new Turns({ atOnce: 1, atOnceEach: () => 1, waitingEach: 1, waitMs: 1 });
  await turns.take("a");
  await assert.rejects(turns.take("a"), DatabaseUnavailable);
  turns.give("a");
  assert.equal(turns.tryTake("b"), true);
});
