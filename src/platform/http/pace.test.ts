import assert from "node:assert/strict";
import { test } from "node:test";
import { NOBODY } from "../postgres/caller.ts";
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
  const waiting = pace.answer("a", MEGABYTE, caller);
  gone.abort();
  await assert.rejects(waiting);
  await pace.answer("a", MEGABYTE, NOBODY);
});

test("an answer in parts is written as it was made, and its large parts wait as large answers do", async () => {
  const pace = createPace();
  const order: string[] = [];
  async function* made(name: string, length: number): AsyncGenerator<string> {
    for (const digit of ["1", "2", "3"]) yield name + digit.padEnd(length, " ");
  }
  const write = async (name: string, tenant: string, length: number): Promise<void> => {
    for await (const part of pace.parts(tenant, made(name, length), NOBODY)) order.push(part.trimEnd());
  };
  await Promise.all([write("large", "a", MEGABYTE), write("small", "a", 1_000), write("another's", "b", 1_000)]);
  assert.deepEqual(order.slice(-2), ["large2", "large3"]);
  assert.deepEqual(
    order.toSorted(),
    ["another's", "large", "small"].flatMap((name) => [1, 2, 3].map((n) => name + n)),
  );
});
