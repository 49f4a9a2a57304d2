import { now } from "../clock.ts";

/** Others count as there for so long after their last request: where what they leave free is given to one that is alone. */
export const PRESENT_FOR_MS = 5_000;
/** The same at the event loop, which a tenant that comes back has at once. */
export const PRESENT_AT_LOOP_FOR_MS = 1_000;

/** Whether somebody has the server to itself: then what the others would need left free for them is its own. */
export class Presence {
  #last = "";
  #othersSeenAt = 0;

  note(holder: string): void {
    if (holder === this.#last) return;
    if (this.#last !== "") this.#othersSeenAt = now();
    this.#last = holder;
  }

  /** @param forMs one counts as there for so long after its last request */
  isAlone(forMs: number): boolean {
    return now() - this.#othersSeenAt > forMs;
  }
}
