/**
 * A map of recent entries that weigh at most `size` together, in two generations: an entry that is not read while one
 * generation fills is dropped. This is cheaper than keeping the entries in order of use. Each weighs 1, or what
 * `weightOf` says, and the newest is stored whatever it weighs.
 */
export class BoundedMap<V> {
  readonly #halfSize: number;
  readonly #weightOf: (value: V) => number;
  #weight = 0;
  #recent = new Map<string, V>();
  #older = new Map<string, V>();

  constructor(size: number, weightOf: (value: V) => number = () => 1) {
    this.#halfSize = Math.ceil(size / 2);
    this.#weightOf = weightOf;
  }

  get(name: string): V | undefined {
    const recent = this.#recent.get(name);
    if (recent !== undefined) return recent;
    const older = this.#older.get(name);
    if (older !== undefined) this.set(name, older);
    return older;
  }

  /** Like that of a Map. */
  getOrInsertComputed(name: string, make: () => V): V {
    const known = this.get(name);
    if (known !== undefined) return known;
    const made = make();
    this.set(name, made);
    return made;
  }

  set(name: string, value: V): void {
    const known = this.#recent.get(name);
    if (known !== undefined) this.#weight -= this.#weightOf(known);
    const weight = this.#weightOf(value);
    if (this.#weight > 0 && this.#weight + weight > this.#halfSize) {
      this.#older = this.#recent;
      this.#recent = new Map();
      this.#weight = 0;
    }
    this.#weight += weight;
    this.#recent.set(name, value);
  }
}
