import type { RateLimiters } from "../platform/http/rate-limit.ts";
import type { RateCount } from "../platform/http/rate-news.ts";

/** A process that serves tells its parent that it does and where, that it took a connection, and what it has counted. */
export type ToParent =
  | { serves: { url: string } }
  | { taken: true }
  | { counted: { limiter: keyof RateLimiters; counts: RateCount[] } };

/** The parent hands a connection over with a message, and tells each process what all of them have counted. */
export type ToProcess = { takes: "connection" } | { limiter: keyof RateLimiters; totals: RateCount[] };
