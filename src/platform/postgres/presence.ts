import { now } from "../clock.ts";

/** A tenant counts as there for this long after its last request. */
const PRESENT_FOR_MS = 5_000;

/** Whether a tenant has the server to itself: then what the others would need left free for them is its own. */
export class Presence {
  #last = "";
  #othersSeenAt = 0;

  note(tenant: string): void {
    if (tenant === this.#last) return;
    if (this.#last !== "") this.#othersSeenAt = now();
    this.#last = tenant;
  }

  isAlone(): boolean {
    return now() - this.#othersSeenAt > PRESENT_FOR_MS;
  }
}
