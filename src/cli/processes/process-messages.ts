import type { RateLimiters } from "../../platform/http/rates/rate-limit.ts";
import type { RateCount } from "../../platform/http/rates/rate-news.ts";
import type { Metric } from "../../platform/metrics/metric.ts";

/**
 * Messages of a serving process to its parent: that it serves and where, that it received a connection, its counts and,
 * on request, its metrics, including those of the database if the parent requested them.
 */
export type ToParent =
  | { serves: { url: string } }
  | { accepted: true }
  | { counted: { limiter: keyof RateLimiters; counts: RateCount[] } }
  | { measured: { own: Metric[]; ofAll: Metric[] } };

/**
 * Messages of the parent: it passes a connection, sends the totals of all processes, requests metrics, and switches the
 * access log.
 */
export type ToProcess =
  | { passes: "connection" }
  | { limiter: keyof RateLimiters; totals: RateCount[] }
  | { measures: "own" | "all" }
  | { accessLog: boolean };
