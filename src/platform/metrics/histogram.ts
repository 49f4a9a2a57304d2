import type { Sample } from "./metric.ts";

/** Counts of durations by range. Recording one costs some nanoseconds (docs/decisions/0063-metrics.md). */
export class Histogram {
  /** Seconds, ascending. */
  readonly #bounds: readonly number[];
  /** The values up to each bound and above the previous one; the last count is for those above all. */
  readonly #counts: Float64Array;
  #seconds = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  note(seconds: number): void {
    let at = 0;
    while (at < this.#bounds.length && seconds > Number(this.#bounds[at])) at++;
    this.#counts[at] = Number(this.#counts[at]) + 1;
    this.#seconds += seconds;
  }

  samples(labels: Sample["labels"]): Sample[] {
    let count = 0;
    const buckets = [...this.#counts].map((counted, at): Sample => {
      count += counted;
      const le = at < this.#bounds.length ? String(this.#bounds[at]) : "+Inf";
      return { suffix: "_bucket", labels: { ...labels, le }, value: count };
    });
    return [...buckets, { suffix: "_sum", labels, value: this.#seconds }, { suffix: "_count", labels, value: count }];
  }
}
