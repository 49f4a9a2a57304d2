import { Presence } from "./presence.ts";

/** Milliseconds that are worked between two looks at what has arrived meanwhile. */
const BETWEEN_LOOKS_MS = 2;
/** The work of one among others: so long at once, and beyond that a quarter of the time. */
const AT_ONCE_MS = 4;
const REST = 3;
/** Others count as there for so long after they were. */
const PRESENT_FOR_MS = 1_000;
/**
 * Work counts as up to so many times what was expected. The loop may have taken longer for others' sake, or because the
 * processor was elsewhere, and who asks for little would be kept waiting for that.
 */
const MOST_TIMES = 4;

/** Those who wait for one. What it has used, and the rest that comes with it, is over at `usedUntil`. */
type Line = { whose: string; waiting: { ms: number; goOn: () => void }[]; usedUntil: number };

/**
 * Turns at the event loop. It answers everybody: a hundred lists of a tenant whose rows arrive together would be made one
 * behind the other, and a look-up of another tenant after them. So tenants take turns, what arrives is read in between,
 * and one that is among others works for a quarter of the time at most (docs/decisions/0039-turns-at-the-event-loop.md).
 */
export class EventLoop {
  readonly #presence = new Presence(PRESENT_FOR_MS);
  readonly #lines = new Map<string, Line>();
  /** Those who got a turn since the last look, when that was, and what they are expected to take, each and in all. */
  #served: { line: Line; ms: number }[] = [];
  #servedAt = 0;
  #spent = 0;
  #isScheduled = false;

  /**
   * Waits for a turn. Null: it is there at once.
   * @param ms that the work is expected to take; what it takes beyond that is counted too, by these proportions
   */
  take(whose: string, ms: number): Promise<void> | null {
    this.#presence.note(whose);
    if (this.#presence.isAlone()) return null;
    const line = this.#lines.get(whose) ?? { whose, waiting: [], usedUntil: 0 };
    this.#lines.set(whose, line);
    if (line.waiting.length === 0 && this.#mayGoOn(line, performance.now())) {
      this.#spend(line, ms);
      return null;
    }
    return new Promise((goOn) => {
      line.waiting.push({ ms, goOn });
      this.#schedule();
    });
  }

  #mayGoOn({ usedUntil }: Line, now: number): boolean {
    return this.#spent < BETWEEN_LOOKS_MS && usedUntil - now < AT_ONCE_MS;
  }

  #spend(line: Line, ms: number): void {
    if (this.#served.length === 0) this.#servedAt = performance.now();
    this.#spent += ms;
    this.#served.push({ line, ms });
    charge(line, ms, this.#servedAt);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // Where all rest, there is nothing to do before the first of them is ready.
    if (this.#served.length === 0) setTimeout(() => this.#serve(), 1);
    else setImmediate(() => this.#serve());
  }

  #serve(): void {
    this.#isScheduled = false;
    const now = performance.now();
    this.#chargeRest(now);
    if (this.#presence.isAlone()) return this.#serveAll();
    // A line that is served goes to the end of all, and so is looked at again.
    for (const line of this.#lines.values()) {
      const [next] = line.waiting;
      if (next === undefined) {
        if (line.usedUntil <= now) this.#lines.delete(line.whose);
      } else if (this.#mayGoOn(line, now)) {
        line.waiting.shift();
        this.#lines.delete(line.whose);
        this.#lines.set(line.whose, line);
        this.#spend(line, next.ms);
        next.goOn();
      }
    }
    if (this.#lines.size > 0) this.#schedule();
  }

  /** There is nobody left to wait for. */
  #serveAll(): void {
    for (const { waiting } of this.#lines.values()) for (const { goOn } of waiting) goOn();
    this.#lines.clear();
  }

  /** The time that the work since the last look took beyond what it was expected to. */
  #chargeRest(now: number): void {
    const times = Math.min((now - this.#servedAt) / this.#spent, MOST_TIMES);
    for (const { line, ms } of this.#served) charge(line, Math.max(0, times - 1) * ms, now);
    this.#served = [];
    this.#spent = 0;
  }
}

function charge(line: Line, ms: number, now: number): void {
  line.usedUntil = Math.max(now, line.usedUntil) + ms * (1 + REST);
}

/** A process has one. */
export const eventLoop = new EventLoop();
