import { randomUUID } from "node:crypto";
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import { createAuthenticator, type Authenticator } from "./api-keys/authenticate.ts";
import type { Principal } from "./api-keys/principal.ts";
import type { Deps } from "./deps.ts";
import { registerDocs } from "./docs/pages.ts";
import { answerError, answerMalformedRequest, send } from "./platform/http/answers.ts";
import { BODY_LIMIT, parseBody } from "./platform/http/body.ts";
import { errors } from "./errors.ts";
import { HttpError } from "./platform/http/http-error.ts";
import { callerAddress, isInNetworks } from "./platform/network.ts";
import { parseQuery } from "./platform/http/pagination.ts";
import { RateLimiter, type RateLimit } from "./platform/http/rate-limit.ts";
import { readyStatement } from "./platform/postgres/ready.ts";
import { routes, type Method, type Route } from "./routes.ts";

export type App = { server: FastifyInstance; authenticator: Authenticator };

declare module "fastify" {
  interface FastifyRequest {
    principal: Principal | null;
  }
}

/**
 * The HTTP application. Read top to bottom it is the order of the checks on one request (decisions 3): route, method,
 * authentication, rate limit, capability, body; the endpoint has the rest.
 */
export function buildApp(deps: Deps): App {
  const { config, database, logger } = deps;
  const authenticator = createAuthenticator(database, logger);
  const limiter = new RateLimiter();
  const failureLimiter = new RateLimiter();

  const loggerInstance: FastifyBaseLogger = logger;
  const server: FastifyInstance = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT,
    // A client that sends its request slower than this holds a socket for nothing. fastify has no limit by default.
    requestTimeout: 60_000,
    keepAliveTimeout: 75_000,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    rewriteUrl: ({ url = "/" }) => decodable(url),
    // The parsed query is our own (pagination.ts); no limit on the length of an id.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 100_000, querystringParser: () => ({}) },
    clientErrorHandler: answerMalformedRequest,
    // Left to the first hook below, whose answer is JSON and carries the request id.
    http: { requireHostHeader: false },
  });
  server.decorateRequest("principal", null);

  server.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
    reply.header("x-content-type-options", "nosniff");
    // Whatever the Content-Type says, a body is JSON (decisions 1): all bodies take the one parser below.
    if (request.headers["content-type"] !== undefined) request.headers["content-type"] = "application/json";
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1") throw errors.requestMalformed();
    // Here already: what has no route is answered before its body is looked at. An empty id makes another path.
    const { id } = request.params as { id?: string };
    if (request.is404 || id === "") return answerUnrouted(request, reply);
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  server.setNotFoundHandler(answerUnrouted);
  // An expectation that we do not know is one that we need not meet. Node would answer it with an empty 417.
  server.server.on("checkExpectation", (request, response) => server.routing(request, response));
  server.setErrorHandler(answerError);

  async function authenticate(request: FastifyRequest): Promise<void> {
    try {
      request.principal = await authenticator.authenticate(request.headers.authorization, () => addressOf(request));
    } catch (error) {
      if (error instanceof HttpError && error.status === 401 && config.authFailureLimit > 0) {
        const limit = failureLimiter.hit(addressOf(request), config.authFailureLimit);
        if (!limit.allowed) throw errors.rateLimited(refusedHeaders(limit));
      }
      throw error;
    }
  }

  function addressOf({ raw, headers }: FastifyRequest): string {
    const forwardedFor = headers["x-forwarded-for"];
    return callerAddress(raw.socket.remoteAddress ?? "", forwardedFor?.toString(), config.trustedProxies);
  }

  async function limitRate({ principal }: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (principal === null) throw errors.keyMissing();
    const perMinute = principal.rate ?? config.rateLimit;
    if (perMinute === 0) return;
    const limit = limiter.hit(`${principal.tenantId}/${principal.keyId}`, perMinute);
    reply.header("x-ratelimit-limit", limit.limit);
    reply.header("x-ratelimit-remaining", limit.remaining);
    if (!limit.allowed) throw errors.rateLimited(refusedHeaders(limit));
  }

  function requireCapability({ capability }: Route) {
    return async ({ principal }: FastifyRequest): Promise<void> => {
      if (principal?.capabilities.has(capability) !== true) throw errors.capabilityMissing(capability);
    };
  }

  for (const route of routes) {
    server.route({
      method: route.method,
      url: route.path.replaceAll(/\{(\w+)\}/g, ":id"),
      onRequest: [authenticate, limitRate, requireCapability(route)],
      handler: async (request, reply) => {
        const { principal, raw } = request;
        if (principal === null) throw errors.keyMissing();
        const [path, search = ""] = splitOnce(raw.url ?? "", "?");
        const answer = await route.endpoint(deps, {
          principal,
          id: (request.params as { id?: string }).id ?? "",
          query: parseQuery(search),
          input: parseBody(request.body as Buffer | undefined),
          url: () => `${publicUrl(request)}${withoutTrailingSlash(path)}`,
        });
        return send(reply, answer.status, answer.json);
      },
    });
  }

  function publicUrl({ headers, raw }: FastifyRequest): string {
    if (config.publicUrl !== null) return config.publicUrl;
    const host = headers.host ?? "";
    const proxied = isInNetworks(raw.socket.remoteAddress ?? "", config.trustedProxies);
    const scheme = proxied && headers["x-forwarded-proto"] === "https" ? "https" : "http";
    return `${scheme}://${/^[\w.:[\]-]+$/.test(host) ? host : `${config.host}:${raw.socket.localPort}`}`;
  }

  server.get("/health/live", async (_request, reply) => send(reply, 200, '{"status":"ok"}'));
  server.get("/health/ready", async (_request, reply) => {
    await database.readShared(readyStatement);
    return send(reply, 200, '{"status":"ready"}');
  });
  registerDocs(server, deps);

  return { server, authenticator };
}

