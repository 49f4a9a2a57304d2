/**
 * A map of at most `size` recent entries, in two generations: an entry that is not read while one generation fills is
 * dropped. This is cheaper than keeping the entries in order of use.
 */
export class BoundedMap<V> {
  readonly #halfSize: number;
  #recent = new Map<string, V>();
  #older = new Map<string, V>();

  constructor(size: number) {
    this.#halfSize = Math.ceil(size / 2);
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
    if (this.#recent.size >= this.#halfSize) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(name, value);
  }
}
