import assert from "node:assert/strict";
import { afterEach, mock, test } from "node:test";
import { steady } from "../../src/platform/clock.ts";

afterEach(() => mock.restoreAll());

/** Sets the machine's time and its monotonic clock from now on. */
function set(time: number, counted: number): void {
  mock.restoreAll();
  mock.method(Date, "now", () => time);
  mock.method(performance, "now", () => counted);
}

test("time that is set back goes on, time that is set forward counts, and so does sleep, which the counter leaves out", () => {
  const [time, counted] = [Date.now() + 10_000, performance.now() + 10_000];
  set(time, counted);
  const begun = steady();
  for (const [wall, machine, passed] of [
    [5, 5.5, 5.5],
    [-3_600_000, 15.5, 15.5],
    [-3_600_000 + 20, 35.5, 35.5],
    [-3_600_000 + 50_020, 45.5, 50_035.5],
  ] as const) {
    set(time + wall, counted + machine);
    assert.equal(Math.round((steady() - begun) * 10) / 10, passed);
  }
});
