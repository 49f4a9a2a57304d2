import { BoundedMap } from "../bounded-map.ts";
import { now } from "../clock.ts";
import type { Database } from "./database.ts";
import type { TenantId } from "./tenant-id.ts";

/** A change that another process has made is seen after this time at the latest. */
const MEMORY_MS = 3_000;
/** Characters of all that is remembered of one kind, with ENTRY for each tenant. */
const [MEMORY, ENTRY] = [16 * 2 ** 20, 1_000];

/** `read`: the value, once it is. Awaiting its promise again would cost each request several turns. */
type Remembered<T> = { value: Promise<T>; read?: { value: T }; readAt: number; characters: number };

/** Remembers for a moment what each request of a tenant would read although it hardly ever changes. */
export class TenantMemory<T> {
  readonly #read: (tenant: TenantId, database: Database) => Promise<T>;
  readonly #charactersOf: (value: T) => number;
  readonly #memories = new WeakMap<Database, BoundedMap<Remembered<T>>>();

  constructor(
    read: (tenant: TenantId, database: Database) => Promise<T>,
    charactersOf: (value: T) => number = () => 0,
  ) {
    this.#read = read;
    this.#charactersOf = charactersOf;
  }

  /** As this process knows it. Several callers share one reading, which continues when one of them hangs up. */
  async of(tenant: TenantId, { unattended, caller }: Database): Promise<T> {
    const memory = this.#memoryOf(unattended);
    const known = memory.get(tenant);
    const isFresh = known !== undefined && now() - known.readAt < MEMORY_MS;
    const { value } = (isFresh && known.read) || {
      value: await (isFresh ? known.value : this.#readInto(memory, tenant, unattended)),
    };
    // An answer made of it needs as much memory as if it had just been read.
    const room = caller.makeRoom?.(() => this.#charactersOf(value));
    if (room !== undefined) await room;
    return value;
  }

  /** This process has changed it. */
  forget(tenant: TenantId, { unattended }: Database): void {
    const memory = this.#memories.get(unattended);
    const known = memory?.get(tenant);
    if (known !== undefined) memory?.set(tenant, { ...known, readAt: -Infinity });
  }

  #memoryOf(database: Database): BoundedMap<Remembered<T>> {
    return this.#memories.getOrInsertComputed(
      database,
      () => new BoundedMap<Remembered<T>>(MEMORY, ({ characters }) => ENTRY + characters),
    );
  }

  async #readInto(memory: BoundedMap<Remembered<T>>, tenant: TenantId, database: Database): Promise<T> {
    const reading: Remembered<T> = { value: this.#read(tenant, database), readAt: now(), characters: 0 };
    memory.set(tenant, reading);
    try {
      const value = await reading.value;
      if (memory.get(tenant) === reading) {
        memory.set(tenant, { ...reading, read: { value }, characters: this.#charactersOf(value) });
      }
      return value;
    } catch (error) {
      if (memory.get(tenant) === reading) this.forget(tenant, database);
      throw error;
    }
  }
}
