import type { RateLimiters } from "../platform/http/rate-limit.ts";
import type { RateCount } from "../platform/http/rate-news.ts";

/** A process that serves tells its parent that it does and where, and what it has counted. */
export type ToParent =
  | { serves: { url: string; port: number } }
  | { counted: { limiter: keyof RateLimiters; counts: RateCount[] } };

/** The parent tells each process what all of them have counted. */
export type ToProcess = { limiter: keyof RateLimiters; totals: RateCount[] };
