import { BoundedMap } from "../bounded-map.ts";
import { now } from "../clock.ts";
import { PRESENT_FOR_MS, type Presence } from "./presence.ts";

/** Work that takes longer does not belong on shared connections, where everybody waits for the work before. */
export const SLOW_MS = 10;
/** It stays away from them for so long once it proved not to be quick. */
export const ASIDE_FOR_MS = 30_000;
const REMEMBERED = 10_000;

/** Remembers what goes aside, and until when: kinds of work of a tenant, and rows that something holds locked, by their names. */
export class Aside {
  readonly #presence: Presence;
  readonly #until = new BoundedMap<number>(REMEMBERED);
  /** The milliseconds that work of a name took lately. */
  readonly #lately = new BoundedMap<number>(REMEMBERED);

  constructor(presence: Presence) {
    this.#presence = presence;
  }

  has(names: string[]): boolean {
    return names.some((name) => (this.#until.get(name) ?? 0) > now());
  }

  put(names: string[]): void {
    for (const name of names) this.#until.set(name, now() + ASIDE_FOR_MS);
  }

  /** Notes what work took; where it is mostly slow, it goes aside for others' sake. */
  note(name: string, ms: number): void {
    if (this.#presence.isAlone(PRESENT_FOR_MS)) return;
    const before = this.#lately.get(name) ?? 0;
    // One that was slow may have been the machine: only several in a row count in full.
    const next = ms < before ? before + (ms - before) / 8 : Math.min(ms, 2 * before + 1);
    this.#lately.set(name, next);
    if (next > SLOW_MS) this.put([name]);
  }
}
