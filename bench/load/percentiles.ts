import type { LoadResult } from "./load-job.ts";

/** @param latencies milliseconds per request; sorted in place */
export function summarize(latencies: number[], milliseconds: number, failed: number, failedStatus: number): LoadResult {
  return {
    requests: latencies.length,
    milliseconds,
    latencies: percentiles(latencies),
    failed,
    failedStatus,
  };
}

/** @param latencies sorted in place */
export function percentiles(latencies: number[]): { p50: number; p99: number } {
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(share * (latencies.length - 1))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

export function median(values: number[]): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}
