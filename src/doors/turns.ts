import type { FastifyRequest } from "fastify";
import { bearerToken } from "../api-keys/bearer-token.ts";
import type { Config } from "../config.ts";
import { BoundedMap } from "../platform/bounded-map.ts";
import { addressOf, callerOf, originOf } from "../platform/http/caller.ts";
import { holderAt, isNetwork } from "../platform/sharing/holder.ts";
import { PRICES } from "../platform/sharing/prices.ts";
import type { Time } from "../platform/sharing/time.ts";
import { readCookie } from "../web/cookies.ts";

const REMEMBERED = 20_000;

export type Turns = {
  /** Comes before everything else that is done for a request, whichever door it is at. */
  take: (request: FastifyRequest) => Promise<void> | undefined;
  /** Remembers whose a key or a cookie is that has proved good: the next request with it waits behind its holder's alone. */
  remember(request: FastifyRequest, token: string, holder: string): void;
};

/**
 * The turns of requests. One with a key or a cookie that was good before takes its tenant's turn, and any other that of the
 * network it comes from, because finding out whose it is costs too. What is remembered decides behind whom a request
 * waits, and nothing about what it may.
 */
export function createTurns(time: Time, config: Config): Turns {
  const known = new BoundedMap<string>(REMEMBERED);

  function holderOf(request: FastifyRequest): string {
    const token = tokenOf(request, config);
    const holder = token === null ? undefined : known.get(token);
    return holder ?? holderAt(addressOf(request, config.trustedProxies));
  }

  return {
    take(request) {
      request.holder = holderOf(request);
      const ms = isNetwork(request.holder) ? PRICES.stranger : PRICES.request;
      return time.take(request.holder, ms, callerOf(request)) ?? undefined;
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
  return cookie === undefined ? null : readCookie(cookie, sessionCookieOf(request.url), originOf(request, config));
}

/** Below /operator an operator's cookie counts and no other, and elsewhere a user's. */
export function sessionCookieOf(path: string): "operator" | "session" {
  return /^\/operator(?:[/?]|$)/.test(path) ? "operator" : "session";
}
