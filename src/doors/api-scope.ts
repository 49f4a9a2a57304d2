import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingAsyncHookHandler } from "fastify";
import type { Authenticator } from "../api-keys/authenticate.ts";
import type { Principal } from "../api-keys/principal.ts";
import type { Deps } from "../deps.ts";
import { errors } from "../errors.ts";
import { LARGE_BODY, send } from "../platform/http/answers.ts";
import { BODY_LIMIT, collectBody } from "../platform/http/body.ts";
import { createByteBudget, type Reservation } from "../platform/http/byte-budget.ts";
import { addressOf, callerOf, originOf } from "../platform/http/caller.ts";
import { HttpError } from "../platform/http/http-error.ts";
import { parseQuery } from "../platform/http/pagination.ts";
import { limitHeaders, refusalHeaders, type RateLimiters } from "../platform/http/rate-limit.ts";
import { createBodyParser } from "../platform/http/json-body.ts";
import { answerInJson } from "../platform/http/server.ts";
import type { Unrouted } from "../platform/http/unrouted.ts";
import { splitOnce, withoutTrailingSlash } from "../platform/http/url.ts";
import type { TakeTurn } from "./request-turns.ts";
import { API_PREFIX, routes, type Route } from "./routes.ts";

declare module "fastify" {
  interface FastifyRequest {
    principal: Principal | null;
  }
}

/** Of large bodies and answers that lie in memory at once. */
const MEGABYTES = { ofAll: 128, ofEach: 16 };

/**
 * The API, a scope of its own: its bodies are JSON, and so are its answers. Read top to bottom it is the order of the
 * checks on one request (docs/contract.md 1.2): route and method (platform/http/unrouted.ts), authentication, rate
 * limit, capability, the tenant's turn, body; the endpoint has the rest. Only these checks know of keys: behind them there is an actor.
 */
export function registerApi(
  server: FastifyInstance,
  deps: Deps,
  authenticator: Authenticator,
  unrouted: Unrouted,
  { limiters, turn }: { limiters: RateLimiters; turn: TakeTurn },
): void {
  const { config, database, sharing } = deps;
  const budget = createByteBudget(MEGABYTES);
  const parseBody = createBodyParser(sharing.time);

  async function authenticate(request: FastifyRequest): Promise<void> {
    const address = () => addressOf(request, config.trustedProxies);
    const perMinute = config.authFailureLimit;
    const isGuessing = () => perMinute > 0 && limiters.failures.isUsedUp(address(), perMinute);
    try {
      request.principal = await authenticator.authenticate(request.headers.authorization, { address, isGuessing });
    } catch (error) {
      if (error instanceof HttpError && error.status === 401 && perMinute > 0) {
        const limit = limiters.failures.hit(address(), perMinute);
        if (!limit.allowed) throw errors.rateLimited(refusalHeaders(limit));
      }
      throw error;
    }
  }

  async function limitRate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { actor, keyId, rate } = principalOf(request);
    const perMinute = rate ?? config.rateLimit;
    if (perMinute === 0) return;
    const limit = limiters.keys.hit(`${actor.tenant}/${keyId}`, perMinute);
    reply.headers(limitHeaders(limit));
    if (!limit.allowed) throw errors.rateLimited(refusalHeaders(limit));
  }

  function requireCapability({ capability }: Route) {
    return async (request: FastifyRequest): Promise<void> => {
      const principal = principalOf(request);
      if (!principal.capabilities.has(capability)) throw errors.capabilityMissing(capability);
      authenticator.noteUse(principal, capability);
    };
  }

  async function takeTurn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await turn(principalOf(request).actor.tenant, request, reply);
  }

  /** A body of the largest size from each of a thousand connections would be a gigabyte: large ones wait for each other. */
  const reserveBody: preParsingAsyncHookHandler = async (request, reply, body) => {
    const bytes = Number(request.headers["content-length"] ?? BODY_LIMIT);
    if (bytes > LARGE_BODY && bytes <= BODY_LIMIT) {
      await budget.reserve(principalOf(request).actor.tenant, bytes, callerOf(request), reply.raw);
    }
    return body;
  };

  function handle({ endpoint }: Route) {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const [path, search = ""] = splitOnce(request.raw.url ?? "", "?");
      const { actor } = principalOf(request);
      const caller = callerOf(request);
      const reserved: Reservation[] = [];
      const input = await parseBody(request.body as Buffer | undefined, actor.tenant, caller);
      const own = { ...deps, database: database.forCaller(caller) };
      const { status, json } = await endpoint(own, {
        actor,
        params: request.params as Record<string, string>,
        query: parseQuery(search),
        input,
        url: () => `${originOf(request, config)}${withoutTrailingSlash(path)}`,
        async reserve(bytes) {
          reserved.push(await budget.reserve(actor.tenant, bytes, caller, reply.raw));
        },
      });
      // An answer in parts needs its memory until the last of them is through.
      if (typeof json !== "string") return send(reply, status, json);
      for (const reservation of reserved) reservation.shrinkTo(json.length);
      return send(reply, status, json);
    };
  }

  void server.register(
    async (api) => {
      api.decorateRequest("principal", null);
      answerInJson(api, unrouted);
      takeEveryBody(api);
      for (const route of routes) {
        api.route({
          method: route.method,
          url: route.path.slice(API_PREFIX.length).replaceAll(/\{(\w+)\}/g, ":$1"),
          bodyLimit: BODY_LIMIT,
          onRequest: [authenticate, limitRate, requireCapability(route), takeTurn],
          ...(route.method === "GET" ? {} : { preParsing: reserveBody }),
          handler: handle(route),
        });
      }
    },
    { prefix: API_PREFIX },
  );
}

/** A body is JSON, whatever its Content-Type (docs/contract.md 3.1): all bodies take one parser. */
function takeEveryBody(api: FastifyInstance): void {
  api.addHook("onRequest", async ({ headers }) => {
    if (headers["content-type"] !== undefined) headers["content-type"] = "application/json";
  });
  api.removeAllContentTypeParsers();
  api.addContentTypeParser("*", async (request: FastifyRequest, body: Readable) => {
    return await collectBody(body, Number(request.headers["content-length"] ?? 0), BODY_LIMIT);
  });
}

function principalOf({ principal }: FastifyRequest): Principal {
  if (principal === null) throw errors.keyMissing();
  return principal;
}
