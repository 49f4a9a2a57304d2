import type { Metric, Sample } from "./metric.ts";

type Tally = { labels: Sample["labels"]; count: number; seconds: number };

type Named = {
  /** The names of the labels: one or two, of few values each. */
  labels: readonly [string] | readonly [string, string];
  count: { name: string; help: string };
  seconds?: { name: string; help: string };
};

/** How often something was done in this process, and how long it took in all. */
export class Tallies {
  readonly #named: Named;
  readonly #tallies = new Map<string, Tally>();

  constructor(named: Named) {
    this.#named = named;
  }

  note(ms: number, first: string, second?: string): void {
    const name = second === undefined ? first : `${first} ${second}`;
    let tally = this.#tallies.get(name);
    if (tally === undefined) {
      const [one, two = ""] = this.#named.labels;
      tally = { labels: { [one]: first, ...(second === undefined ? {} : { [two]: second }) }, count: 0, seconds: 0 };
      this.#tallies.set(name, tally);
    }
    tally.count++;
    tally.seconds += ms / 1_000;
  }

  metrics(): Metric[] {
    const { count, seconds } = this.#named;
    const tallies = [...this.#tallies.values()];
    const counts = tallies.map((tally) => ({ labels: tally.labels, value: tally.count }));
    const times = tallies.map((tally) => ({ labels: tally.labels, value: tally.seconds }));
    return [
      { ...count, type: "counter", samples: counts },
      ...(seconds === undefined ? [] : [{ ...seconds, type: "counter" as const, samples: times }]),
    ];
  }
}
