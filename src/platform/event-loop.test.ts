import assert from "node:assert/strict";
import { test } from "node:test";
import { EventLoop } from "./event-loop.ts";

/** Takes a turn and notes whose it was. */
async function turn(loop: EventLoop, whose: string, served: string[], ms = 0.1): Promise<void> {
  await loop.take(whose, ms);
  served.push(whose);
}

/** Keeps the event loop for so long; the look at what has arrived since counts that. */
async function working(ms: number): Promise<void> {
  const until = performance.now() + ms;
  while (performance.now() < until);
  await new Promise((resolve) => setImmediate(resolve));
}

test("who is alone waits for nothing", () => {
  const loop = new EventLoop();
  for (let n = 0; n < 1_000; n++) assert.equal(loop.take("busy", 5), null);
});

test("whoever comes after a hundred turns of somebody else's is served among the first of them", async () => {
  const loop = new EventLoop();
  const served: string[] = [];
  void loop.take("other", 0.1);
  const busy = Array.from({ length: 100 }, async () => await turn(loop, "busy", served, 3));
  await turn(loop, "other", served);
  assert.ok(served.length <= 3, `${served.length} were served before`);
  await Promise.all(busy);
  assert.equal(served.length, 101);
});

test("who has worked for long rests, and others go on meanwhile", async () => {
  const loop = new EventLoop();
  const served: string[] = [];
  void loop.take("other", 0.1);
  await turn(loop, "busy", served, 5);
  await working(50);
  const next = turn(loop, "busy", served);
  for (let n = 0; n < 20; n++) await turn(loop, "other", served);
  assert.equal(served.filter((one) => one === "busy").length, 1);
  await next;
});

test("who asks for little waits for nothing that others, or the machine, took long for", async () => {
  const loop = new EventLoop();
  void loop.take("other", 0.1);
  for (let n = 0; n < 5; n++) {
    assert.equal(loop.take("modest", 0.1), null, `turn ${n}`);
    await working(20);
  }
});

test("turns of one are served in the order in which they were asked for", async () => {
  const loop = new EventLoop();
  const served: string[] = [];
  void loop.take("other", 0.1);
  await Promise.all(
    Array.from({ length: 50 }, async (_, n) => {
      await loop.take("busy", 1);
      served.push(String(n));
    }),
  );
  assert.deepEqual(
    served,
    Array.from({ length: 50 }, (_, n) => String(n)),
  );
});

test("when the others have gone, nobody waits any more", async () => {
  const loop = new EventLoop();
  void loop.take("other", 0.1);
  // At a quarter of the time these would take 40 seconds.
  await Promise.all(Array.from({ length: 10_000 }, async () => await loop.take("busy", 1)));
  assert.equal(loop.take("busy", 1_000), null);
  assert.equal(loop.take("busy", 1_000), null);
});
