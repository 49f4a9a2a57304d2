import assert from "node:assert/strict";
import { test } from "node:test";
import type { Caller } from "../../../src/platform/sharing/caller.ts";
import { holderAt } from "../../../src/platform/sharing/holder.ts";
import { Presence } from "../../../src/platform/sharing/presence.ts";
import { Time } from "../../../src/platform/sharing/time.ts";

/** Takes a turn and records the holder. */
async function turn(time: Time, whose: string, served: string[], ms = 0.1): Promise<void> {
  await time.waitForTurn(whose, ms);
  served.push(whose);
}

/** Blocks the event loop for this long; the next look counts it. */
async function working(ms: number): Promise<void> {
  const until = performance.now() + ms;
  while (performance.now() < until);
  await new Promise((resolve) => setImmediate(resolve));
}

test("who is alone waits for nothing but a look at what has arrived, after each two milliseconds of work", async () => {
  const time = new Time(new Presence());
  let looks = 0;
  const look = (): void => {
    looks++;
    next = setImmediate(look);
  };
  let next = setImmediate(look);
  for (let n = 0; n < 40; n++) await time.waitForTurn("busy", 0.5);
  clearImmediate(next);
  assert.ok(looks >= 9 && looks <= 11, `${looks}`);
});

test("a holder that arrives after a hundred turns of another is served among the first of them", async () => {
  const time = new Time(new Presence());
  const served: string[] = [];
  void time.waitForTurn("other", 0.1);
  const busy = Array.from({ length: 100 }, async () => await turn(time, "busy", served, 3));
  await turn(time, "other", served);
  assert.ok(served.length <= 3, `${served.length} were served before`);
  await Promise.all(busy);
  assert.equal(served.length, 101);
});

test("who has worked for long rests, and others go on meanwhile", async () => {
  const time = new Time(new Presence());
  const served: string[] = [];
  void time.waitForTurn("other", 0.1);
  await turn(time, "busy", served, 5);
  await working(50);
  const asked = performance.now();
  const next = turn(time, "busy", served);
  await turn(time, "other", served);
  assert.deepEqual(served, ["busy", "other"]);
  await next;
  const rested = performance.now() - asked;
  assert.ok(rested >= 40, `${rested} ms`);
});

test("a holder with little work waits for no long work of others or of the machine", async () => {
  const time = new Time(new Presence());
  void time.waitForTurn("other", 0.1);
  for (let n = 0; n < 5; n++) {
    assert.equal(time.waitForTurn("modest", 0.1), null, `turn ${n}`);
    await working(20);
  }
});

test("turns of one are served in the order in which they were asked for", async () => {
  const time = new Time(new Presence());
  const served: string[] = [];
  void time.waitForTurn("other", 0.1);
  await Promise.all(
    Array.from({ length: 50 }, async (_, n) => {
      await time.waitForTurn("busy", 1);
      served.push(String(n));
    }),
  );
  assert.deepEqual(
    served,
    Array.from({ length: 50 }, (_, n) => String(n)),
  );
});

test("when the others have gone, nobody waits any more", async () => {
  const time = new Time(new Presence());
  void time.waitForTurn("other", 0.1);
  // At a quarter of the time these would take 40 seconds.
  await Promise.all(Array.from({ length: 10_000 }, async () => await time.waitForTurn("busy", 1)));
  assert.equal(time.isFree("busy"), true);
});

test("a network is never alone: it has its share of the time and no more, even without other holders", async () => {
  const time = new Time(new Presence());
  const network = holderAt("192.0.2.1");
  assert.equal(time.waitForTurn(network, 50), null);
  let isServed = false;
  const next = Promise.resolve(time.waitForTurn(holderAt("192.0.2.77"), 1)).then(() => (isServed = true));
  for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isServed, false);
  await next;
});

test("a tenant is alone whatever networks ask for beside it: a probe of the server's health is nobody to leave time for", () => {
  const time = new Time(new Presence());
  void time.waitForTurn("tenant", 0.1);
  void time.waitForTurn(holderAt("192.0.2.1"), 0.1);
  assert.equal(time.isFree("tenant"), true);
  void time.waitForTurn("another", 0.1);
  assert.equal(time.isFree("tenant"), false);
});

test("who hangs up waits no more, and is charged nothing", async () => {
  const time = new Time(new Presence());
  const served: string[] = [];
  void time.waitForTurn("other", 0.1);
  await turn(time, "busy", served, 5);
  const { caller, hangUp } = hangingUp();
  const gone = Array.from({ length: 10 }, async () => await time.waitForTurn("busy", 1_000, caller));
  const next = turn(time, "busy", served);
  hangUp();
  for (const { status } of await Promise.allSettled(gone)) assert.equal(status, "rejected");
  await assert.rejects(async () => await time.waitForTurn("busy", 1_000, caller));
  // Before the others have gone; otherwise the ten would have made it rest until then.
  for (let n = 0; n < 20; n++) await turn(time, "other", served);
  await next;
});

function hangingUp(): { caller: Caller; hangUp: () => void } {
  const gone = new AbortController();
  const caller = {
    holder: "a",
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
