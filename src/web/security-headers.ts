import type { FastifyInstance } from "fastify";

/** Everything comes from this server, nothing is inline, and nobody frames it. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The headers by which an answer says what browsers may do with it; a page is kept by nobody. */
export const SECURITY = {
  "content-security-policy": POLICY,
  // With no-referrer, browsers would send `Origin: null` with honest forms.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
};

/** Has each answer of the scope carry them. */
export function secured(scope: FastifyInstance): void {
  scope.addHook("onRequest", async (_request, reply) => {
    reply.headers(SECURITY);
  });
}
