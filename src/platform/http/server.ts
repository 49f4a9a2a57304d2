import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server as HttpServer, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type onRequestHookHandler,
} from "fastify";
import type { Logger } from "../logger.ts";
import { parseTraceparent, traceparent, type Trace } from "../trace.ts";
import { answerError, answerMalformedRequest } from "./answers.ts";
import { protocolErrors } from "./http-error.ts";
import { cutShortChunksOff } from "./short-chunks.ts";
import { answeringUnrouted, type Unrouted } from "./unrouted.ts";
import { decodable, targetOf } from "./url.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The trace in the request's headers. */
    trace: Trace | null;
  }
  interface FastifyInstance {
    /** The path of our address behind a proxy, without a trailing slash: usually empty. */
    base: string;
  }
}

export type Server = { server: FastifyInstance; unrouted: Unrouted };

/**
 * An HTTP server without routes. Each answer gets the request's id; the scopes that are registered on it decide
 * everything else (bodies, unknown paths, errors).
 * @param first hooks that run before those of any scope, so that no scope can forget them
 * @param publicUrl our address for clients, if it is known
 */
export function createServer(logger: Logger, first: onRequestHookHandler[], publicUrl: string | null): Server {
  const base = publicUrl === null ? "" : new URL(publicUrl).pathname.replace(/\/$/, "");
  const loggerInstance: FastifyBaseLogger = logger;
  const server: FastifyInstance = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // A log line adds its request's id itself: a logger for each request would cost more than its checks.
    childLoggerFactory: (all) => all,
    genReqId: requestId,
    requestIdHeader: false,
    // A slower client occupies a socket for nothing. Fastify has no limit by default.
    requestTimeout: 60_000,
    keepAliveTimeout: 75_000,
    connectionTimeout: LOOK_MS,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    rewriteUrl({ url = "/", headers }) {
      const { path, host } = targetOf(url);
      // A host in the first line replaces that of the header.
      if (host !== null) headers.host = host;
      return decodable(path);
    },
    // The parsed query is our own (lists/pagination.ts); no limit on the length of an id.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 100_000, querystringParser: () => ({}) },
    clientErrorHandler: (error, socket) => answerMalformedRequest(error, socket, base),
    // The first hook below refuses the request instead, in JSON and with the request id.
    http: { requireHostHeader: false },
  });
  const unrouted = answeringUnrouted(server);
  server.server.prependListener("request", cutShortChunksOff);
  cutUnreadOff(server.server);
  server.decorate("base", base);
  server.decorateRequest("caller", null);
  server.decorateRequest("holder", "");
  server.decorateRequest("hasPlace", false);
  server.decorateRequest("withoutPlaceMs", 0);
  server.decorateRequest("trace", null);

  server.addHook("onRequest", ({ raw }, reply, next) => oneByOne(raw.socket, reply.raw, next));
  for (const hook of first) server.addHook("onRequest", hook);
  // A hook that need not wait calls `next`: a promise would cost each request a microsecond.
  server.addHook("onRequest", (request, reply, next) => {
    reply.header("x-request-id", request.id);
    reply.header("x-content-type-options", "nosniff");
    request.trace = parseTraceparent(request.headers.traceparent);
    if (request.trace !== null) reply.header("traceparent", traceparent(request.trace));
    next(namesOneHost(request.raw) ? undefined : protocolErrors.badRequest());
  });
  // An unknown expectation need not be met. Node would answer it with an empty 417.
  server.server.on("checkExpectation", (request, response) => server.routing(request, response));
  return { server, unrouted };
}

/**
 * A scope whose answers are always JSON: an unknown path gets 404, a known path with another method 405, and thrown
 * errors become answers.
 */
export function answerInJson(scope: FastifyInstance, unrouted: Unrouted): void {
  scope.addHook("onRequest", (request, reply, next) => {
    // A request without a route is answered here, before its body is looked at. An empty parameter makes another path.
    const isEmpty = Object.values(request.params as Record<string, string>).includes("");
    if (request.is404 || isEmpty) void unrouted(request, reply);
    else next();
  });
  scope.setNotFoundHandler(unrouted);
  scope.setErrorHandler(answerError);
}

/**
 * HTTP/1.1 requires exactly one Host. Node uses the first of several and drops the rest; a proxy may have used another.
 */
function namesOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  return hosts === 1 || (hosts === 0 && httpVersion !== "1.1");
}

/** The caller's own id if it has a plain form, so that the logs of both sides can be matched. */
function requestId({ headers }: { headers: NodeJS.Dict<string | string[]> }): string {
  const sent = headers["x-request-id"];
  return typeof sent === "string" && /^[\w.-]{1,128}$/.test(sent) ? sent : randomUUID();
}

/** The response to the request that came last on a connection. */
const latest = new WeakMap<Socket, ServerResponse>();

/**
 * Continues with a request once the previous one on its connection is answered. A client may send hundreds without
 * waiting. They are answered in order anyway, and together would delay everyone else.
 */
export function oneByOne(socket: Socket, response: ServerResponse, goOn: () => void): void {
  const before = latest.get(socket);
  latest.set(socket, response);
  if (before === undefined || before.closed) goOn();
  else before.once("close", goOn);
}

/** The connection of a client that reads nothing of its answer for this long is cut. */
const UNREAD_MS = 60_000;

/**
 * At each timeout of a connection with an answer in progress, Node checks whether the client has read anything since
 * the last check. What the client read first counts at the first check, so only the second one cuts the connection.
 */
export const LOOK_MS = UNREAD_MS / 2;

/** Cuts the connections of clients that read nothing; the server's timeout is LOOK_MS. */
function cutUnreadOff(server: HttpServer): void {
  server.on("timeout", (socket: Socket) => {
    const isFirstLook = socket.timeout === server.timeout;
    // There is nothing to read yet. The request gets a second period of the same length; its timeout is a millisecond
    // shorter to mark it.
    if (isFirstLook && socket.writableLength === 0) socket.setTimeout(server.timeout - 1);
    else socket.destroy();
  });
}
