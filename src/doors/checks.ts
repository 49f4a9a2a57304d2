import type {
  FastifyReply,
  FastifyRequest,
  HookHandlerDoneFunction,
  onRequestHookHandler,
  preParsingAsyncHookHandler,
} from "fastify";
import { steady } from "../platform/clock.ts";
import { LARGE_BODY } from "../platform/http/answers.ts";
import { callerOf, whenClosed } from "../platform/http/caller.ts";
import type { Outgoing } from "../platform/http/outgoing.ts";
import type { RateLimiters } from "../platform/http/rates/rate-limit.ts";
import { isNetwork } from "../platform/sharing/holder.ts";
import type { Sharing } from "../platform/sharing/sharing.ts";
import type { Turns } from "./turns.ts";

/** Throws an error or sends an answer; returns no promise if it need not wait. */
export type Check = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> | undefined;

/** The checks of a scope on a request: authentication, rate limit and permission. */
export type Checks = { identify: Check; limitRate: Check; authorize: Check };

/** The hooks of a route: its checks in the same order at every door, after the request's turn (turns.ts). */
export type InOrder = (
  method: string,
  checks: Checks,
) => { onRequest: onRequestHookHandler[]; preParsing?: preParsingAsyncHookHandler };

/**
 * Lets a request wait for an event without one of its tenant's places, so that long waits do not block other requests.
 * Resolves with whether the request should continue: not if its client hangs up or the server stops.
 */
export type WaitWithoutPlace = (
  request: FastifyRequest,
  wait: (over: AbortSignal) => Promise<void>,
) => Promise<boolean>;

/** Moves a request whose answer is made while it is sent from its place to one of its tenant's places for downloads. */
export type AsDownload = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** The tools that all scopes share: turns, the order of the checks, the way out. */
export type Shared = {
  limiters: RateLimiters;
  turns: Turns;
  inOrder: InOrder;
  waitWithoutPlace: WaitWithoutPlace;
  asDownload: AsDownload;
  outgoing: Outgoing;
};

/**
 * @param sharing the places of requests and downloads
 * @param stopping aborted when the server begins to stop
 */
export function createChecks(
  { places: { requests: places, downloads } }: Sharing,
  outgoing: Outgoing,
  stopping: AbortSignal,
): Pick<Shared, "inOrder" | "waitWithoutPlace" | "asDownload"> {
  /**
   * Limits the concurrent requests of a tenant, so that a burst of thousands does not block the server. A network has
   * no such limit, because clients that do not read their answers would use all its places.
   */
  const reservePlace: Check = (request, reply) => {
    const { holder } = request;
    if (isNetwork(holder)) return undefined;
    const caller = callerOf(request);
    const reserved = () => {
      request.hasPlace = true;
      whenClosed(caller, reply.raw, () => release(request));
    };
    if (!places.tryAcquire(holder)) return places.acquire(holder, caller).then(reserved);
    reserved();
    return undefined;
  };

  function release(request: FastifyRequest): void {
    if (request.hasPlace) places.release(request.holder);
    request.hasPlace = false;
  }

  const waitWithoutPlace: WaitWithoutPlace = async (request, wait) => {
    const caller = callerOf(request);
    const over = new AbortController();
    const end = () => over.abort();
    const forget = caller.whenHungUp(end);
    stopping.addEventListener("abort", end);
    if (stopping.aborted || caller.hasHungUp) end();
    release(request);
    const since = steady();
    try {
      await wait(over.signal);
    } finally {
      request.withoutPlaceMs += steady() - since;
      forget();
      stopping.removeEventListener("abort", end);
    }
    await places.acquire(request.holder, caller);
    request.hasPlace = true;
    if (caller.hasHungUp) release(request);
    return !over.signal.aborted;
  };

  const asDownload: AsDownload = async (request, reply) => {
    const caller = callerOf(request);
    release(request);
    await downloads.acquire(request.holder, caller);
    whenClosed(caller, reply.raw, () => downloads.release(request.holder));
  };

  /**
   * Large bodies wait for each other, because the largest size on each of a thousand connections would be a gigabyte.
   */
  const reserveBody: preParsingAsyncHookHandler = async (request, reply, body) => {
    const limit = request.routeOptions.bodyLimit;
    const { "content-encoding": encoding, "transfer-encoding": chunks } = request.headers;
    // Without either header there is no body.
    const bytes = Number(request.headers["content-length"] ?? (chunks === undefined ? 0 : limit));
    // A packed body and its unpacked bytes are in memory together.
    const unpacked = encoding === undefined ? 0 : limit;
    if (bytes > LARGE_BODY && bytes <= limit) await outgoing(request, reply).reserve(bytes + unpacked);
    return body;
  };

  const inOrder: InOrder = (method, { identify, limitRate, authorize }) => ({
    onRequest: [identify, limitRate, authorize, reservePlace].map(hookOf),
    ...(method === "GET" ? {} : { preParsing: reserveBody }),
  });
  return { inOrder, waitWithoutPlace, asDownload };
}

/** A hook that need not wait calls `next`: a promise would cost each request a microsecond. */
export function hookOf(check: Check): onRequestHookHandler {
  return (request, reply, next) => {
    const waiting = check(request, reply);
    if (waiting === undefined) next();
    else void goOnAfter(waiting, next);
  };
}

async function goOnAfter(waiting: Promise<unknown>, next: HookHandlerDoneFunction): Promise<void> {
  try {
    await waiting;
  } catch (error) {
    return next(error as Error);
  }
  next();
}
