import type { RateWindow } from "./rate-windows.ts";

/** A number of hits of a subject, in the window that ends then. */
export type RateCount = [subject: string, endsAt: number, hits: number];

/** The longest delay before a hit is reported. */
const SEND_EVERY_MS = 100;
/** The part of a limit that is reported at once (docs/contract.md 2.7). */
const SEND_AT = 1 / 100;

/**
 * The hits of one process that others must learn of. They are reported in batches, so that each costs almost nothing.
 */
export class RateNews {
  readonly #send: (counts: RateCount[]) => void;
  #windows = new Map<string, RateWindow>();
  #later: NodeJS.Timeout | null = null;
  #soon: NodeJS.Immediate | null = null;

  constructor(send: (counts: RateCount[]) => void) {
    this.#send = send;
  }

  /** Notes one hit that is in the window already. */
  note(subject: string, window: RateWindow, limit: number): void {
    if (++window.unsent === 1) this.#windows.set(subject, window);
    if (window.unsent >= limit * SEND_AT) this.#soon ??= setImmediate(() => this.#sendAll());
    this.#later ??= setTimeout(() => this.#sendAll(), SEND_EVERY_MS).unref();
  }

  #sendAll(): void {
    clearImmediate(this.#soon ?? undefined);
    clearTimeout(this.#later ?? undefined);
    this.#soon = null;
    this.#later = null;
    const windows = this.#windows;
    this.#windows = new Map();
    this.#send([...windows].map(([subject, window]) => [subject, window.endsAt, window.unsent]));
    for (const window of windows.values()) window.unsent = 0;
  }
}
