import type { Candidate, CandidateName } from "../candidates/candidates.ts";
import { median } from "../load/percentiles.ts";
import type { Options } from "../options.ts";
import { measure, type Sample } from "./measure-scenario.ts";

/** One scenario on one tenant: the rounds of each candidate, in the order in which they were run. */
export type Series = { scenario: string; size: number; samples: Partial<Record<CandidateName, Sample[]>> };

/** With more, some of its requests are slow, and the run would take an hour. */
const LARGEST_FOR_USUAL_WAY = 100_000;

/**
 * Scenario by scenario, the candidates taking turns within each round, so that whatever else the machine does meets
 * all of them.
 */
export async function runRounds(
  candidates: Candidate[],
  { sizes, scenarios, rounds, seconds, quick }: Options,
  progress: (message: string) => void,
  finished: (series: Series) => void,
): Promise<Series[]> {
  const all: Series[] = [];
  for (const size of sizes) {
    for (const scenario of scenarios) {
      if (size < (scenario.smallest ?? 0)) continue;
      const series: Series = { scenario: scenario.name, size, samples: {} };
      for (let round = quick ? 1 : 0; round <= rounds; round++) {
        // Each round begins with another candidate; round 0 warms up and does not count.
        const turn = candidates.map((_, index) => candidates[(index + round) % candidates.length] as Candidate);
        for (const candidate of turn) {
          progress(`${size.toLocaleString("en")}: ${scenario.name}, round ${round} of ${rounds}, ${candidate.name}`);
          const tenant = candidate.place.tenants.get(size);
          if (tenant === undefined || (candidate.name === "usual way" && size > LARGEST_FOR_USUAL_WAY)) continue;
          const sample = await measure(candidate, scenario, tenant, round === 0 ? seconds / 4 : seconds);
          if (round > 0) (series.samples[candidate.name] ??= []).push(sample);
        }
      }
      finished(series);
      all.push(series);
    }
  }
  return all;
}

/** The median of each number on its own. */
export function medianSample(samples: Sample[]): Sample {
  const of = (name: keyof Sample) => median(samples.map((sample) => sample[name]));
  return {
    requestsPerSecond: of("requestsPerSecond"),
    p50: of("p50"),
    p99: of("p99"),
    serverCpu: of("serverCpu"),
    databaseCpu: of("databaseCpu"),
  };
}

/** The product's throughput by another's: the median of the rounds' own ratios. NaN where either was not measured. */
export function ratioTo({ samples }: Series, other: CandidateName): number {
  const theirs = samples[other] ?? [];
  return median(
    (samples.product ?? []).map(
      (own, round) => own.requestsPerSecond / (theirs[round]?.requestsPerSecond ?? Number.NaN),
    ),
  );
}

/**
 * The other's processor time per request, server and PostgreSQL, by the product's: the same comparison, but steadier on
 * a machine that is busy with something else.
 */
export function cpuRatioTo({ samples }: Series, other: CandidateName): number {
  const used = (name: CandidateName) => {
    const { serverCpu, databaseCpu } = medianSample(samples[name] ?? []);
    return serverCpu + databaseCpu;
  };
  return used(other) / used("product");
}
