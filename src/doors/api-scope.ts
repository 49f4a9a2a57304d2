import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { depsOf, type Deps } from "../kit/deps.ts";
import type { Answer, ApiRequest } from "../kit/endpoint.ts";
import { errors } from "../kit/errors.ts";
import { headers } from "../kit/openapi/responses.ts";
import { createAnswerOnce } from "../kit/stored-answers/answer-once.ts";
import { keyedRequest } from "../kit/stored-answers/keyed-request.ts";
import type { Authenticator, Bearer } from "../people/api-keys/authenticate.ts";
import { isCapability, type Capability } from "../people/api-keys/capability.ts";
import type { Principal } from "../people/api-keys/principal.ts";
import type { Input } from "../platform/fields/fields.ts";
import { asJson } from "../platform/http/answers.ts";
import { BODY_LIMIT, acceptBodies } from "../platform/http/body.ts";
import { originOf } from "../platform/http/caller.ts";
import { allowOrigins } from "../platform/http/cross-origin.ts";
import { knownTag } from "../platform/http/entity-tag.ts";
import { createBodyParser } from "../platform/http/json-body.ts";
import { ignoredIn, parseQuery, type Query } from "../platform/http/lists/pagination.ts";
import type { ResponseWriter } from "../platform/http/outgoing.ts";
import { createBytesReader } from "../platform/http/packed-body.ts";
import { answerInJson } from "../platform/http/server.ts";
import type { Unrouted } from "../platform/http/unrouted.ts";
import { splitOnce, withoutTrailingSlash } from "../platform/http/url.ts";
import { PRICES } from "../platform/sharing/prices.ts";
import type { Shared, WaitWithoutPlace } from "./checks.ts";
import { announcedFor, deprecationHeaders, type Deprecation } from "./deprecations.ts";
import { createKeyChecks, principalOf } from "./key-checks.ts";
import { API_PREFIX, routes, type Route } from "./routes.ts";
import { addServerTiming } from "./server-timing.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The query, once a check or the endpoint needed it. */
    parsedQuery: Query | null;
  }
}

/**
 * The API, a separate scope with JSON bodies and answers. The order of the code is the order of a request's checks
 * (docs/contract.md 1.2): its turn (turns.ts), route and method (platform/http/unrouted.ts), authentication, rate
 * limit, capability, one of the tenant's places, body; then the endpoint. Only these checks know keys: the code below
 * them gets an actor.
 */
export function registerApi(
  server: FastifyInstance,
  deps: Deps,
  authenticator: Authenticator,
  unrouted: Unrouted,
  shared: Shared,
  announced: readonly Deprecation[],
): void {
  const { bearerOf, authenticate, limitRate } = createKeyChecks(deps, authenticator, shared);
  const requireCapability = capabilityCheck(authenticator);
  const waitOutside = waitAndCheckKeyAgain(shared.waitWithoutPlace, authenticator, bearerOf);
  const handlerOf = createHandlers(deps, shared, announced, apiRequestMaker(deps, waitOutside));

  void server.register(
    async (api) => {
      api.decorateRequest("principal", null);
      api.decorateRequest("rate", null);
      api.decorateRequest("parsedQuery", null);
      allowOrigins(api, deps.config.corsOrigins, ["X-Error-Code", "Deprecation", "Sunset", ...Object.keys(headers)]);
      answerInJson(api, unrouted);
      addServerTiming(api);
      acceptEveryBody(api);
      for (const route of routes) {
        api.route({
          method: route.method,
          url: route.path.slice(API_PREFIX.length).replaceAll(/\{(\w+)\}/g, ":$1"),
          bodyLimit: route.bodyLimit ?? BODY_LIMIT,
          ...shared.inOrder(route.method, { identify: authenticate, limitRate, authorize: requireCapability(route) }),
          handler: handlerOf(route),
        });
      }
    },
    { prefix: API_PREFIX },
  );
}

/** Checks the route's capability, and those of the members that the request asks for by `include`. */
function capabilityCheck(authenticator: Authenticator) {
  function require(principal: Principal, needed: string): void {
    if (!isCapability(needed) || !mayHere(principal, needed)) throw errors.capabilityMissing(needed);
    authenticator.noteUse(principal, needed);
  }

  return ({ capability, reference }: Route) => {
    const included = (reference.includes ?? []).filter((each) => each.capability !== null);
    return (request: FastifyRequest): undefined => {
      if (capability === null) return;
      const principal = principalOf(request);
      require(principal, capability);
      const words = queryOf(request).included;
      if (words.size === 0) return;
      for (const each of included) if (words.has(each.word)) require(principal, String(each.capability));
    };
  };
}

/**
 * Whether a key has a capability here. One whose writes a person confirms may only read: no answer can ask a person.
 */
function mayHere({ capabilities, confirmsOnPage }: Principal, capability: Capability): boolean {
  return capabilities.has(capability) && (!confirmsOnPage || capability.endsWith(":read"));
}

/**
 * Lets a request wait outside its place. Afterwards it continues only if it would still be accepted: its key may have
 * been revoked.
 */
function waitAndCheckKeyAgain(
  waitWithoutPlace: WaitWithoutPlace,
  authenticator: Authenticator,
  bearerOf: (request: FastifyRequest) => Bearer,
) {
  return async (request: FastifyRequest, { capability }: Route, wait: Parameters<WaitWithoutPlace>[1]) => {
    if (!(await waitWithoutPlace(request, wait))) return false;
    const principal = await authenticator.authenticateAgain(request.headers.authorization, bearerOf(request));
    if (capability !== null && !mayHere(principal, capability)) throw errors.capabilityMissing(capability);
    return true;
  };
}

