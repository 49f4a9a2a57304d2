import { Histogram } from "../platform/metrics/histogram.ts";
import { metric, type Metric, type Sample } from "../platform/metrics/metric.ts";
import { Tallies } from "../platform/metrics/tallies.ts";
import type { Observer } from "./observing.ts";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts requests by route pattern and status, and their times by route pattern. */
export function createRequestMetrics(): { observe: Observer; metrics: () => Metric[] } {
  const counts = new Tallies({
    labels: ["method", "route", "status"],
    count: {
      name: "liaison_requests_total",
      help: "Requests by route pattern and status; 499: the caller hung up before the answer was through.",
    },
  });
  const timesOf = new Map<string, { labels: Sample["labels"]; times: Histogram }>();

  return {
    observe({ method, route, status, ms }) {
      counts.note([method, route, String(status)]);
      const make = () => ({ labels: { method, route }, times: new Histogram(SECONDS) });
      timesOf.getOrInsertComputed(`${method} ${route}`, make).times.note(ms / 1_000);
    },
    metrics: () => [
      ...counts.metrics(),
      metric(
        "liaison_request_duration_seconds",
        "Seconds from a request's arrival to its answer's end.",
        "histogram",
        [...timesOf.values()].flatMap(({ labels, times }) => times.samples(labels)),
      ),
    ],
  };
}
