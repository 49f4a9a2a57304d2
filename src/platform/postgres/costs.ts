import { now } from "../clock.ts";
import { BoundedMap } from "../bounded-map.ts";
import { PRESENT_FOR_MS, type Presence } from "../sharing/presence.ts";
import type { TenantId } from "./tenant-id.ts";

/** Work that takes longer does not belong on shared connections, where everybody waits for the work before. */
const SLOW_MS = 10;
/** The time that slow work stays away from them. */
const SLOW_FOR_MS = 30_000;
const REMEMBERED = 10_000;
const FIRST_GUESS_MS = 0.5;

/** The time that each kind of work of a tenant took lately, as a forecast of the next. Small where little is known. */
export class Costs {
  readonly #presence: Presence;
  readonly #lately = new BoundedMap<number>(REMEMBERED);
  readonly #slowUntil = new BoundedMap<number>(REMEMBERED);

  constructor(presence: Presence) {
    this.#presence = presence;
  }

  /** The milliseconds that others will wait for it: none where there is nobody else. */
  expected(tenant: TenantId, kind: string): number {
    return this.#presence.isAlone(PRESENT_FOR_MS) ? 0 : (this.#lately.get(`${tenant}/${kind}`) ?? FIRST_GUESS_MS);
  }

  isSlow(tenant: TenantId, kind: string): boolean {
    return (this.#slowUntil.get(`${tenant}/${kind}`) ?? 0) > now();
  }

  note(tenant: TenantId, kind: string, ms: number): void {
    const expected = this.#lately.get(`${tenant}/${kind}`) ?? FIRST_GUESS_MS;
    // One that was slow may have been the machine: only several in a row count in full.
    const next = ms < expected ? expected + (ms - expected) / 8 : Math.min(ms, 2 * expected + 1);
    this.#lately.set(`${tenant}/${kind}`, next);
    if (next > SLOW_MS && !this.#presence.isAlone(PRESENT_FOR_MS)) this.noteTooSlow(tenant, kind);
  }

  /** Notes that work had to be given up. */
  noteTooSlow(tenant: TenantId, kind: string): void {
    this.#slowUntil.set(`${tenant}/${kind}`, now() + SLOW_FOR_MS);
  }
}
