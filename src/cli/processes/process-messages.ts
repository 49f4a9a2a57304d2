import type { RateLimiters } from "../../platform/http/rates/rate-limit.ts";
import type { RateCount } from "../../platform/http/rates/rate-news.ts";
import type { Metric } from "../../platform/metrics/metric.ts";

/** The address that clients use, and the one of this machine: they differ behind a proxy. */
export type Place = { url: string; listensAt: string };

/**
 * Messages of a serving process to its parent: that it serves and where, that it received a connection, its counts and,
 * on request, its metrics, including those of the database if the parent requested them.
 */
export type ToParent =
  | { serves: Place }
  | { accepted: true }
  | { counted: { limiter: keyof RateLimiters; counts: RateCount[] } }
  | { measured: { own: Metric[]; ofAll: Metric[] } };

/**
 * Messages of the parent: it passes a connection, sends the totals of all processes, requests metrics, switches the
 * access log, and reports that all processes serve.
 */
export type ToProcess =
  | { passes: "connection" }
  | { limiter: keyof RateLimiters; totals: RateCount[] }
  | { measures: "own" | "all" }
  | { accessLog: boolean }
  | { allServe: true };
