import type { IncomingHttpHeaders } from "node:http";

/**
 * A file of its own: the whole rule against forged writes.
 * Whether a write comes from a page of this server (docs/web.md 6). Browsers report it in sec-fetch-site; without this
 * header, the Origin header must name this host. A request with neither is rejected.
 * @param origin of this server as browsers see it
 */
export function isSameOrigin(headers: IncomingHttpHeaders, origin: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  return headers.origin !== undefined && hostOf(headers.origin) === hostOf(origin);
}

function hostOf(origin: string): string | symbol {
  // An invalid origin must equal nothing, not even itself.
  return URL.canParse(origin) ? new URL(origin).host || Symbol("no host") : Symbol("no host");
}
