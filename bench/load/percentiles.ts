import type { LoadResult } from "./load-job.ts";

/** @param latencies milliseconds per request; sorted in place */
export function summarize(latencies: number[], milliseconds: number, failed: number, failedStatus: number): LoadResult {
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(share * (latencies.length - 1))] ?? Number.NaN;
  return {
    requests: latencies.length,
    milliseconds,
    latencies: { p50: at(0.5), p99: at(0.99) },
    failed,
    failedStatus,
  };
}

export function median(values: number[]): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}
