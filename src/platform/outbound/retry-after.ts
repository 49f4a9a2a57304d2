import type { IncomingHttpHeaders } from "node:http";

const LONGEST_MS = 60 * 60 * 1_000;
/** The three forms of HTTP (RFC 9110); `Date.parse` alone accepts almost anything. */
const HTTP_DATE =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/;

/**
 * The milliseconds that a Retry-After requests, in seconds or as an HTTP-date; by default at most an hour. Null if
 * there is none, or no valid one.
 * @param now milliseconds since the epoch
 */
export function parseRetryAfter(headers: IncomingHttpHeaders, now: number, longestMs = LONGEST_MS): number | null {
  const text = [headers["retry-after"]].flat()[0]?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, longestMs);
  if (!HTTP_DATE.test(text)) return null;
  // The old form of C's asctime has no zone; all forms are in GMT.
  const time = Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
  return Number.isNaN(time) ? null : Math.min(Math.max(time - now, 0), longestMs);
}
