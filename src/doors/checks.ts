import type { FastifyReply, FastifyRequest, preParsingAsyncHookHandler } from "fastify";
import { LARGE_BODY } from "../platform/http/answers.ts";
import { BODY_LIMIT } from "../platform/http/body.ts";
import { callerOf, whenOver } from "../platform/http/caller.ts";
import type { Outgoing } from "../platform/http/outgoing.ts";
import type { RateLimiters } from "../platform/http/rate-limit.ts";
import { isNetwork } from "../platform/sharing/holder.ts";
import type { Places } from "../platform/sharing/places.ts";
import type { Turns } from "./turns.ts";

/** Throws what is wrong, or answers by itself. */
export type Check = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | void>;

/** The checks of a scope on a request: who sends it, whether within its rate, and whether they may. */
export type Checks = { identify: Check; limitRate: Check; authorize: Check };

/** The hooks of a route: its checks, in the same order at every door, after the request's turn (turns.ts). */
export type InOrder = (
  method: string,
  checks: Checks,
) => { onRequest: Check[]; preParsing?: preParsingAsyncHookHandler };

/** Tools that all scopes have in common, and none has of its own: turns, the order of the checks, the way out. */
export type Shared = { limiters: RateLimiters; turns: Turns; inOrder: InOrder; outgoing: Outgoing };

/** @param places of requests that are worked on */
export function createChecks(places: Places, outgoing: Outgoing): InOrder {
  /**
   * Bounds the requests of a tenant that are worked on at once, so that a burst of thousands is no standstill. A network has
   * no such bound, because its clients that do not read their answers would take all its places.
   */
  async function takePlace(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { holder } = request;
    if (isNetwork(holder)) return;
    const caller = callerOf(request);
    if (!places.tryTake(holder)) await places.take(holder, caller);
    whenOver(caller, reply.raw, () => places.give(holder));
  }

  /** Large bodies wait for each other, because one of the largest size on each of a thousand connections is a gigabyte. */
  const reserveBody: preParsingAsyncHookHandler = async (request, reply, body) => {
    const bytes = Number(request.headers["content-length"] ?? BODY_LIMIT);
    if (bytes > LARGE_BODY && bytes <= BODY_LIMIT) await outgoing(request, reply).reserve(bytes);
    return body;
  };

  return (method, { identify, limitRate, authorize }) => ({
    onRequest: [identify, limitRate, authorize, takePlace],
    ...(method === "GET" ? {} : { preParsing: reserveBody }),
  });
}
