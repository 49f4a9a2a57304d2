import type { IncomingHttpHeaders } from "node:http";
import { now } from "../platform/clock.ts";
import { parseRetryAfter } from "../platform/outbound/retry-after.ts";
import { member } from "./order-answer.ts";
import type { WarehouseFailure } from "./warehouse-client.ts";

const MAX_MESSAGE = 500;
/** Control and format characters, line ends, halves of a surrogate pair: a message is one plain line. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu;

/** An answer that is no success, as the contract means it (docs/wms.md 5). */
export function failureOfAnswer(status: number, headers: IncomingHttpHeaders, json: unknown): WarehouseFailure {
  if (status === 401) return { outcome: "credentials" };
  // Some services throttle with 403; only then do they say when to come again.
  if (status === 429 || (status === 403 && headers["retry-after"] !== undefined)) {
    return { outcome: "throttled", retryAfterMs: parseRetryAfter(headers, now()) };
  }
  if (status === 403) return { outcome: "credentials" };
  if (status === 404) return { outcome: "missing" };
  if (status === 422) return { outcome: "refused", message: refusalMessage(json) };
  return { outcome: "unknown", reason: status >= 300 && status < 400 ? "redirect" : "status" };
}

/** The `error` and the messages of `errors`. */
function refusalMessage(json: unknown): string {
  const errors = member(json, "errors");
  const details = typeof errors === "object" && errors !== null ? Object.values(errors).flat() : [];
  const texts = [member(json, "error"), ...details].filter((text) => typeof text === "string");
  const message = texts.join(" ").replaceAll(UNPRINTABLE, " ").trim();
  return message === "" ? "The warehouse gave no reason." : cut(message);
}

function cut(message: string): string {
  return Array.from(message.slice(0, 2 * MAX_MESSAGE))
    .slice(0, MAX_MESSAGE)
    .join("");
}
