/**
 * A map of at most `size` recent entries. Two generations: what is not asked for while one fills is forgotten. Cheaper
 * than keeping the entries in order of use.
 */
export class BoundedMap<V> {
  readonly #halfSize: number;
  #recent = new Map<string, V>();
  #older = new Map<string, V>();

  constructor(size: number) {
    this.#halfSize = Math.ceil(size / 2);
  }

  get(key: string): V | undefined {
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: string, value: V): void {
    if (this.#recent.size >= this.#halfSize) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, value);
  }
}
