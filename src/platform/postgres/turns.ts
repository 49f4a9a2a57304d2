import { NOBODY, type Caller } from "./caller.ts";
import { DatabaseUnavailable, hungUp } from "./failures.ts";

export type TurnsOptions = {
  /** The number that may be taken at once, by all tenants and by one. */
  atOnce: number;
  atOnceEach: () => number;
  /** The number of one tenant's that may wait, and the time that each may: more are refused at once. */
  waitingEach: number;
  waitMs: number;
};

type Waiting = { weight: number; take: () => void };

/**
 * Turns at something that tenants share. Each caller waits behind its own tenant only: tenants take turns, and none
 * holds more than its share, so that one that asks for much always leaves a place for the others. Turns may weigh more
 * than one: what they then count is bytes, say.
 */
export class Turns {
  readonly #options: TurnsOptions;
  #taken = 0;
  readonly #takenBy = new Map<string, number>();
  /** The callers that wait, in the order in which their tenants are served next. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  #whenDrained: (() => void)[] = [];
  #isClosing = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** Whether there is a turn for the tenant now; then it is taken. */
  tryTake(tenant: string, weight = 1): boolean {
    const { atOnce, atOnceEach } = this.#options;
    const held = this.#takenBy.get(tenant) ?? 0;
    const fits = this.#taken + weight <= atOnce && held + weight <= atOnceEach();
    if (!fits && !this.#isClosing) return false;
    this.#taken += weight;
    this.#takenBy.set(tenant, held + weight);
    return true;
  }

  /**
   * Resolves with the turn taken. Fails with DatabaseUnavailable when it takes too long, and when the caller hangs up.
   */
  async take(tenant: string, caller: Caller = NOBODY, weight = 1): Promise<void> {
    if (caller.hasHungUp) throw hungUp();
    if (this.tryTake(tenant, weight)) return;
    const queue = this.#waiting.get(tenant) ?? new Set();
    if (queue.size >= this.#options.waitingEach) throw new DatabaseUnavailable("too many requests wait for it", false);
    this.#waiting.set(tenant, queue);
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        forget();
        queue.delete(waiting);
        if (queue.size === 0 && this.#waiting.get(tenant) === queue) this.#waiting.delete(tenant);
      };
      const giveUp = (failure: DatabaseUnavailable) => {
        leave();
        reject(failure);
      };
      const waiting: Waiting = {
        weight,
        take: () => {
          leave();
          resolve();
        },
      };
      const timer = setTimeout(
        () => giveUp(new DatabaseUnavailable("its turn did not come in time", false)),
        this.#options.waitMs,
      );
      const forget = caller.whenHungUp(() => giveUp(hungUp()));
      queue.add(waiting);
    });
  }

  /** Gives back a turn, or a part of its weight. */
  give(tenant: string, weight = 1): void {
    const held = (this.#takenBy.get(tenant) ?? 0) - weight;
    this.#taken -= weight;
    if (held > 0) this.#takenBy.set(tenant, held);
    else this.#takenBy.delete(tenant);
    while (this.#serveOne());
    if (this.#taken === 0) for (const drained of this.#whenDrained.splice(0)) drained();
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

  #serveOne(): boolean {
    for (const [tenant, queue] of this.#waiting) {
      const [next] = queue;
      if (next === undefined || !this.tryTake(tenant, next.weight)) continue;
      // The tenant goes to the end of the line, if it has more.
      this.#waiting.delete(tenant);
      next.take();
      if (queue.size > 0) this.#waiting.set(tenant, queue);
      return true;
    }
    return false;
  }
}
