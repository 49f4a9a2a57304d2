import type { Caller } from "../postgres/database.ts";
import { Turns } from "../postgres/turns.ts";

/** Characters; longer answers keep the event loop for milliseconds, in writing them and in tidying up after them. */
const LARGE_ANSWER = 256 * 1024;
/** Of an answer in parts so many characters are written at a time. */
const LARGE_PART = 128 * 1024;
/** After what is large the tenant's next waits for so long, in milliseconds for each 2^20 characters. */
const REST_PER_MEGABYTE = 80;

const MOST_WAITING = 10_000;
const WAIT_MS = 60_000;

/** Large answers of a tenant, and large parts of them, are written one at a time with a rest behind each: others come in between. */
export type Pace = {
  /** Resolves when an answer of so many characters may be written. Fails with DatabaseUnavailable when the caller hangs up. */
  answer(tenant: string, characters: number, caller: Caller): Promise<void>;
  /** The same parts, as fast as they may be written. */
  parts(tenant: string, parts: AsyncIterable<string>, caller: Caller): AsyncGenerator<string>;
};

export function createPace(): Pace {
  const turns = new Turns({
    atOnce: Number.MAX_SAFE_INTEGER,
    atOnceEach: () => 1,
    waitingEach: MOST_WAITING,
    waitMs: WAIT_MS,
  });

  async function takeTurn(tenant: string, characters: number, caller: Caller): Promise<void> {
    await turns.take(tenant, caller);
    setTimeout(() => turns.give(tenant), (REST_PER_MEGABYTE * characters) / 2 ** 20).unref();
  }

  return {
    async answer(tenant, characters, caller) {
      if (characters > LARGE_ANSWER) await takeTurn(tenant, characters, caller);
    },
    async *parts(tenant, parts, caller) {
      let characters = 0;
      for await (const part of parts) {
        characters += part.length;
        if (characters > LARGE_PART) {
          await takeTurn(tenant, characters, caller);
          characters = 0;
        }
        yield part;
      }
    },
  };
}
