import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { answerError } from "./answers.ts";
import { protocolErrors } from "./http-error.ts";
import { splitOnce, targetOf, withoutTrailingSlash } from "./url.ts";

/** Answers a request without a route. */
export type Unrouted = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

type Registered = { pattern: RegExp; methods: string[] };

/**
 * The answers to requests without a route: a path that some route has gets a 405 with the methods of all its routes, or
 * for OPTIONS just these; any other path is a 404. It learns the routes as they are registered on the server from now
 * on.
 */
export function answeringUnrouted(server: FastifyInstance): Unrouted {
  const registered = new Map<string, Registered>();
  server.addHook("onRoute", ({ url, method }) => {
    const { pattern, methods } = registered.get(url) ?? { pattern: pathPattern(url), methods: [] };
    registered.set(url, { pattern, methods: [...methods, ...[method].flat()] });
  });

  return (request, reply) => {
    const [path] = splitOnce(targetOf(request.originalUrl).path, "?");
    const methods = [...registered.values()].flatMap(({ pattern, methods }) => (pattern.test(path) ? methods : []));
    if (methods.length === 0) {
      const shown = withoutTrailingSlash(path).replace(/^\//, "") || "/";
      return answerError(protocolErrors.routeUnknown(shown), request, reply);
    }
    const allow = allowOf(methods);
    if (request.method === "OPTIONS") return reply.code(204).header("allow", allow).send();
    return answerError(protocolErrors.methodNotAllowed(allow), request, reply);
  };
}

/** In the order in which the routes were registered; HEAD, which exists for each GET, comes last. */
function allowOf(methods: readonly string[]): string {
  const named = new Set(methods.filter((method) => method !== "HEAD"));
  return [...named, ...(methods.includes("HEAD") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}

function pathPattern(url: string): RegExp {
  return new RegExp(`^${url.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+")}/?$`);
}
