import type { IncomingHttpHeaders } from "node:http";

/**
 * Whether a write comes from a page of ours (docs/web.md 6). Browsers say so themselves; of one that does not, the origin
 * that it names must be our own host. A request that says neither is refused.
 * @param origin of this server, as the browser knows it
 */
export function isSameOrigin(headers: IncomingHttpHeaders, origin: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  return headers.origin !== undefined && hostOf(headers.origin) === hostOf(origin);
}

function hostOf(origin: string): string | symbol {
  // Something that is no address equals nothing, itself included.
  return URL.canParse(origin) ? new URL(origin).host || Symbol("no host") : Symbol("no host");
}
