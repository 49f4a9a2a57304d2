import type { FastifyRequest } from "fastify";
import type { Config } from "../kit/config.ts";
import { readCookie } from "../kit/web/cookies.ts";
import { bearerToken } from "../people/api-keys/bearer-token.ts";
import { BoundedMap } from "../platform/bounded-map.ts";
import { addressOf, callerOf, originOf } from "../platform/http/caller.ts";
import { holderAt, isNetwork } from "../platform/sharing/holder.ts";
import { PRICES } from "../platform/sharing/prices.ts";
import type { Time } from "../platform/sharing/time.ts";

const REMEMBERED = 20_000;

export type Turns = {
  /** Runs before all other work for a request, at every door. */
  wait: (request: FastifyRequest) => Promise<void> | undefined;
  /** Remembers the holder of a valid key or cookie: the next request with it waits only behind that holder's. */
  remember(request: FastifyRequest, token: string, holder: string): void;
};

/**
 * The turns of requests. A request with a key or cookie that was valid before uses its tenant's turn. Any other uses
 * that of its network, because authentication costs time too. The remembered holder decides only behind which requests
 * it waits, not what it may do.
 */
export function createTurns(time: Time, config: Config): Turns {
  const known = new BoundedMap<string>(REMEMBERED);

  function holderOf(request: FastifyRequest): string {
    const token = tokenOf(request, config);
    const holder = token === null ? undefined : known.get(token);
    return holder ?? holderAt(addressOf(request, config.trustedProxies));
  }

  return {
    wait(request) {
      request.holder = holderOf(request);
      const ms = isNetwork(request.holder) ? PRICES.stranger : PRICES.request;
      return time.waitForTurn(request.holder, ms, callerOf(request)) ?? undefined;
    },
    remember(request, token, holder) {
      if (request.holder === holder) return;
      request.holder = holder;
      known.set(token, holder);
    },
  };
}

function tokenOf(request: FastifyRequest, config: Config): string | null {
  const { authorization, cookie } = request.headers;
  if (authorization !== undefined) return bearerToken(authorization);
  return cookie === undefined ? null : readCookie(cookie, "session", originOf(request, config));
}
