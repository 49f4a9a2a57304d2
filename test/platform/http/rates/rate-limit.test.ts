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
