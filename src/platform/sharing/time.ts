import { NOBODY, type Caller } from "./caller.ts";
import { isNetwork, type Holder } from "./holder.ts";
import { hungUp } from "./overloaded.ts";
import { PRESENT_AT_LOOP_FOR_MS, type Presence } from "./presence.ts";

/** Milliseconds that are worked between two looks at what has arrived meanwhile. */
export const BETWEEN_LOOKS_MS = 2;
/** The work of one among others: so long at once, and beyond that a quarter of the time. */
export const AT_ONCE_MS = 4;
/** The rest of one among others: so many times what it worked. */
export const REST = 3;
/**
 * Work counts as up to so many times what was expected. The loop may have taken longer for others' sake, or because the
 * processor was elsewhere, and who asks for little would be kept waiting for that.
 */
export const MOST_TIMES = 4;

type TimeWaiter = { ms: number; goOn: () => void };

/** Those who wait for one holder. What it has used, and the rest that comes with it, is over at `usedUntil`. */
type Queue = { holder: Holder; waiting: Set<TimeWaiter>; usedUntil: number };

/**
 * The time of the event loop. It answers everybody: a hundred lists of a tenant whose rows arrive together would be made one
 * behind the other, and a look-up of another tenant after them. So holders take turns, what arrives is read in between,
 * and one that is among others works for a quarter of the time at most (docs/decisions/0047-one-idea-of-sharing.md).
 */
export class Time {
  /** For whoever watches: how many had to wait so far, and for how long in all. */
  readonly waited = { times: 0, ms: 0 };
  readonly #presence: Presence;
  readonly #queues = new Map<Holder, Queue>();
  /** The holders that got a turn since the last look, with the time that each is expected to take. */
  #served: { queue: Queue; ms: number }[] = [];
  /** The moment of that look. */
  #servedAt = 0;
  /** The time that they are expected to take together. */
  #spent = 0;
  #isScheduled = false;
  /** The work of whoever is alone since the last look. */
  #sinceLook = 0;

  constructor(presence: Presence) {
    this.#presence = presence;
  }

  /** Whether there is nobody to leave time for. */
  isFree(holder: Holder): boolean {
    return this.#presence.isAlone(PRESENT_AT_LOOP_FOR_MS) && !isNetwork(holder);
  }

  /**
   * Waits for a turn; null: it is there at once. A tenant that is alone waits, now and then, for a look at what has arrived.
   * Fails with Overloaded when the caller hangs up meanwhile, who is charged nothing.
   * @param ms that the work is expected to take; what it takes beyond that is counted too, by these proportions
   */
  take(holder: Holder, ms: number, caller: Caller = NOBODY): Promise<void> | null {
    // Probes of the server's health come from a network too, and each would have a tenant among others for seconds.
    if (!isNetwork(holder)) this.#presence.note(holder);
    if (this.isFree(holder)) return this.#lookNowAndThen(ms);
    if (caller.hasHungUp) return Promise.reject(hungUp());
    const queue = this.#queues.get(holder) ?? { holder, waiting: new Set(), usedUntil: 0 };
    this.#queues.set(holder, queue);
    if (queue.waiting.size === 0 && this.#mayGoOn(queue, performance.now())) {
      this.#spend(queue, ms);
      return null;
    }
    this.waited.times++;
    const since = performance.now();
    return new Promise((resolve, reject) => {
      const waiting: TimeWaiter = {
        ms,
        goOn: () => {
          this.waited.ms += performance.now() - since;
          forget();
          resolve();
        },
      };
      const forget = caller.whenHungUp(() => {
        forget();
        queue.waiting.delete(waiting);
        reject(hungUp());
      });
      queue.waiting.add(waiting);
      this.#schedule();
    });
  }

  #lookNowAndThen(ms: number): Promise<void> | null {
    this.#sinceLook += ms;
    if (this.#sinceLook < BETWEEN_LOOKS_MS) return null;
    this.#sinceLook = 0;
    return new Promise((goOn) => setImmediate(goOn));
  }

  #mayGoOn({ usedUntil }: Queue, now: number): boolean {
    return this.#spent < BETWEEN_LOOKS_MS && usedUntil - now < AT_ONCE_MS;
  }

  #spend(queue: Queue, ms: number): void {
    if (this.#served.length === 0) this.#servedAt = performance.now();
    this.#spent += ms;
    this.#served.push({ queue, ms });
    charge(queue, ms, this.#servedAt);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // Where all rest, there is nothing to do before the first of them is ready.
    if (this.#served.length === 0) setTimeout(() => this.#serve(), 1);
    else setImmediate(() => this.#serve());
  }

  #serve(): void {
    this.#isScheduled = false;
    const now = performance.now();
    this.#chargeRest(now);
    // A queue that is served goes to the end of all, and so is looked at again.
    for (const queue of this.#queues.values()) {
      const [next] = queue.waiting;
      const isFree = this.isFree(queue.holder);
      if (next === undefined) {
        if (isFree || queue.usedUntil <= now) this.#queues.delete(queue.holder);
      } else if (isFree || this.#mayGoOn(queue, now)) {
        queue.waiting.delete(next);
        this.#queues.delete(queue.holder);
        this.#queues.set(queue.holder, queue);
        if (!isFree) this.#spend(queue, next.ms);
        next.goOn();
      }
    }
    if (this.#queues.size > 0) this.#schedule();
  }

  /** The time that the work since the last look took beyond what it was expected to. */
  #chargeRest(now: number): void {
    const times = Math.min((now - this.#servedAt) / this.#spent, MOST_TIMES);
    for (const { queue, ms } of this.#served) charge(queue, Math.max(0, times - 1) * ms, now);
    this.#served = [];
    this.#spent = 0;
  }
}

function charge(queue: Queue, ms: number, now: number): void {
  queue.usedUntil = Math.max(now, queue.usedUntil) + ms * (1 + REST);
}
