/** A longer line is served from its end: the clients of those at its beginning have mostly gone, or will not wait. */
const LONG = 100;

/** Those who wait for one thing, in the order of their arrival. Every method takes the same time, however many wait. */
export class WaitingLine<T extends object> {
  readonly #waiting = new Set<T>();
  /** In the order of their arrival, some of those who have left among them. */
  #arrived: T[] = [];

  get size(): number {
    return this.#waiting.size;
  }

  get isLong(): boolean {
    return this.size > LONG;
  }

  add(one: T): void {
    this.#waiting.add(one);
    this.#arrived.push(one);
  }

  delete(one: T): void {
    this.#waiting.delete(one);
    if (this.#arrived.length > 2 * (this.size + LONG)) this.#arrived = [...this.#waiting];
  }

  get oldest(): T | undefined {
    return this.#waiting.values().next().value;
  }

  get newest(): T | undefined {
    for (;;) {
      const last = this.#arrived.at(-1);
      if (last === undefined || this.#waiting.has(last)) return last;
      this.#arrived.pop();
    }
  }

  /** The one whose turn it is. */
  get next(): T | undefined {
    return this.isLong ? this.newest : this.oldest;
  }
}
