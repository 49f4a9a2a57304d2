import assert from "node:assert/strict";
import { test } from "node:test";
import { NOBODY, type Caller } from "../sharing/caller.ts";
import { createPace } from "./pace.ts";

const MEGABYTE = 2 ** 20;

test("large answers of a tenant come one by one; small ones, and another tenant's, wait for none of them", async () => {
  const pace = createPace();
  const order: string[] = [];
  const answer = async (name: string, tenant: string, characters: number): Promise<void> => {
    await pace.answer(tenant, characters, NOBODY);
    order.push(name);
  };
  await Promise.all([
    answer("first", "a", MEGABYTE),
    answer("second", "a", MEGABYTE),
    answer("third", "a", MEGABYTE),
    answer("another's", "b", MEGABYTE),
    answer("small", "a", 64 * 1024),
  ]);
  assert.deepEqual(order.toSorted(), ["another's", "first", "second", "small", "third"]);
  assert.deepEqual(order.slice(3), ["second", "third"]);
});

test("an answer that nobody waits for any more takes no turn", async () => {
  const pace = createPace();
  await pace.answer("a", MEGABYTE, NOBODY);
  const { caller, hangUp } = hangingUp();
  const waiting = pace.answer("a", MEGABYTE, caller);
  hangUp();
  await assert.rejects(waiting);
  await pace.answer("a", MEGABYTE, NOBODY);
});

test("the parts of an answer come in their order, and large ones wait as large answers do", async () => {
  const pace = createPace();
  const order: string[] = [];
  const write = async (name: string, tenant: string, length: number): Promise<void> => {
    const paced = pace.parts(tenant, NOBODY);
    for (const digit of ["1", "2", "3"]) {
      order.push(
        ...(await paced(length, async () => [name + digit.padEnd(length, " ")])).map((part) => part.trimEnd()),
      );
    }
  };
  await Promise.all([write("large", "a", MEGABYTE), write("small", "a", 1_000), write("another's", "b", 1_000)]);
  assert.deepEqual(order.slice(-2), ["large2", "large3"]);
  assert.deepEqual(
    order.toSorted(),
    ["another's", "large", "small"].flatMap((name) => [1, 2, 3].map((n) => name + n)),
  );
});

test("a large part is not made for somebody who hung up before its turn, and one that fails keeps no turn", async () => {
  const pace = createPace();
  const failing = pace.parts("a", NOBODY)(MEGABYTE, async () => await Promise.reject(new Error("no row")));
  let isMade = false;
  const gone = hangingUp();
  const abandoned = pace.parts("a", gone.caller)(MEGABYTE, async () => {
    isMade = true;
    return await Promise.resolve([]);
  });
  gone.hangUp();
  await assert.rejects(failing, /no row/);
  await assert.rejects(abandoned);
  assert.equal(isMade, false);
  assert.deepEqual(await pace.parts("a", NOBODY)(MEGABYTE, async () => await Promise.resolve(["made"])), ["made"]);
});

function hangingUp(): { caller: Caller; hangUp: () => void } {
  const gone = new AbortController();
  const caller = {
    get hasHungUp() {
      return gone.signal.aborted;
    },
    whenHungUp(told: () => void) {
      gone.signal.addEventListener("abort", told);
      return () => gone.signal.removeEventListener("abort", told);
    },
  };
  return { caller, hangUp: () => gone.abort() };
}
