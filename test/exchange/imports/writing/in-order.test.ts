import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { CommitOrder } from "../../../../src/exchange/imports/kind.ts";
import { inOrder, NOTHING_BEFORE, NotYet } from "../../../../src/exchange/imports/writing/in-order.ts";

/** A reproducible sequence of numbers from 0 to below `most`. */
function numbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

for (const says of [true, false]) {
  const how = says ? "saying when they have their locks" : "saying nothing";
  test(`things written ${how} are committed and told in their order, and nothing behind a failure`, async () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = numbers(seed);
      const steps = async (most: number) => {
        for (let left = random(most); left > 0; left--) await setImmediate();
      };
      const failing = random(12);
      const [locked, committed, reported]: [number[], number[], number[]] = [[], [], []];
      let [begun, mostBegun] = [0, 0];
      let before = NOTHING_BEFORE;
      for (let index = 0; index < 10; index++) {
        await before.next;
        const commits = 1 + random(2);
        const write = async (order: (isLast: boolean) => CommitOrder) => {
          mostBegun = Math.max(mostBegun, ++begun);
          try {
            for (let commit = 1; commit <= commits; commit++) {
              const turn = order(commit === commits);
              await steps(5);
              locked.push(index);
              if (says) turn.locked();
              await steps(5);
              if (index === failing) throw new Error("refused");
              await turn.toCommit();
              await steps(5);
              if (commit === commits) committed.push(index);
            }
            return { failure: null };
          } catch (failure) {
            return { failure };
          } finally {
            begun--;
          }
        };
        const report = async () => {
          await steps(5);
          reported.push(index);
        };
        before = inOrder(before, write, report);
      }
      await before.reported;
      const all = Array.from({ length: 10 }, (_, index) => index);
      assert.deepEqual({ committed, reported }, { committed: all.slice(0, failing), reported: all });
      assert.deepEqual(
        locked,
        locked.toSorted((a, b) => a - b),
      );
      assert.ok(mostBegun <= 2, `${mostBegun} at once`);
    }
  });
}

test("what comes next is written when what is before it has its locks, and committed when that is", async () => {
  const events: string[] = [];
  const written = Promise.withResolvers<void>();
  const first = inOrder(
    NOTHING_BEFORE,
    async (order) => {
      const [part, all] = [order(false), order(true)];
      part.locked();
      await part.toCommit();
      events.push("a part is committed");
      await setImmediate();
      events.push("all is locked");
      all.locked();
      await written.promise;
      await all.toCommit();
      await setImmediate();
      events.push("committed");
      return { failure: null };
    },
    async () => {},
  );
  await first.next;
  const second = inOrder(
    first,
    async (order) => {
      const { toCommit } = order(true);
      events.push("the next one is written");
      written.resolve();
      await toCommit();
      events.push("the next one is committed");
      return { failure: null };
    },
    async () => {},
  );
  await second.reported;
  assert.deepEqual(events, [
    "a part is committed",
    "all is locked",
    "the next one is written",
    "committed",
    "the next one is committed",
  ]);
});

test("the next write releases its locks at once when the one before it is attempted again", async (t) => {
  // The transaction must wait for any length of time.
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const events: string[] = [];
  const letGo = Promise.withResolvers<void>();
  const first = inOrder(
    NOTHING_BEFORE,
    async (order) => {
      order(true).locked();
      await setImmediate();
      events.push("it is refused");
      const { locked, toCommit } = order(true);
      await letGo.promise;
      locked();
      await toCommit();
      events.push("committed");
      return { failure: null };
    },
    async () => {},
  );
  await first.next;
  const second = inOrder(
    first,
    async (order) => {
      const error = await order(true)
        .toCommit()
        .catch((error: unknown) => error);
      assert.ok(error instanceof NotYet);
      events.push("the next one releases its locks");
      letGo.resolve();
      await error.committed;
      await order(true).toCommit();
      events.push("the next one is committed");
      return { failure: null };
    },
    async () => {},
  );
  await second.reported;
  assert.deepEqual(events, [
    "it is refused",
    "the next one releases its locks",
    "committed",
    "the next one is committed",
  ]);
});

test("what was written and told is forgotten, however many come behind it", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  let alive = 0;
  const registry = new FinalizationRegistry<null>(() => alive--);
  /** The rows of a batch, which its write function references. */
  const follow = (before: typeof NOTHING_BEFORE) => {
    const rows = { text: "x".repeat(100) };
    registry.register(rows, null);
    alive++;
    return inOrder(
      before,
      async (order) => {
        const turn = order(true);
        turn.locked();
        await turn.toCommit();
        return { failure: null, read: rows.text.length };
      },
      async () => {},
    );
  };
  let before = NOTHING_BEFORE;
  for (let index = 0; index < 200; index++) {
    before = follow(before);
    await before.next;
  }
  await before.reported;
  collect();
  await setImmediate();
  assert.ok(alive < 10, `${alive} of 200`);
});
