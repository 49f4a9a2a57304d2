import { now } from "../../platform/clock.ts";
import type { Exchange } from "../../platform/outbound/http-client.ts";
import { parseRetryAfter } from "../../platform/outbound/retry-after.ts";
import { isPause, type DeliveryFailure } from "../failure.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Before the second try, the third, ...: ten tries in three days. */
const PAUSES_MS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  ...[1, 5, 12, 24, 30].map((hours) => hours * HOUR),
];
/** Each is up to so much longer, or all that failed together would come together again. */
const SPREAD = 0.2;
const LONGEST_RETRY_AFTER_MS = 24 * HOUR;

/** How a try ended. `isAnswered`: whether there was any answer; `isGone`: the receiver wants nothing any more. */
export type Verdict = {
  state: "delivered" | "waiting" | "given_up";
  status: number | null;
  error: DeliveryFailure | null;
  afterMs: number;
  isAnswered: boolean;
  isGone: boolean;
};

/**
 * Null where nothing was tried: the worker is to stop, or may not call.
 * @param attempts with this one
 */
export function verdictOn(exchange: Exchange, attempts: number): Verdict | null {
  if (exchange.outcome !== "answered") {
    const { reason } = exchange;
    if (isPause(reason)) return null;
    return failed(reason, { status: null, attempts, retryAfterMs: null });
  }
  const { status, headers } = exchange;
  if (status >= 200 && status < 300) {
    return { state: "delivered", status, error: null, afterMs: 0, isAnswered: true, isGone: false };
  }
  if (status === 410)
    return { ...failed("gone", { status, attempts, retryAfterMs: null }), state: "given_up", isGone: true };
  const retryAfterMs = parseRetryAfter(headers, now(), LONGEST_RETRY_AFTER_MS);
  return failed(status < 400 ? "redirect" : "status", { status, attempts, retryAfterMs });
}

/** The change is not there any more: it was erased, or a restored database has others. */
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
  const afterMs = retryAfterMs ?? (pause ?? 0) * (1 + SPREAD * Math.random());
  return { state, status, error, afterMs, isAnswered: status !== null, isGone: false };
}
