import type { IncomingHttpHeaders } from "node:http";

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

const ORIGIN = new RegExp(LOOPBACK.source.replace("^", "^https?://"), "i");

/** The headers by which a proxy says that it forwards a request. */
const FORWARDING = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/**
 * A file of its own: the whole rule.
 * Whether a request comes from this machine itself: the server listens on loopback, the Host header is a loopback name
 * (a page of another site can point its own name here), and no proxy forwards it. A proxy may say nothing of itself. So
 * a POST needs the Origin that every browser sends, which is that of the page that the person sees.
 */
export function isFromLoopback(headers: IncomingHttpHeaders, method: string, listensOn: string): boolean {
  const { origin } = headers;
  return (
    (origin === undefined ? method !== "POST" : ORIGIN.test(origin)) &&
    ["127.0.0.1", "::1", "localhost"].includes(listensOn) &&
    LOOPBACK.test(headers.host ?? "") &&
    FORWARDING.every((name) => headers[name] === undefined)
  );
}
