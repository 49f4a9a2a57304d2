import { Histogram } from "../platform/metrics/histogram.ts";
import { metric, type Metric } from "../platform/metrics/metric.ts";
import type { Observer } from "./observing.ts";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Counts requests by route pattern and status, and their times by route pattern. There is one look-up per request,
 * because this runs thousands of times a second.
 */
export function createRequestMetrics(): { observe: Observer; metrics: () => Metric[] } {
  const routes = new Map<string, OfRoute>();
  return {
    observe({ method, route, status, ms }) {
      routes.getOrInsertComputed(`${method} ${route}`, () => new OfRoute(method, route)).note(status, ms / 1_000);
    },
    metrics() {
      const all = [...routes.values()];
      return [
        metric(
          "liaison_requests_total",
          "Requests by route pattern and status; 499: the caller hung up before the answer was through.",
          "counter",
          all.flatMap(({ labels, counts }) => {
            return Array.from(counts, ([status, value]) => ({ labels: { ...labels, status: String(status) }, value }));
          }),
        ),
        metric(
          "liaison_request_duration_seconds",
          "Seconds from a request's arrival to its answer's end.",
          "histogram",
          all.flatMap(({ labels, times }) => times.samples(labels)),
        ),
      ];
    },
  };
}

class OfRoute {
  readonly labels: { method: string; route: string };
  readonly counts = new Map<number, number>();
  readonly times = new Histogram(SECONDS);

  constructor(method: string, route: string) {
    this.labels = { method, route };
  }

  note(status: number, seconds: number): void {
    this.counts.set(status, (this.counts.get(status) ?? 0) + 1);
    this.times.note(seconds);
  }
}
