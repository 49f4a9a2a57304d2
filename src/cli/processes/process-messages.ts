import type { RateLimiters } from "../../platform/http/rates/rate-limit.ts";
import type { RateCount } from "../../platform/http/rates/rate-news.ts";
import type { Metric } from "../../platform/metrics/metric.ts";

/**
 * A process that serves tells its parent that it does and where, that it took a connection, what it has counted and, when asked, what it
 * has measured: of itself, and of the database where the parent asked for that too.
 */
export type ToParent =
  | { serves: { url: string } }
  | { taken: true }
  | { counted: { limiter: keyof RateLimiters; counts: RateCount[] } }
  | { measured: { own: Metric[]; ofAll: Metric[] } };

/**
 * The parent hands a connection over with a message, tells each process what all of them have counted, asks what it has measured, and
 * switches its access log.
 */
export type ToProcess =
  | { takes: "connection" }
  | { limiter: keyof RateLimiters; totals: RateCount[] }
  | { measures: "own" | "all" }
  | { accessLog: boolean };
