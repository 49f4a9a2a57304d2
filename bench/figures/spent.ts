import { budget } from "../load/budget.ts";
import { median } from "../load/percentiles.ts";
import type { Series } from "./interleaved-rounds.ts";
import type { Sample } from "./measure-scenario.ts";

/** Two runs differ by less. A commit that raises a kind by more says so (CONTRIBUTING.md). */
const TOLERANCE = 1.03;

/** A kind of request with its processor times in microseconds, server and PostgreSQL together. */
export type Spent = { kind: string; product: number; ideal: number; ratio: number; most: number; isAbove: boolean };

/** Of the kinds that were measured beside the ideal server. The two took turns, so each round has its own ratio. */
export function spentOf(series: readonly Series[]): Spent[] {
  return series.flatMap(({ scenario, samples: { product = [], ideal = [] } }) => {
    const most = budget.get(scenario);
    if (most === undefined || ideal.length === 0) return [];
    const [own, theirs] = [product, ideal].map((samples) => samples.map(cpuOf)) as [number[], number[]];
    const ratio = median(own.map((each, round) => each / (theirs[round] ?? Number.NaN)));
    const isAbove = ratio > most * TOLERANCE;
    return [{ kind: scenario, product: median(own), ideal: median(theirs), ratio, most, isAbove }];
  });
}

function cpuOf({ serverCpu, databaseCpu }: Sample): number {
  return serverCpu + databaseCpu;
}
