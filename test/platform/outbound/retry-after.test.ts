import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRetryAfter } from "../../../src/platform/outbound/retry-after.ts";

const NOW = Date.UTC(2026, 10, 20, 9, 15, 0);
const HOUR_MS = 3_600_000;

const readable: [text: string, milliseconds: number][] = [
  ["0", 0],
  ["7", 7_000],
  [" 120 ", 120_000],
  ["3600", HOUR_MS],
  ["3601", HOUR_MS],
  ["9".repeat(400), HOUR_MS],
  ["Fri, 20 Nov 2026 09:15:30 GMT", 30_000],
  ["Friday, 20-Nov-26 09:15:30 GMT", 30_000],
  ["Fri Nov 20 09:15:30 2026", 30_000],
  ["Fri, 20 Nov 2026 09:14:00 GMT", 0],
  ["Fri, 20 Nov 2037 09:14:00 GMT", HOUR_MS],
];

for (const [text, milliseconds] of readable) {
  test(`Retry-After ${text.slice(0, 40)} is ${milliseconds} ms`, () => {
    assert.equal(parseRetryAfter({ "retry-after": text }, NOW), milliseconds);
  });
}

test("any other Retry-After, and none, says nothing", () => {
  for (const text of ["", "soon", "-1", "1.5", "1e3", "2026-11-20T09:15:30Z", "Fri, 99 Nov 2026 09:15:30 GMT", "+5"]) {
    assert.equal(parseRetryAfter({ "retry-after": text }, NOW), null, text);
  }
  assert.equal(parseRetryAfter({}, NOW), null);
});
