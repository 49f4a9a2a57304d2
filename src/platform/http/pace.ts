import type { Caller } from "../postgres/database.ts";
import { Turns } from "../postgres/turns.ts";

/** Characters; longer answers keep the event loop for milliseconds, in writing them and in tidying up after them. */
const LARGE_ANSWER = 256 * 1024;
/** After a large answer the tenant's next one waits for so long, in milliseconds for each 2^20 characters. */
const REST_PER_MEGABYTE = 80;

const MOST_WAITING = 10_000;
const WAIT_MS = 30_000;

/** Resolves when an answer of so many characters may be written. Fails with DatabaseUnavailable when the caller hangs up. */
export type Pace = (tenant: string, characters: number, caller: Caller) => Promise<void>;

/** Large answers of a tenant are written one at a time and with a rest behind each, so that others come in between. */
export function createPace(): Pace {
  const turns = new Turns({
    atOnce: Number.MAX_SAFE_INTEGER,
    atOnceEach: () => 1,
    waitingEach: MOST_WAITING,
    waitMs: WAIT_MS,
  });
  return async (tenant, characters, caller) => {
    if (characters <= LARGE_ANSWER) return;
    await turns.take(tenant, caller);
    setTimeout(() => turns.give(tenant), (REST_PER_MEGABYTE * characters) / 2 ** 20).unref();
  };
}
