import type { Metric, Sample } from "./metric.ts";

type LabelTally = { labels: Sample["labels"]; count: number; seconds: number };

type TallyNames = {
  /** The names of the labels, of few values each. */
  labels: readonly string[];
  count: { name: string; help: string };
  seconds?: { name: string; help: string };
  /** Values that are reported from the start, as 0: an alert sees no increase in a series that begins with 1. */
  fromStart?: readonly (readonly string[])[];
};

/** The number of times that something was done in this process, and its total duration if that is recorded. */
export class Tallies {
  readonly #named: TallyNames;
  readonly #tallies = new Map<string, LabelTally>();

  constructor(named: TallyNames) {
    this.#named = named;
    for (const values of named.fromStart ?? []) this.#tallyOf(values);
  }

  /** @param values of the labels, in their order */
  note(values: readonly string[], ms = 0): void {
    const tally = this.#tallyOf(values);
    tally.count++;
    tally.seconds += ms / 1_000;
  }

  #tallyOf(values: readonly string[]): LabelTally {
    return this.#tallies.getOrInsertComputed(values.join(" "), () => {
      const labels = Object.fromEntries(this.#named.labels.map((label, at) => [label, String(values[at])]));
      return { labels, count: 0, seconds: 0 };
    });
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
