import { now } from "../clock.ts";

export type RateLimit = {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** The end of the window, in Unix seconds. */
  resetAt: number;
  /** Whole seconds until then, at least 1. */
  retryAfter: number;
};

const WINDOW_MS = 60_000;
const MOST_WINDOWS = 50_000;

/** Counts per subject in windows of a minute that begin with the subject's first request. In this process only. */
export class RateLimiter {
  /** In the order of their beginnings. */
  readonly #windows = new Map<string, { endsAt: number; count: number }>();

  /** Counts one. `limit` is per minute. */
  hit(subject: string, limit: number): RateLimit {
    const time = now();
    let window = this.#windows.get(subject);
    if (window === undefined || window.endsAt <= time) {
      this.#windows.delete(subject);
      this.#makeRoom(time);
      window = { endsAt: time + WINDOW_MS, count: 0 };
      this.#windows.set(subject, window);
    }
    window.count++;
    return {
      allowed: window.count <= limit,
      limit,
      remaining: Math.max(0, limit - window.count),
      resetAt: Math.ceil(window.endsAt / 1000),
      retryAfter: Math.max(1, Math.ceil((window.endsAt - time) / 1000)),
    };
  }

  /** Whether one more would be beyond the limit. Counts nothing. */
  isUsedUp(subject: string, limit: number): boolean {
    const window = this.#windows.get(subject);
    return window !== undefined && window.endsAt > now() && window.count >= limit;
  }

  /** Forgets the windows that have ended, and where that is not enough the oldest: memory stays bounded under attack. */
  #makeRoom(time: number): void {
    for (const [subject, { endsAt }] of this.#windows) {
      if (endsAt > time && this.#windows.size < MOST_WINDOWS) return;
      this.#windows.delete(subject);
    }
  }
}

/** The headers of every counted answer. */
export function limitHeaders({ limit, remaining }: RateLimit): Record<string, string> {
  return { "x-ratelimit-limit": String(limit), "x-ratelimit-remaining": String(remaining) };
}

/** The headers of a request that was refused for the limit. */
export function refusalHeaders(limit: RateLimit): Record<string, string> {
  return {
    ...limitHeaders(limit),
    "x-ratelimit-reset": String(limit.resetAt),
    "retry-after": String(limit.retryAfter),
  };
}
