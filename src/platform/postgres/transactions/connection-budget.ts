import { steady } from "../../clock.ts";

/** The connections of the database that servers leave free for commands. */
const LEFT_FREE = 2;
/** Commands wait longer than this for a connection. */
const CHECK_MS = 5_000;
const LOWERED_FOR_MS = 60_000;
/** A closed connection takes a moment to become free, so a burst of refusals closes only some connections. */
const CLOSED_EVERY_MS = 1_000;

/** Connections of one kind, whose limit can be lowered for a while. */
export type Lowerable = {
  /** The current number. */
  readonly open: number;
  /** The least number that it can work with. */
  readonly least: number;
  /** Limits the connections to this number, and closes surplus ones once they are idle. */
  bound(connections: number): void;
};

/**
 * Makes this process leave connections to others if the database has too few. For a minute no kind opens more, and the
 * kinds with most connections close two. Each server does so independently, until enough are free.
 */
export class ConnectionBudget {
  readonly #kinds: Lowerable[] = [];
  #end: NodeJS.Timeout | null = null;
  #checking: NodeJS.Timeout | undefined;
  #closedAt = -Infinity;

  add(kind: Lowerable): void {
    this.#kinds.push(kind);
  }

  /** Checks at intervals how many connections are free, until it is stopped. */
  watch(readFree: () => Promise<number>): void {
    const check = async () => {
      if ((await readFree()) < LEFT_FREE) this.lower();
    };
    // If the database does not answer, there is nothing to do here.
    this.#checking ??= setInterval(() => void check().catch(() => {}), CHECK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#checking);
  }

  lower(): void {
    const bounds = new Map(this.#kinds.map((kind) => [kind, Math.max(kind.open, kind.least)]));
    const closing = steady() - this.#closedAt > CLOSED_EVERY_MS ? LEFT_FREE : 0;
    if (closing > 0) this.#closedAt = steady();
    for (let closed = 0; closed < closing; closed++) {
      const [[kind, most] = []] = [...bounds].filter(([each, n]) => n > each.least).toSorted(([, a], [, b]) => b - a);
      if (kind !== undefined && most !== undefined) bounds.set(kind, most - 1);
    }
    for (const [kind, connections] of bounds) kind.bound(connections);
    if (this.#end !== null) clearTimeout(this.#end);
    this.#end = setTimeout(() => {
      for (const kind of this.#kinds) kind.bound(Infinity);
    }, LOWERED_FOR_MS).unref();
  }
}