/** A known path with another method is a 405, or for OPTIONS the methods; anything else is an unknown route. */
function answerUnrouted(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [path] = splitOnce(request.originalUrl, "?");
  const methods = methodsOf(path);
  if (methods.length === 0) {
    const shown = withoutTrailingSlash(path).replace(/^\//, "") || "/";
    return answerError(errors.routeUnknown(shown), request, reply);
  }
  const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  if (request.method === "OPTIONS") return reply.code(204).header("allow", allow).send();
  return answerError(errors.methodNotAllowed(allow), request, reply);
}

const PUBLIC_PATHS: { path: string; method: Method }[] = [
  { path: "/health/live", method: "GET" },
  { path: "/health/ready", method: "GET" },
  { path: "/api/v1/openapi.json", method: "GET" },
  { path: "/docs", method: "GET" },
];

const PATTERNS = [...routes, ...PUBLIC_PATHS].map(({ path, method }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}/?$`),
}));

function methodsOf(path: string): Method[] {
  return PATTERNS.flatMap(({ method, pattern }) => (pattern.test(path) ? [method] : []));
}

function refusedHeaders({ limit, remaining, resetAt, retryAfter }: RateLimit): Record<string, string> {
  return {
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-reset": String(resetAt),
    "retry-after": String(retryAfter),
  };
}

/** The caller's own id where it is a plain one, so that both sides' logs can be brought together. */
function requestId({ headers }: { headers: NodeJS.Dict<string | string[]> }): string {
  const sent = headers["x-request-id"];
  return typeof sent === "string" && /^[\w.-]{1,128}$/.test(sent) ? sent : randomUUID();
}

function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

/** An undecodable id is a missing resource, not a bad request: a stray percent sign stands for itself. */
function decodable(url: string): string {
  if (!url.includes("%")) return url;
  const [path, search] = splitOnce(url, "?");
  const rest = search === undefined ? "" : `?${search}`;
  const segments = path.split("/").map((segment) => {
    try {
      decodeURIComponent(segment);
      return segment;
    } catch {
      return segment.replaceAll("%", "%25");
    }
  });
  return segments.join("/") + rest;
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
