import { NOBODY, type Caller } from "./caller.ts";
import { hungUp, Overloaded } from "./overloaded.ts";

export type PlacesOptions = {
  /** The number that may be taken at once, by all holders and by one. */
  atOnce: number;
  atOnceEach: () => number;
  /** The time that somebody waits; then it is refused. */
  waitMs: number;
  /** Of one holder's so many may wait, where nothing else bounds them: more are refused at once. */
  waitingEach?: number;
  /** The number of all that may wait; beyond it, one of the holder that has most of them is refused. */
  waitingAll?: number;
};

type PlaceWaiter = { weight: number; take: () => void; refuse: () => void };

/**
 * Places at something that is shared, by holders: tenants, and networks where nobody says who asks. Each caller waits behind
 * its own holder only: holders take turns, and none has more than its share, so that one that asks for much always leaves a
 * place for the others. A turn may take more than one place: what is counted then is bytes, say.
 */
export class Places {
  /** The number that there are. */
  readonly size: number;
  /** For whoever watches: how many had to wait so far, for how long in all, and how many were refused. */
  readonly waited = { times: 0, ms: 0, refused: 0 };
  readonly #options: PlacesOptions;
  #atOnce: number;
  #taken = 0;
  readonly #takenBy = new Map<string, number>();
  /** The callers that wait, in the order in which their holders are served next. */
  readonly #waiting = new Map<string, Set<PlaceWaiter>>();
  #whenDrained: (() => void)[] = [];
  #isClosing = false;

  constructor(options: PlacesOptions) {
    this.#options = options;
    this.size = options.atOnce;
    this.#atOnce = options.atOnce;
  }

  get taken(): number {
    return this.#taken;
  }

  /** The number that wait now. */
  get waiting(): number {
    return this.#waiting.values().reduce((sum, { size }) => sum + size, 0);
  }

  /** Whether there is a turn for the holder now; then it is taken. */
  tryTake(holder: string, weight = 1): boolean {
    const { atOnceEach } = this.#options;
    const held = this.#takenBy.get(holder) ?? 0;
    const fits = this.#taken + weight <= this.#atOnce && held + weight <= atOnceEach();
    if (!fits && !this.#isClosing) return false;
    this.#taken += weight;
    this.#takenBy.set(holder, held + weight);
    return true;
  }

  /**
   * Resolves with the turn taken. Fails with Overloaded when it takes too long, and when the caller hangs up.
   */
  async take(holder: string, caller: Caller = NOBODY, weight = 1): Promise<void> {
    if (caller.hasHungUp) throw hungUp();
    if (this.tryTake(holder, weight)) return;
    const queue = this.#waiting.get(holder) ?? new Set();
    if (queue.size >= (this.#options.waitingEach ?? Infinity) || !this.#makesRoom(queue))
      throw this.#refusing(tooMany());
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
        take: () => {
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

  /** Has a place while the work lasts. */
  async use<T>(holder: string, work: () => Promise<T>, caller?: Caller): Promise<T> {
    await this.take(holder, caller);
    try {
      return await work();
    } finally {
      this.give(holder);
    }
  }

  /** Gives back a turn, or a part of its weight. */
  give(holder: string, weight = 1): void {
    const held = (this.#takenBy.get(holder) ?? 0) - weight;
    this.#taken -= weight;
    if (held > 0) this.#takenBy.set(holder, held);
    else this.#takenBy.delete(holder);
    while (this.#serveOne());
    if (this.#taken === 0) for (const drained of this.#whenDrained.splice(0)) drained();
  }

  /** Has no more than this number taken at once for a while: what is behind the places has become less. */
  bound(atOnce: number): void {
    this.#atOnce = Math.min(atOnce, this.size);
    while (this.#serveOne());
  }

  /** Resolves when nobody has a turn. */
  async drained(): Promise<void> {
    if (this.#taken > 0) await new Promise<void>((resolve) => this.#whenDrained.push(resolve));
  }

  /** Nobody comes after those who are here: they need not wait for each other. */
  letAllIn(): void {
    this.#isClosing = true;
    while (this.#serveOne());
  }

  /**
   * Whether one more of a holder may wait. Where all that may wait do, the last one of the holder that has most gives its place,
   * unless the newcomer's holder would then have as many.
   */
  #makesRoom(queue: ReadonlySet<PlaceWaiter>): boolean {
    const { waitingAll } = this.#options;
    if (waitingAll === undefined) return true;
    if (this.waiting < waitingAll) return true;
    const longest = [...this.#waiting.values()].reduce((most, each) => (each.size > most.size ? each : most));
    if (longest.size <= queue.size + 1) return false;
    [...longest].at(-1)?.refuse();
    return true;
  }

  #refusing(refusal: Overloaded): Overloaded {
    this.waited.refused++;
    return refusal;
  }

  #serveOne(): boolean {
    for (const [holder, queue] of this.#waiting) {
      const [next] = queue;
      if (next === undefined || !this.tryTake(holder, next.weight)) continue;
      // The holder goes to the end of the line, if it has more.
      this.#waiting.delete(holder);
      next.take();
      if (queue.size > 0) this.#waiting.set(holder, queue);
      return true;
    }
    return false;
  }
}

function tooMany(): Overloaded {
  return new Overloaded("too many requests wait for it");
}
