import assert from "node:assert/strict";
import { test } from "node:test";
import { Overloaded } from "../../../src/platform/sharing/overloaded.ts";
import { Places, type PlacesOptions } from "../../../src/platform/sharing/places.ts";

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

/** The outcomes, in their order, of callers who wait for one place, which is released once all of them wait. */
async function outcomesOf(asking: number, options: Partial<PlacesOptions>): Promise<string[]> {
  const places = new Places({ atOnce: 1, atOnceEach: () => 1, waitMs: 60_000, ...options });
  await places.acquire("a");
  const outcomes: string[] = [];
  const asked = Array.from({ length: asking }, async (_none, number) => {
    const outcome = await places.acquire("a").then(
      () => "served",
      () => "refused",
    );
    outcomes.push(`${number} ${outcome}`);
    if (outcome === "served") places.release("a");
  });
  await new Promise(setImmediate);
  places.release("a");
  await Promise.all(asked);
  return outcomes;
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_none, at) => from + at);
const served = (those: number[]) => those.map((number) => `${number} served`);
const refused = (those: number[]) => those.map((number) => `${number} refused`);

test("of a long line the newest is served first; of more than may wait the newcomers are refused", async () => {
  const outcomes = await outcomesOf(105, { waitingEach: 103 });
  assert.deepEqual(outcomes, [...refused([103, 104]), ...served([102, 101, 100, ...numbers(0, 99)])]);
});

test("a long line uses few of its holder's places, so that a newcomer waits for few others", async () => {
  const places = new Places({ atOnce: 10, atOnceEach: () => 10, waitMs: 60_000, atOnceOfLong: 2 });
  await Promise.all(numbers(1, 10).map(async () => await places.acquire("a")));
  const asked = numbers(1, 210).map(async () => await places.acquire("a"));
  numbers(1, 10).forEach(() => places.release("a"));
  assert.deepEqual([places.inUse, places.waiting], [2, 208]);
  places.release("a");
  assert.deepEqual([places.inUse, places.waiting, places.tryAcquire("a")], [2, 207, false]);
  places.admitAll();
  assert.deepEqual([places.inUse, places.waiting], [209, 0]);
  await Promise.all(asked);
});

test("callers of a long line who leave it are forgotten, also from its middle", async () => {
  const places = new Places({ atOnce: 1, atOnceEach: () => 1, ...PATIENT, waitingEach: 10_000 });
  await places.acquire("a");
  const hangUps: (() => void)[] = [];
  const asked = Array.from({ length: 1_000 }, async () => {
    const whenHungUp = (told: () => void) => (hangUps.push(told), () => {});
    await places.acquire("a", { hasHungUp: false, holder: "a", whenHungUp });
    places.release("a");
  });
  for (const hangUp of hangUps.filter((_told, number) => number % 4 > 0)) hangUp();
  const outcomes = Promise.allSettled(asked);
  assert.equal(places.waiting, 250);
  places.release("a");
  const served = (await outcomes).filter(({ status }) => status === "fulfilled");
  assert.equal(served.length, 250);
  assert.equal(places.waiting, 0);
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
