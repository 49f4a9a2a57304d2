import type { FastifyInstance } from "fastify";
import { varyBy } from "./answers.ts";

/** The answer to a browser's preflight request. It is cached for two hours, the longest that any browser allows. */
const PREFLIGHT = {
  "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
  "access-control-allow-headers":
    "Authorization, Content-Type, Content-Encoding, If-Match, If-None-Match, Idempotency-Key, X-Request-Id, traceparent",
  "access-control-max-age": "7200",
};

/**
 * Allows pages of these origins to use a scope from the browser, including its error answers. A preflight is answered
 * before all checks, because it has no key (docs/contract.md 1.10).
 * @param exposed the names of the headers that such pages may read
 * @param further headers that such pages may send
 */
export function allowOrigins(
  scope: FastifyInstance,
  origins: readonly string[],
  exposed: readonly string[],
  further: readonly string[] = [],
): void {
  if (origins.length === 0) return;
  const name = "access-control-allow-headers";
  const preflight = { ...PREFLIGHT, [name]: [PREFLIGHT[name], ...further].join(", ") };
  const exposing = { "access-control-expose-headers": exposed.join(", ") };
  scope.addHook("onRequest", ({ headers, method }, reply, next) => {
    varyBy(reply, "origin");
    const { origin } = headers;
    if (origin === undefined || !origins.includes(origin)) return next();
    reply.header("access-control-allow-origin", origin);
    const asks = method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
    if (asks) return void reply.code(204).headers(preflight).send();
    reply.headers(exposing);
    next();
  });
}
