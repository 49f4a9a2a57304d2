import { NOBODY, type Caller } from "./caller.ts";
import { hungUp, Overloaded } from "./overloaded.ts";
import { WaitingLine } from "./waiting-line.ts";

export type PlacesOptions = {
  /** The limits on places in use at once, for all holders and for one. */
  atOnce: number;
  atOnceEach: () => number;
  /** The longest wait; then the caller is refused. */
  waitMs: number;
  /** The most callers of one holder that may wait, if nothing else limits them. More are refused at once. */
  waitingEach?: number;
  /** The most waiting callers in total; beyond it, one of the holder with most of them is refused. */
  waitingAll?: number;
  /** The most places of a holder with a long line (WaitingLine): a newcomer, who is next, then waits for few others. */
  atOnceOfLong?: number;
};

type PlaceWaiter = { weight: number; admit: () => void; refuse: () => void };

/**
 * Places at a shared resource, by holder: a tenant, or a network for callers that are not authenticated. Each caller
 * waits only behind callers of its own holder. Holders are served in turn, and none has more than its share, so that a
 * busy holder always leaves a place for others. A caller may use more than one place: then places count bytes, for
 * example.
 */
export class Places {
  /** The number of places. */
  readonly size: number;
  /** For metrics: how many callers have waited, for how long in total, and how many were refused. */
  readonly waited = { times: 0, ms: 0, refused: 0 };
  readonly #options: PlacesOptions;
  #atOnce: number;
  #used = 0;
  readonly #usedBy = new Map<string, number>();
  /** The waiting callers, in the order in which their holders are served next. */
  readonly #waiting = new Map<string, WaitingLine<PlaceWaiter>>();
  #whenDrained: (() => void)[] = [];
  #isClosing = false;

  constructor(options: PlacesOptions) {
    this.#options = options;
    this.size = options.atOnce;
    this.#atOnce = options.atOnce;
  }

  get inUse(): number {
    return this.#used;
  }

  /** The number of waiting callers. */
  get waiting(): number {
    return this.#waiting.values().reduce((sum, { size }) => sum + size, 0);
  }

  /** Reserves a place for the holder if one is free for it now; returns whether it did. */
  tryAcquire(holder: string, weight = 1): boolean {
    const { atOnceEach, atOnceOfLong = Infinity } = this.#options;
    const used = this.#usedBy.get(holder) ?? 0;
    const isLong = this.#waiting.get(holder)?.isLong ?? false;
    const most = isLong ? Math.min(atOnceEach(), atOnceOfLong) : atOnceEach();
    const fits = this.#used + weight <= this.#atOnce && used + weight <= most;
    if (!fits && !this.#isClosing) return false;
    this.#used += weight;
    this.#usedBy.set(holder, used + weight);
    return true;
  }

  /** Resolves once the place is reserved. Fails with Overloaded if the wait is too long or the caller hangs up. */
  async acquire(holder: string, caller: Caller = NOBODY, weight = 1): Promise<void> {
    if (caller.hasHungUp) throw hungUp();
    if (this.tryAcquire(holder, weight)) return;
    const queue = this.#waiting.get(holder) ?? new WaitingLine();
    if (!this.#makesRoom(queue)) throw this.#refusing(tooMany());
    this.#waiting.set(holder, queue);
    this.waited.times++;
    const since = performance.now();
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.waited.ms += performance.now() - since;
        clearTimeout(timer);
        forget();
        queue.delete(waiting);
        if (queue.size === 0 && this.#waiting.get(holder) === queue) this.#waiting.delete(holder);
      };
      const giveUp = (failure: Overloaded) => {
        leave();
        reject(failure);
      };
      const waiting: PlaceWaiter = {
        weight,
        admit: () => {
          leave();
          resolve();
        },
        refuse: () => giveUp(this.#refusing(tooMany())),
      };
      const late = () => giveUp(this.#refusing(new Overloaded("its turn did not come in time")));
      const timer = setTimeout(late, this.#options.waitMs);
      const forget = caller.whenHungUp(() => giveUp(hungUp()));
      queue.add(waiting);
    });
  }

  /** Uses a place while the work runs. */
  async use<T>(holder: string, work: () => Promise<T>, caller?: Caller): Promise<T> {
    await this.acquire(holder, caller);
    try {
      return await work();
    } finally {
      this.release(holder);
    }
  }

  /** Releases a place, or a part of its weight. */
  release(holder: string, weight = 1): void {
    const used = (this.#usedBy.get(holder) ?? 0) - weight;
    this.#used -= weight;
    if (used > 0) this.#usedBy.set(holder, used);
    else this.#usedBy.delete(holder);
    while (this.#serveOne());
    if (this.#used === 0) for (const drained of this.#whenDrained.splice(0)) drained();
  }

  /** Lowers the limit for a while, because the resource behind it has shrunk. */
  bound(atOnce: number): void {
    this.#atOnce = Math.min(atOnce, this.size);
    while (this.#serveOne());
  }

  /** Resolves when no place is in use. */
  async drained(): Promise<void> {
    if (this.#used > 0) await new Promise<void>((resolve) => this.#whenDrained.push(resolve));
  }

  /** No new callers will arrive, so the waiting ones are all admitted at once. */
  admitAll(): void {
    this.#isClosing = true;
    while (this.#serveOne());
  }

  /**
   * Whether one more caller of a holder may wait. If all lines together are full, the last caller of the holder with
   * most is refused instead, unless the newcomer's holder would then have as many.
   */
  #makesRoom(queue: WaitingLine<PlaceWaiter>): boolean {
    const { waitingAll, waitingEach = Infinity } = this.#options;
    if (queue.size >= waitingEach) return false;
    if (waitingAll === undefined) return true;
    if (this.waiting < waitingAll) return true;
    const longest = [...this.#waiting.values()].reduce((most, each) => (each.size > most.size ? each : most));
    if (longest.size <= queue.size + 1) return false;
    longest.newest?.refuse();
    return true;
  }

  #refusing(refusal: Overloaded): Overloaded {
    this.waited.refused++;
    return refusal;
  }

  #serveOne(): boolean {
    for (const [holder, queue] of this.#waiting) {
      const { next } = queue;
      if (next === undefined || !this.tryAcquire(holder, next.weight)) continue;
      // A holder with more waiting callers goes to the end of the line.
      this.#waiting.delete(holder);
      next.admit();
      if (queue.size > 0) this.#waiting.set(holder, queue);
      return true;
    }
    return false;
  }
}

function tooMany(): Overloaded {
  return new Overloaded("too many requests wait for it");
}
