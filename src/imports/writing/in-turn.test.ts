import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { inTurn, NOTHING_BEFORE } from "./in-turn.ts";

/** The same numbers each time, from 0 to below `most`. */
function numbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

test("whatever takes how long, things are committed and told in their order, and nothing behind a failure", async () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = numbers(seed);
    const turns = async (most: number) => {
      for (let left = random(most); left > 0; left--) await setImmediate();
    };
    const failing = random(12);
    const [committed, told]: [number[], number[]] = [[], []];
    let [writing, atOnce] = [0, 0];
    let before = NOTHING_BEFORE;
    for (let index = 0; index < 10; index++) {
      await before.next;
      const commits = 1 + random(2);
      const write = async (turn: (isLast: boolean) => Promise<void>) => {
        atOnce = Math.max(atOnce, ++writing);
        try {
          for (let commit = 1; commit <= commits; commit++) {
            await turns(5);
            if (index === failing) throw new Error("refused");
            await turn(commit === commits);
            await turns(5);
            if (commit === commits) committed.push(index);
          }
          return { failure: null };
        } catch (failure) {
          return { failure };
        } finally {
          writing--;
        }
      };
      const tell = async () => {
        await turns(5);
        told.push(index);
      };
      before = inTurn(before, write, tell);
    }
    await before.told;
    const all = Array.from({ length: 10 }, (_, index) => index);
    assert.deepEqual({ committed, told }, { committed: all.slice(0, failing), told: all });
    assert.ok(atOnce <= 2, `${atOnce} at once`);
  }
});

test("the next one begins while one is committed, and not before that one is written", async () => {
  const events: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = inTurn(
    NOTHING_BEFORE,
    async (turn) => {
      await turn(false);
      events.push("a part is written");
      await setImmediate();
      events.push("all is written");
      await turn(true);
      await gate.promise;
      events.push("committed");
      return { failure: null };
    },
    async () => {},
  );
  await first.next;
  const second = inTurn(
    first,
    async (turn) => {
      events.push("the next one begins");
      gate.resolve();
      await turn(true);
      events.push("the next one is committed");
      return { failure: null };
    },
    async () => {},
  );
  await second.told;
  assert.deepEqual(events, [
    "a part is written",
    "all is written",
    "the next one begins",
    "committed",
    "the next one is committed",
  ]);
});
