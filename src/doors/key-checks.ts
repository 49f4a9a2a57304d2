import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../kit/config.ts";
import { errors } from "../kit/errors.ts";
import type { Authenticator, Bearer } from "../people/api-keys/authenticate.ts";
import { bearerToken } from "../people/api-keys/bearer-token.ts";
import type { Principal } from "../people/api-keys/principal.ts";
import { addressOf } from "../platform/http/caller.ts";
import { HttpError } from "../platform/http/http-error.ts";
import { limitHeaders, refusalHeaders, type RateLimit } from "../platform/http/rates/rate-limit.ts";
import type { Shared } from "./checks.ts";

declare module "fastify" {
  interface FastifyRequest {
    principal: Principal | null;
    /** Null: the key has no limit. */
    rate: RateLimit | null;
  }
}

/** The checks of the doors with API keys: the key itself, wrong keys of an address, and the key's rate. */
export function createKeyChecks(
  { config }: { config: Config },
  authenticator: Authenticator,
  { limiters, turns }: Pick<Shared, "limiters" | "turns">,
) {
  function bearerOf(request: FastifyRequest): Bearer {
    const address = () => addressOf(request, config.trustedProxies);
    const perMinute = config.authFailureLimit;
    return { address, isGuessing: () => perMinute > 0 && limiters.failures.isUsedUp(address(), perMinute) };
  }

  async function authenticate(request: FastifyRequest): Promise<void> {
    const bearer = bearerOf(request);
    const perMinute = config.authFailureLimit;
    try {
      const { authorization } = request.headers;
      request.principal = await authenticator.authenticate(authorization, bearer);
      turns.remember(request, bearerToken(authorization) ?? "", request.principal.actor.tenant);
    } catch (error) {
      if (error instanceof HttpError && error.status === 401 && perMinute > 0) {
        const limit = limiters.failures.hit(bearer.address(), perMinute);
        if (!limit.allowed) throw errors.rateLimited(refusalHeaders(limit));
      }
      throw error;
    }
  }

  function limitRate(request: FastifyRequest, reply: FastifyReply): undefined {
    const { actor, keyId, rate } = principalOf(request);
    const perMinute = rate ?? config.rateLimit;
    if (perMinute === 0) return;
    const limit = limiters.keys.hit(`${actor.tenant}/${keyId}`, perMinute);
    request.rate = limit;
    reply.headers(limitHeaders(limit));
    if (!limit.allowed) throw errors.rateLimited(refusalHeaders(limit));
  }

  return { bearerOf, authenticate, limitRate };
}

export function principalOf({ principal }: FastifyRequest): Principal {
  if (principal === null) throw errors.keyMissing();
  return principal;
}
