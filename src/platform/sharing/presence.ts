import { now } from "../clock.ts";

/**
 * A holder counts as present for this long after its last request. Only if no other is present may one use what others
 * leave free.
 */
export const PRESENT_FOR_MS = 5_000;
/** The same for the event loop, whose time a returning tenant gets at once. */
export const PRESENT_AT_LOOP_FOR_MS = 1_000;

/** Whether one holder has the server to itself: then it may also use the part that is reserved for others. */
export class Presence {
  #last = "";
  #othersSeenAt = 0;

  note(holder: string): void {
    if (holder === this.#last) return;
    if (this.#last !== "") this.#othersSeenAt = now();
    this.#last = holder;
  }

  /** @param forMs how long a holder counts as present after its last request */
  isAlone(forMs: number): boolean {
    return now() - this.#othersSeenAt > forMs;
  }
}
