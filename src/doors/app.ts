import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Deps } from "../kit/deps.ts";
import { registerContract } from "../kit/openapi/pages.ts";
import { secured } from "../kit/web/security-headers.ts";
import { createAuthenticator, type Authenticator } from "../people/api-keys/authenticate.ts";
import { answerError } from "../platform/http/answers.ts";
import { callerOf, originOf } from "../platform/http/caller.ts";
import { compressAnswers } from "../platform/http/compression.ts";
import { drainOf, type Drain } from "../platform/http/drain.ts";
import { protocolErrors } from "../platform/http/http-error.ts";
import { createOutgoing } from "../platform/http/outgoing.ts";
import { createRateLimiters, type RateLimiters } from "../platform/http/rates/rate-limit.ts";
import { answerInJson, createServer } from "../platform/http/server.ts";
import type { Unrouted } from "../platform/http/unrouted.ts";
import { withoutTrailingSlash } from "../platform/http/url.ts";
import { PRICES } from "../platform/sharing/prices.ts";
import { registerAgents, registerMetadata } from "./agents-scope.ts";
import { apiInfo } from "./api-info.ts";
import { registerApi } from "./api-scope.ts";
import { createChecks, hookOf } from "./checks.ts";
import { deprecations, type Deprecation } from "./deprecations.ts";
import { registerHealth } from "./health.ts";
import { observing, type Observer } from "./observing.ts";
import { registerWeb } from "./pages-scope.ts";
import { registerReference } from "./reference/register-reference.ts";
import { routes } from "./routes.ts";
import { createTurns } from "./turns.ts";

type App = { server: FastifyInstance; authenticator: Authenticator; drain: Drain };

/**
 * The HTTP application: separate scopes on one server, each with its own checks, bodies and errors.
 * @param limiters if other processes count together with this one
 * @param observers are called for each request when it is over
 * @param announced the deprecations of the API
 * @param isStarting whether other processes of the same port do not serve yet
 */
export function buildApp(
  deps: Deps,
  limiters: RateLimiters = createRateLimiters(),
  observers: readonly Observer[] = [],
  announced: readonly Deprecation[] = deprecations,
  isStarting: () => boolean = () => false,
): App {
  const authenticator = createAuthenticator(deps.database, deps.logger);
  const turns = createTurns(deps.sharing.time, deps.config);
  const observed = observers.length === 0 ? [] : [observing(observers)];
  const { server, unrouted } = createServer(deps.logger, [...observed, hookOf(turns.wait)], deps.config.publicUrl);
  const drain = drainOf(server.server);
  compressAnswers(server, deps.sharing.time);
  const outgoing = createOutgoing(deps.sharing);
  server.addHook("onClose", async () => authenticator.close());
  const stopping = new AbortController();
  server.addHook("preClose", async () => stopping.abort());
  const shared = {
    limiters,
    turns,
    outgoing,
    ...createChecks(deps.sharing, outgoing, stopping.signal),
  };
  registerApi(server, deps, authenticator, unrouted, shared, announced);
  registerAgents(server, deps, authenticator, unrouted, shared);
  const unroutedPage = registerWeb(server, deps, shared);
  void server.register(async (others) => {
    answerInJson(others, unroutedPage(unrouted));
    registerMetadata(others, deps.config);
    registerHealth(others, deps.database, { isStarting, isDraining: drain.hasBegun });
    registerContract(others, apiInfo, routes, deps.config.publicUrl, outgoing);
    await others.register(async (pages) => {
      secured(pages);
      const addressOf = (request: FastifyRequest) => originOf(request, deps.config);
      const charge = async (request: FastifyRequest, length: number): Promise<void> => {
        const price = (PRICES.megabyteOfPageCompressed * length) / 2 ** 20;
        await deps.sharing.time.waitForTurn(request.holder, price, callerOf(request));
      };
      const answering = { outgoing, missing: noReference, charge };
      registerReference(pages, { api: apiInfo, routes, addressOf }, answering);
    });
  });
  return { server, authenticator, drain };
}

/** The answer to a program that requests an unknown page of the reference. */
const noReference: Unrouted = (request, reply) =>
  answerError(protocolErrors.routeUnknown(withoutTrailingSlash(request.url).slice(1)), request, reply);
