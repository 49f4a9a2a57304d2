import { now } from "../../clock.ts";
import { RateNews, type RateCount } from "./rate-news.ts";
import { RateWindows } from "./rate-windows.ts";

export type RateLimit = {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** The end of the window, in Unix seconds. */
  resetAt: number;
  /** Whole seconds until then, at least 1. */
  retryAfter: number;
};

const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1_000;

/** Counts per subject in windows of a minute that begin with the subject's first request. */
export class RateLimiter {
  /** The number of requests refused so far, for metrics. */
  refused = 0;
  readonly #windows = new RateWindows();
  readonly #news: RateNews | null;

  /** @param send receives the counts of this process if other processes count the same subjects */
  constructor(send: ((counts: RateCount[]) => void) | null = null) {
    this.#news = send === null ? null : new RateNews(send);
  }

  /** Counts one. `limit` is per minute. */
  hit(subject: string, limit: number): RateLimit {
    const time = now();
    const window = this.#windows.current(subject, time) ?? this.#windows.open(subject, time + WINDOW_MS, time);
    window.hits++;
    const allowed = window.hits <= limit;
    // A refused request does not count.
    if (allowed) this.#news?.note(subject, window, limit);
    else this.refused++;
    return {
      allowed,
      limit,
      remaining: Math.max(0, limit - window.hits),
      resetAt: Math.ceil(window.endsAt / 1000),
      retryAfter: Math.max(1, Math.ceil((window.endsAt - time) / 1000)),
    };
  }

  /** Whether one more request would exceed the limit. Counts nothing. */
  isUsedUp(subject: string, limit: number): boolean {
    const window = this.#windows.current(subject, now());
    return window !== undefined && window.hits >= limit;
  }

  /** Receives the totals of all processes for some subjects. Counts on their way are not included. */
  receive(totals: RateCount[]): void {
    const time = now();
    for (const [subject, endsAt, hits] of totals) {
      if (endsAt <= time) continue;
      const window = this.#windows.current(subject, time) ?? this.#windows.open(subject, endsAt, time);
      window.endsAt = endsAt;
      window.hits = Math.max(window.hits, hits + window.unsent);
    }
  }
}

/** The limits of one server: of keys, and of the addresses that fail to authenticate. */
export type RateLimiters = { keys: RateLimiter; failures: RateLimiter };

export function createRateLimiters(): RateLimiters {
  return { keys: new RateLimiter(), failures: new RateLimiter() };
}

/** The headers of every counted answer: the usual ones, and those of draft-ietf-httpapi-ratelimit-headers-11. */
export function limitHeaders({ limit, remaining, retryAfter }: RateLimit): Record<string, string> {
  return {
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(remaining),
    "ratelimit-policy": `"default";q=${limit};w=${WINDOW_SECONDS}`,
    ratelimit: `"default";r=${remaining};t=${retryAfter}`,
  };
}

/** The headers of a request that exceeds the limit. */
export function refusalHeaders(limit: RateLimit): Record<string, string> {
  return {
    ...limitHeaders(limit),
    "x-ratelimit-reset": String(limit.resetAt),
    "retry-after": String(limit.retryAfter),
  };
}
