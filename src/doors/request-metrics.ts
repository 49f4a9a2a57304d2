import { Histogram } from "../platform/metrics/histogram.ts";
import type { Metric } from "../platform/metrics/metric.ts";
import type { Observer } from "./observing.ts";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The requests of a method and a route's pattern. */
type Requests = { method: string; route: string; times: Histogram; byStatus: Map<number, number> };

/** Counts requests by route pattern and status, and their times by route pattern. */
export function createRequestMetrics(): { observe: Observer; metrics: () => Metric[] } {
  const all = new Map<string, Requests>();

  function requestsOf(method: string, route: string): Requests {
    const name = `${method} ${route}`;
    const known = all.get(name);
    if (known !== undefined) return known;
    const requests = { method, route, times: new Histogram(SECONDS), byStatus: new Map<number, number>() };
    all.set(name, requests);
    return requests;
  }

  return {
    observe({ method, route, status, ms }) {
      const { times, byStatus } = requestsOf(method, route);
      times.note(ms / 1_000);
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    },
    metrics: () => [
      {
        name: "liaison_requests_total",
        help: "Requests by route pattern and status; 499: the caller hung up before the answer was through.",
        type: "counter",
        samples: [...all.values()].flatMap(({ method, route, byStatus }) =>
          [...byStatus].map(([status, value]) => ({ labels: { method, route, status: String(status) }, value })),
        ),
      },
      {
        name: "liaison_request_duration_seconds",
        help: "Seconds from a request's arrival to its answer's end.",
        type: "histogram",
        samples: [...all.values()].flatMap(({ method, route, times }) => times.samples({ method, route })),
      },
    ],
  };
}
