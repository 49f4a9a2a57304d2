import { now } from "../../clock.ts";
import type { RateCount } from "./rate-news.ts";
import { RateWindows } from "./rate-windows.ts";

/** The shortest interval between two reports to all processes. */
const SEND_EVERY_MS = 10;

/** The hits that several processes count together: each reports its own, and receives the totals. */
export class RateTotals {
  readonly #windows = new RateWindows();
  readonly #sendAll: (totals: RateCount[]) => void;
  #changed = new Set<string>();
  #later: NodeJS.Timeout | null = null;

  constructor(sendAll: (totals: RateCount[]) => void) {
    this.#sendAll = sendAll;
  }

  add(counts: RateCount[]): void {
    const time = now();
    for (const [subject, endsAt, hits] of counts) {
      if (endsAt <= time) continue;
      // The first process to report the subject began its window for all.
      const window = this.#windows.current(subject, time) ?? this.#windows.open(subject, endsAt, time);
      window.hits += hits;
      this.#changed.add(subject);
    }
    if (this.#later === null) this.#later = setTimeout(() => this.#send(), SEND_EVERY_MS).unref();
  }

  #send(): void {
    this.#later = null;
    const time = now();
    const totals = [...this.#changed].flatMap((subject): RateCount[] => {
      const window = this.#windows.current(subject, time);
      return window === undefined ? [] : [[subject, window.endsAt, window.hits]];
    });
    this.#changed = new Set();
    if (totals.length > 0) this.#sendAll(totals);
  }
}
