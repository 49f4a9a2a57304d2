import assert from "node:assert/strict";
import { test } from "node:test";
import { Overloaded } from "./overloaded.ts";
import { Places } from "./places.ts";

const PATIENT = { waitingEach: 100, waitMs: 60_000 };

test("tenants take turns, however much one of them asked for first", async () => {
  const places = new Places({ atOnce: 1, atOnceEach: () => 1, ...PATIENT });
  const served: string[] = [];
  const asked = ["a", "a", "a", "a", "b", "b", "c"].map(async (tenant) => {
    await places.take(tenant);
    served.push(tenant);
    places.give(tenant);
  });
  await Promise.all(asked);
  assert.equal(served.join(""), "aabcaba");
});

test("a tenant holds its share at most, also where nobody else asks", async () => {
  const places = new Places({ atOnce: 4, atOnceEach: () => 2, ...PATIENT });
  assert.deepEqual([places.tryTake("a"), places.tryTake("a"), places.tryTake("a")], [true, true, false]);
  const third = places.take("a");
  assert.deepEqual([places.tryTake("b"), places.tryTake("c"), places.tryTake("d")], [true, true, false]);
  places.give("b");
  assert.equal(places.tryTake("d"), true);
  places.give("a");
  await third;
});

test("who asks for more than may wait is refused, and nobody else", async () => {
  const places = new Places({ atOnce: 1, atOnceEach: () => 1, waitingEach: 1, waitMs: 60_000 });
  await places.take("a");
  const waits = places.take("a");
  await assert.rejects(places.take("a"), Overloaded);
  const other = places.take("b");
  places.give("a");
  await waits;
  places.give("a");
  await other;
});

test("where all that may wait do, the holder that has most gives a place to one that has fewer", async () => {
  const places = new Places({ atOnce: 1, atOnceEach: () => 1, waitingEach: 4, waitMs: 60_000, waitingAll: 6 });
  await places.take("first");
  const outcomes: string[] = [];
  const ask = async (name: string) => {
    await places.take(name.charAt(0)).then(
      () => outcomes.push(`${name} served`),
      () => outcomes.push(`${name} refused`),
    );
    if (outcomes.includes(`${name} served`)) places.give(name.charAt(0));
  };
  const asked = ["a1", "a2", "a3", "a4", "b1", "b2", "c1", "d1", "e1", "f1", "g1"].map(ask);
  places.give("first");
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
  await places.take("a");
  await assert.rejects(places.take("a"), Overloaded);
  places.give("a");
  assert.equal(places.tryTake("b"), true);
});
