import assert from "node:assert/strict";
import { test } from "node:test";
import { Overloaded } from "../../../src/platform/sharing/overloaded.ts";
import { Places } from "../../../src/platform/sharing/places.ts";

const PATIENT = { waitingEach: 100, waitMs: 60_000 };

test("tenants take turns, however much one of them asked for first", async () => {
  const places = new Places({ atOnce: 1, atOnceEach: () => 1, ...PATIENT });
  const served: string[] = [];
  const asked = ["a", "a", "a", "a", "b", "b", "c"].map(async (tenant) => {
    await places.acquire(tenant);
    served.push(tenant);
    places.release(tenant);
  });
  await Promise.all(asked);
  assert.equal(served.join(""), "aabcaba");
});

test("a tenant holds its share at most, also where nobody else asks", async () => {
  const places = new Places({ atOnce: 4, atOnceEach: () => 2, ...PATIENT });
  assert.deepEqual([places.tryAcquire("a"), places.tryAcquire("a"), places.tryAcquire("a")], [true, true, false]);
  const third = places.acquire("a");
  assert.deepEqual([places.tryAcquire("b"), places.tryAcquire("c"), places.tryAcquire("d")], [true, true, false]);
  places.release("b");
  assert.equal(places.tryAcquire("d"), true);
  places.release("a");
  await third;
});

test("a holder with more callers than may wait is refused, and no other holder", async () => {
  const places = new Places({ atOnce: 1, atOnceEach: () => 1, waitingEach: 1, waitMs: 60_000 });
  await places.acquire("a");
  const waits = places.acquire("a");
  await assert.rejects(places.acquire("a"), Overloaded);
  const other = places.acquire("b");
  places.release("a");
  await waits;
  places.release("a");
  await other;
});

test("where all that may wait do, the holder that has most gives a place to one that has fewer", async () => {
  const places = new Places({ atOnce: 1, atOnceEach: () => 1, waitingEach: 4, waitMs: 60_000, waitingAll: 6 });
  await places.acquire("first");
  const outcomes: string[] = [];
  const ask = async (name: string) => {
    await places.acquire(name.charAt(0)).then(
      () => outcomes.push(`${name} served`),
      () => outcomes.push(`${name} refused`),
    );
    if (outcomes.includes(`${name} served`)) places.release(name.charAt(0));
  };
  const asked = ["a1", "a2", "a3", "a4", "b1", "b2", "c1", "d1", "e1", "f1", "g1"].map(ask);
  places.release("first");
  await Promise.all(asked);
  assert.deepEqual(outcomes.filter((outcome) => outcome.endsWith("refused")).toSorted(), [
    "a2 refused",
    "a3 refused",
    "a4 refused",
    "b2 refused",
    "g1 refused",
  ]);
  assert.equal(outcomes.filter((outcome) => outcome.endsWith("served")).length, 6);
});

test("who waits too long is refused, and forgotten", async () => {
  const places = new Places({ atOnce: 1, atOnceEach: () => 1, waitingEach: 1, waitMs: 1 });
  await places.acquire("a");
  await assert.rejects(places.acquire("a"), Overloaded);
  places.release("a");
  assert.equal(places.tryAcquire("b"), true);
});
