import { now } from "./clock.ts";

/** Whether a tenant has the server to itself: then what the others would need left free for them is its own. */
export class Presence {
  readonly #presentForMs: number;
  #last = "";
  #othersSeenAt = 0;

  /** @param presentForMs a tenant counts as there for so long after its last request */
  constructor(presentForMs: number) {
    this.#presentForMs = presentForMs;
  }

  note(tenant: string): void {
    if (tenant === this.#last) return;
    if (this.#last !== "") this.#othersSeenAt = now();
    this.#last = tenant;
  }

  isAlone(): boolean {
    return now() - this.#othersSeenAt > this.#presentForMs;
  }
}
