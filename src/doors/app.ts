import type { FastifyInstance } from "fastify";
import { apiInfo } from "./api-info.ts";
import { registerApi } from "./api-scope.ts";
import { createAuthenticator, type Authenticator } from "../api-keys/authenticate.ts";
import type { Deps } from "../deps.ts";
import { registerContract, registerReference } from "../openapi/pages.ts";
import { send } from "../platform/http/answers.ts";
import type { Reserve } from "../platform/http/assets.ts";
import { createByteBudget } from "../platform/http/byte-budget.ts";
import { addressOf, callerOf } from "../platform/http/caller.ts";
import { createRateLimiters, type RateLimiters } from "../platform/http/rate-limit.ts";
import { answerInJson, createServer } from "../platform/http/server.ts";
import type { Database } from "../platform/postgres/database.ts";
import { readyStatement } from "../platform/postgres/ready.ts";
import { holderAt } from "../platform/sharing/holder.ts";
import { PRICES } from "../platform/sharing/prices.ts";
import { createRequestTurns } from "./request-turns.ts";
import { routes } from "./routes.ts";
import { registerWeb, unroutedPage } from "./pages-scope.ts";
import { secured } from "../web/security-headers.ts";

/** Of the reference's files, on their way to whoever asks: of all, and to one network. A browser takes 2 of them. */
const MEGABYTES = { ofAll: 32, ofEach: 8 };

export type App = { server: FastifyInstance; authenticator: Authenticator };

/**
 * The HTTP application: scopes beside each other on one server, each with its own checks, bodies and errors.
 * @param limiters where other processes count with this one
 */
export function buildApp(deps: Deps, limiters: RateLimiters = createRateLimiters()): App {
  const authenticator = createAuthenticator(deps.database, deps.logger);
  const { server, unrouted } = createServer(deps.logger);
  const shared = { limiters, turn: createRequestTurns(deps.sharing.places.requests) };
  registerApi(server, deps, authenticator, unrouted, shared);
  registerWeb(server, deps, shared);
  const budget = createByteBudget(MEGABYTES);
  const reserve: Reserve = async (request, reply, bytes) => {
    const network = holderAt(addressOf(request, deps.config.trustedProxies));
    const caller = callerOf(request);
    await deps.sharing.time.take(network, (PRICES.megabyteOfFile * bytes) / 2 ** 20, caller);
    await budget.reserve(network, bytes, caller, reply.raw);
  };
  void server.register(async (others) => {
    answerInJson(others, unroutedPage(deps, unrouted));
    registerHealth(others, deps.database);
    registerContract(others, apiInfo, routes, deps.config.publicUrl, reserve);
    await others.register(async (pages) => {
      secured(pages);
      registerReference(pages, deps.config.publicUrl, reserve);
    });
  });
  return { server, authenticator };
}

/** Whether the process lives, and whether its database answers. Neither needs a key. */
function registerHealth(server: FastifyInstance, database: Database): void {
  server.get("/health/live", async (_request, reply) => send(reply, 200, '{"status":"ok"}'));
  server.get("/health/ready", async (_request, reply) => {
    await database.readShared(readyStatement);
    return send(reply, 200, '{"status":"ready"}');
  });
}