type ApiRequestMaker = (
  route: Route,
  request: FastifyRequest,
  out: ResponseWriter,
  parts: Pick<ApiRequest, "input" | "ignoreParameters">,
) => ApiRequest;

/** Makes the requests as endpoints read them. */
function apiRequestMaker(
  { config, sharing }: Deps,
  waitOutside: ReturnType<typeof waitAndCheckKeyAgain>,
): ApiRequestMaker {
  return (route, request, out, { input, ignoreParameters }) => {
    const { actor } = principalOf(request);
    return {
      actor,
      params: request.params as Record<string, string>,
      query: queryOf(request),
      input,
      may: (capability) => isCapability(capability) && mayHere(principalOf(request), capability),
      rate: request.rate,
      ifMatch: request.headers["if-match"],
      trace: request.trace,
      url: () => `${originOf(request, config)}${withoutTrailingSlash(splitOnce(request.raw.url ?? "", "?")[0])}`,
      ignoreParameters,
      reserve: async (size) => await out.reserve(size),
      waitWithoutPlace: async (wait) => await waitOutside(request, route, wait),
      waitForTurn: async (items) =>
        (await sharing.time.waitForTurn(actor.tenant, PRICES.itemOfBatch * items, out)) ?? undefined,
    };
  };
}

const NO_INPUT: Input = Object.freeze({});

/** Makes the handlers of the routes. */
function createHandlers(
  deps: Deps,
  { outgoing }: Pick<Shared, "outgoing">,
  announced: readonly Deprecation[],
  apiRequestOf: ApiRequestMaker,
) {
  const { database, sharing } = deps;
  const bytesOf = createBytesReader(sharing.time);
  const parseBody = createBodyParser(sharing.time);
  const answerOnce = createAnswerOnce();

  /** The body as an object. Any other body counts as empty, and every answer to it says so. */
  async function inputOf(bytes: Buffer, request: FastifyRequest, reply: FastifyReply): Promise<Input> {
    const input = await parseBody(bytes, principalOf(request).actor.tenant, outgoing(request, reply));
    if (input === null) reply.header("x-body-ignored", "not a JSON object");
    return input ?? {};
  }

  return (route: Route) => {
    const { method, path, endpoint, reference } = route;
    const deprecated = announcedFor(announced, route);
    const noteIgnored = ignoredParameters(reference);
    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { actor, keyId: apiKey } = principalOf(request);
      const out = outgoing(request, reply);
      const query = queryOf(request);
      const ignoreParameters = (others?: readonly string[]) => noteIgnored(query, reply, others);
      if ((splitOnce(request.raw.url ?? "", "?")[1] ?? "") !== "") ignoreParameters();
      // Most requests have no body, and do not wait for it.
      const bytes = request.body === undefined ? undefined : await bytesOf(request, actor.tenant, out);
      const key = method === "GET" ? undefined : request.headers["idempotency-key"];
      const params = request.params as Record<string, string>;
      const keyed = keyedRequest(key, { apiKey, method, path, params, bytes, status: reference.success.status });
      // A large body is parsed only after a stored answer was looked for.
      let parsed: Promise<Input> | undefined;
      const work = async (tools: Deps) => {
        const input = bytes === undefined ? NO_INPUT : await (parsed ??= inputOf(bytes, request, reply));
        if (deprecated.length > 0) reply.headers(deprecationHeaders(deprecated, query, input));
        return await endpoint(tools, apiRequestOf(route, request, out, { input, ignoreParameters }));
      };
      const own = { ...depsOf(deps, actor.tenant), database: database.forCaller(out) };
      const answer = keyed === null ? await work(own) : await answerOnce(own, actor.tenant, keyed, work);
      if (answer.isReplayed === true) reply.header("idempotency-replayed", "true");
      if (isKnown(answer, route, request, reply)) return reply.code(304).send();
      asJson(reply, answer.status);
      return await out.send(answer.json);
    };
  };
}

/** The check of a route's query: a header of the answer names the parameters that the route does not read. */
function ignoredParameters({ query: parameters = [], includes }: Route["reference"]) {
  const known = new Set(parameters.map(({ name, style }) => `${String(name)}${style === "deepObject" ? "[KEY]" : ""}`));
  const words = includes && new Set(includes.map(({ word }) => word));
  return (query: Query, reply: FastifyReply, others: readonly string[] | undefined): void => {
    const ignored = ignoredIn(query, known, words, others);
    if (ignored !== null) reply.header("x-query-ignored", ignored);
  };
}

/** Tags the answer; returns whether the client has it already. */
function isKnown({ etag }: Answer, route: Route, request: FastifyRequest, reply: FastifyReply): boolean {
  if (etag === undefined) return false;
  const known = route.method === "GET" ? knownTag(etag, request.headers["if-none-match"]) : null;
  reply.header("etag", known ?? etag);
  return known !== null;
}

function queryOf(request: FastifyRequest): Query {
  return (request.parsedQuery ??= parseQuery(splitOnce(request.raw.url ?? "", "?")[1] ?? ""));
}

/** A body is read as JSON, whatever its Content-Type (docs/contract.md 3.1): all bodies use one parser. */
function acceptEveryBody(api: FastifyInstance): void {
  api.addHook("onRequest", ({ headers }, _reply, next) => {
    if (headers["content-type"] !== undefined) headers["content-type"] = "application/json";
    next();
  });
  acceptBodies(api);
}
