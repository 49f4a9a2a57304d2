import { NOBODY, type Caller } from "./caller.ts";
import { isNetwork, type Holder } from "./holder.ts";
import { hungUp } from "./overloaded.ts";
import { PRESENT_AT_LOOP_FOR_MS, type Presence } from "./presence.ts";

/** The most milliseconds of work between two looks for new requests. */
export const BETWEEN_LOOKS_MS = 2;
/** The work that one of several holders may do at once; beyond that it gets a quarter of the time. */
export const AT_ONCE_MS = 4;
/** The rest of one of several holders, as a multiple of its work. */
export const REST = 3;
/**
 * The most that work counts, as a multiple of its expected time. The loop may have taken longer because of others, or
 * because the processor was busy elsewhere, and light users would pay for that.
 */
export const MOST_TIMES = 4;

type TimeWaiter = { ms: number; goOn: () => void };

/** The waiting work of one holder. Its used time, with the rest that follows, ends at `usedUntil`. */
type Queue = { holder: Holder; waiting: Set<TimeWaiter>; usedUntil: number };

/**
 * Turns at the event loop, which serves every tenant. If the rows of a hundred lists of one tenant arrived together, a
 * look-up of another tenant would wait for all of them. So holders take turns, new requests are read in between, and
 * one of several holders works for a quarter of the time at most (docs/decisions/0047-one-idea-of-sharing.md).
 */
export class Time {
  /** For metrics: how many have waited, and for how long in total. */
  readonly waited = { times: 0, ms: 0 };
  readonly #presence: Presence;
  readonly #queues = new Map<Holder, Queue>();
  /** The holders served since the last look, with the expected time of each. */
  #served: { queue: Queue; ms: number }[] = [];
  /** The time of that look. */
  #servedAt = 0;
  /** Their expected time in total. */
  #spent = 0;
  #isScheduled = false;
  /** The work of a lone holder since the last look. */
  #sinceLook = 0;

  constructor(presence: Presence) {
    this.#presence = presence;
  }

  /** Whether no other tenant needs time. */
  isFree(holder: Holder): boolean {
    return this.#presence.isAlone(PRESENT_AT_LOOP_FOR_MS) && !isNetwork(holder);
  }

  /**
   * Waits for a turn; null if there is no wait. A lone tenant sometimes waits for a look at new requests. Fails with
   * Overloaded if the caller hangs up in the meantime; then nothing is charged.
   * @param ms the expected time of the work; its excess over that is charged afterwards, in proportion to the expected
   *   times
   */
  waitForTurn(holder: Holder, ms: number, caller: Caller = NOBODY): Promise<void> | null {
    // Health probes also come from a network, and each would make a lone tenant one of several for seconds.
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
    // If all holders rest, there is nothing to do until the first is ready.
    if (this.#served.length === 0) setTimeout(() => this.#serve(), 1);
    else setImmediate(() => this.#serve());
  }

  #serve(): void {
    this.#isScheduled = false;
    const now = performance.now();
    this.#chargeRest(now);
    // A served queue moves to the end, so the loop visits it again.
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

  /** Charges the time that the work since the last look took beyond its expected time. */
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
