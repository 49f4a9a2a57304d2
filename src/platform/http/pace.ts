import type { Paced } from "../fields/long-texts.ts";
import type { Caller } from "../sharing/caller.ts";
import { Places } from "../sharing/places.ts";

/** Characters; longer answers keep the event loop for milliseconds, in writing them and in tidying up after them. */
const LARGE_ANSWER = 256 * 1024;
/** Of an answer in parts so many may be made without a turn. */
const LARGE_PART = 128 * 1024;
/** After what is large its holder's next waits for so long, in milliseconds for each 2^20 characters. */
const REST_PER_MEGABYTE = 80;

const MOST_WAITING = 10_000;
const WAIT_MS = 60_000;

/**
 * Large answers of a holder, and large parts of them, are made one at a time with a rest behind each: others come in between.
 * A holder is a tenant or, where nobody says who asks, a network.
 */
export type Pace = {
  /** Resolves when an answer of so many characters may be written. Fails with Overloaded when the caller hangs up. */
  answer(holder: string, characters: number, caller: Caller): Promise<void>;
  /**
   * Makes the parts of one answer; before a large one it waits, and so for nothing where the caller hangs up meanwhile: then it
   * fails with Overloaded.
   */
  parts(holder: string, caller: Caller): Paced;
};

export function createPace(): Pace {
  const places = new Places({
    atOnce: Number.MAX_SAFE_INTEGER,
    atOnceEach: () => 1,
    waitingEach: MOST_WAITING,
    waitMs: WAIT_MS,
  });

  function rest(holder: string, characters: number): void {
    setTimeout(() => places.give(holder), (REST_PER_MEGABYTE * characters) / 2 ** 20).unref();
  }

  return {
    async answer(holder, characters, caller) {
      if (characters <= LARGE_ANSWER) return;
      await places.take(holder, caller);
      rest(holder, characters);
    },
    parts(holder, caller) {
      let sinceLastTurn = 0;
      return async (bytes, make) => {
        const isLarge = sinceLastTurn + bytes > LARGE_PART;
        if (isLarge) await places.take(holder, caller);
        try {
          const made = await make();
          sinceLastTurn += made.reduce((sum, { length }) => sum + length, 0);
          return made;
        } finally {
          if (isLarge) {
            rest(holder, sinceLastTurn);
            sinceLastTurn = 0;
          }
        }
      };
    },
  };
}
