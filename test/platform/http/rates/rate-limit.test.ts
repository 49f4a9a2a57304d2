import assert from "node:assert/strict";
import { test } from "node:test";
import { RateLimiter } from "../../../../src/platform/http/rates/rate-limit.ts";

test("more subjects than are remembered cost the oldest their counts, and no others", () => {
  const limiter = new RateLimiter();
  const flood = (from: number, to: number) => {
    for (let subject = from; subject < to; subject++) limiter.hit(`flood ${subject}`, 1);
  };
  limiter.hit("oldest", 1);
  flood(0, 30_000);
  limiter.hit("recent", 1);
  assert.equal(limiter.hit("oldest", 1).allowed, false);
  flood(30_000, 60_000);
  assert.equal(limiter.hit("recent", 1).allowed, false);
  assert.equal(limiter.hit("oldest", 1).allowed, true);
});

test("a refused request has the time to the end of its minute, at least a second, and does not prolong it", (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 600_000 });
  const limiter = new RateLimiter();
  const hit = () => {
    const { allowed, resetAt, retryAfter } = limiter.hit("a", 1);
    return [allowed, resetAt, retryAfter];
  };
  assert.deepEqual(hit(), [true, 660, 60]);
  t.mock.timers.tick(59_500);
  assert.deepEqual(hit(), [false, 660, 1]);
  t.mock.timers.tick(499);
  assert.deepEqual(hit(), [false, 660, 1]);
  assert.equal(limiter.refused, 2);
  t.mock.timers.tick(1);
  assert.deepEqual(hit(), [true, 720, 60]);
});

test("totals of a minute that is over, from other processes, do not end the present one", (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 600_000 });
  const limiter = new RateLimiter();
  limiter.hit("a", 2);
  limiter.receive([["a", 600_000, 0]]);
  limiter.receive([["a", 650_000, 2]]);
  assert.deepEqual([limiter.isUsedUp("a", 2), limiter.isUsedUp("a", 3)], [true, false]);
  limiter.receive([["a", 600_000, 0]]);
  assert.equal(limiter.hit("a", 2).allowed, false);
  t.mock.timers.tick(50_000);
  assert.equal(limiter.hit("a", 2).allowed, true);
});
