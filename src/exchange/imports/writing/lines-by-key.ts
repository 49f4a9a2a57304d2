/** Two halves of a key's hash. */
type Hashes = readonly [high: number, low: number];

/** Slots per key, and the first slots. A slot has 64 bits of a key's hash, a line, and the hash of its name or 0. */
const [SPARE, FIRST_SLOTS, WIDTH] = [2, 2 ** 12, 4];

/** Lines by keys, in 16 bytes of memory per slot. Two of a million keys are taken for one once in 30 million files. */
export function linesByKey() {
  let slots = new Uint32Array(FIRST_SLOTS * WIDTH);
  let used = 0;
  const seed = Math.trunc(Math.random() * 2 ** 32);

  function slotOf(table: Uint32Array, high: number, low: number): number {
    const mask = table.length / WIDTH - 1;
    for (let at = low & mask; ; at = (at + 1) & mask) {
      const slot = at * WIDTH;
      if (table[slot + 2] === 0 || (table[slot] === high && table[slot + 1] === low)) return slot;
    }
  }

  /** Returns whether the slot was empty. */
  function put(table: Uint32Array, high: number, low: number, line: number, name: number): boolean {
    const slot = slotOf(table, high, low);
    const isNew = table[slot + 2] === 0;
    table[slot] = high;
    table[slot + 1] = low;
    table[slot + 2] = line;
    table[slot + 3] = name;
    return isNew;
  }

  function grow(): void {
    const larger = new Uint32Array(slots.length * 2);
    for (let slot = 0; slot < slots.length; slot += WIDTH) {
      const [high = 0, low = 0, line = 0, name = 0] = slots.subarray(slot, slot + WIDTH);
      if (line !== 0) put(larger, high, low, line, name);
    }
    slots = larger;
  }

  const hash = (name: string) => hashOf(name, seed) || 1;

  return {
    hash,
    hashesOf: (key: string): Hashes => [hashOf(key, seed), hashOf(key, ~seed)],
    get([high, low]: Hashes): { line: number; name: number } | null {
      const slot = slotOf(slots, high, low);
      const line = slots[slot + 2] ?? 0;
      return line === 0 ? null : { line, name: slots[slot + 3] ?? 0 };
    },
    /** @param name the hash of its name; 0 without one */
    set([high, low]: Hashes, line: number, name: number): void {
      if (used * SPARE * WIDTH >= slots.length) grow();
      if (put(slots, high, low, line, name)) used++;
    },
  };
}

/** A hash that is stable for one text and seed. */
export function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
