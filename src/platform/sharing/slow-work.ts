import { BoundedMap } from "../bounded-map.ts";
import { now } from "../clock.ts";
import { PRESENT_FOR_MS, type Presence } from "./presence.ts";

/** Longer work does not belong on shared connections, where all later work waits for it. */
export const SLOW_MS = 10;
/** The time that work stays off shared connections after it was slow. */
export const SLOW_FOR_MS = 30_000;
const REMEMBERED = 10_000;

/**
 * Remembers, by name and with an end, work that must not use shared connections: slow kinds of work of a tenant, and
 * locked rows.
 */
export class SlowWork {
  readonly #presence: Presence;
  readonly #until = new BoundedMap<number>(REMEMBERED);
  /** The recent durations of work, by name, in milliseconds. */
  readonly #lately = new BoundedMap<number>(REMEMBERED);

  constructor(presence: Presence) {
    this.#presence = presence;
  }

  has(names: string[]): boolean {
    return names.some((name) => (this.#until.get(name) ?? 0) > now());
  }

  put(names: string[]): void {
    for (const name of names) this.#until.set(name, now() + SLOW_FOR_MS);
  }

  /**
   * Records the duration of work. Work that is mostly slow moves off shared connections, unless its tenant is alone.
   */
  note(name: string, ms: number): void {
    if (this.#presence.isAlone(PRESENT_FOR_MS)) return;
    const before = this.#lately.get(name) ?? 0;
    // A single slow run may be due to the machine: only several in a row count in full.
    const next = ms < before ? before + (ms - before) / 8 : Math.min(ms, 2 * before + 1);
    this.#lately.set(name, next);
    if (next > SLOW_MS) this.put([name]);
  }
}
