import type { FastifyInstance } from "fastify";

/** All content comes from this server, no script or style is inline, and no site may frame the pages. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The headers that restrict browsers. Pages may not be cached. */
export const SECURITY = {
  "content-security-policy": POLICY,
  // With no-referrer, browsers would send `Origin: null` with genuine forms.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
};

/** Adds the headers to each response of the scope. */
export function secured(scope: FastifyInstance): void {
  scope.addHook("onRequest", async (_request, reply) => {
    reply.headers(SECURITY);
  });
}
