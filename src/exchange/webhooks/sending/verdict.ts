import { now } from "../../../platform/clock.ts";
import type { Exchange } from "../../../platform/outbound/http-client.ts";
import { parseRetryAfter } from "../../../platform/outbound/retry-after.ts";
import { isPause, type DeliveryFailure } from "../failure.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Pauses before the second attempt, the third, and so on: ten attempts in three days. */
const PAUSES_MS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  ...[1, 5, 12, 24, 30].map((hours) => hours * HOUR),
];
/** Random extra share of each pause. Otherwise deliveries that failed together would be retried together. */
const SPREAD = 0.2;
const LONGEST_RETRY_AFTER_MS = 24 * HOUR;

/** The result of an attempt. `isAnswered`: there was a response; `isGone`: the receiver wants no more deliveries. */
export type Verdict = {
  state: "delivered" | "waiting" | "given_up";
  status: number | null;
  error: DeliveryFailure | null;
  afterMs: number;
  isAnswered: boolean;
  isGone: boolean;
};

/**
 * Null if no request was made: the worker must stop, or may not make the call.
 * @param attempts including this one
 */
export function verdictOn(exchange: Exchange, attempts: number): Verdict | null {
  if (exchange.outcome !== "answered") {
    const { reason } = exchange;
    if (isPause(reason)) return null;
    return failed(reason, { status: null, attempts, retryAfterMs: null });
  }
  const { status, headers } = exchange;
  if (isSuccess(status)) {
    return { state: "delivered", status, error: null, afterMs: 0, isAnswered: true, isGone: false };
  }
  // Pending deliveries are given up with the webhook, unless it has another address by then.
  if (status === 410) return { ...failed("gone", { status, attempts, retryAfterMs: null }), isGone: true };
  const retryAfterMs = parseRetryAfter(headers, now(), LONGEST_RETRY_AFTER_MS);
  return failed(status < 400 ? "redirect" : "status", { status, attempts, retryAfterMs });
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The change no longer exists: it was erased, or the database was restored to an earlier state. */
export const LOST: Verdict = {
  ...failed("lost", { status: null, attempts: 0, retryAfterMs: null }),
  state: "given_up",
};

function failed(
  error: DeliveryFailure,
  { status, attempts, retryAfterMs }: { status: number | null; attempts: number; retryAfterMs: number | null },
): Verdict {
  const pause = PAUSES_MS[attempts - 1];
  const state = pause === undefined ? "given_up" : "waiting";
  // Proxies that restart send 0 or 1 without knowing this plan. A shorter pause would soon use up the attempts.
  const afterMs = Math.max((pause ?? 0) * (1 + SPREAD * Math.random()), retryAfterMs ?? 0);
  return { state, status, error, afterMs, isAnswered: status !== null, isGone: false };
}
