import { now } from "../clock.ts";
import { BoundedMap } from "../bounded-map.ts";
import type { Presence } from "./presence.ts";
import type { TenantId } from "./tenant-id.ts";

/** On shared connections everybody waits for what comes before: what takes longer than this does not belong there. */
const SLOW_MS = 10;
/** How long what was slow stays away from them. */
const SLOW_FOR_MS = 30_000;
const REMEMBERED = 10_000;
const FIRST_GUESS_MS = 0.5;

/** What the kinds of work of each tenant took lately, to tell what the next will take. Small where little is known. */
export class Costs {
  readonly #presence: Presence;
  readonly #known = new BoundedMap<number>(REMEMBERED);
  readonly #slowUntil = new BoundedMap<number>(REMEMBERED);

  constructor(presence: Presence) {
    this.#presence = presence;
  }

  /** Milliseconds that others wait for: none where there is nobody else. */
  expected(tenant: TenantId, kind: string): number {
    return this.#presence.isAlone() ? 0 : (this.#known.get(`${tenant}/${kind}`) ?? FIRST_GUESS_MS);
  }

  isSlow(tenant: TenantId, kind: string): boolean {
    return (this.#slowUntil.get(`${tenant}/${kind}`) ?? 0) > now();
  }

  note(tenant: TenantId, kind: string, ms: number): void {
    const expected = this.#known.get(`${tenant}/${kind}`) ?? FIRST_GUESS_MS;
    // One that was slow may have been the machine: only several in a row count in full.
    const next = ms < expected ? expected + (ms - expected) / 8 : Math.min(ms, 2 * expected + 1);
    this.#known.set(`${tenant}/${kind}`, next);
    if (next > SLOW_MS && !this.#presence.isAlone()) this.noteTooSlow(tenant, kind);
  }

  /** It had to be given up. */
  noteTooSlow(tenant: TenantId, kind: string): void {
    this.#slowUntil.set(`${tenant}/${kind}`, now() + SLOW_FOR_MS);
  }
}
