import { mock } from "node:test";
import { afterEachTest } from "../../together.ts";

afterEachTest(() => mock.timers.reset());

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** Moves the program's clock, until the test ends. */
export function later(milliseconds: number): void {
  const time = Date.now() + milliseconds;
  mock.timers.reset();
  mock.timers.enable({ apis: ["Date"], now: time });
}
