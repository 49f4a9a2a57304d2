import type { FastifyReply, FastifyRequest } from "fastify";
import { callerOf, whenOver } from "../platform/http/caller.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { Places } from "../platform/sharing/places.ts";

/** Waits until a request is among those of its tenant that are worked on; its turn ends with its answer. */
export type TakeTurn = (tenant: TenantId, request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Requests of one tenant that are worked on at once; the others wait, so that a burst of thousands is no standstill. */
const REQUESTS_AT_ONCE = 100;
const MOST_WAITING = 10_000;
const WAIT_MS = 30_000;

/** The turns of tenants' requests, through the API and the pages alike. */
export function createRequestTurns(): TakeTurn {
  const places = new Places({
    atOnce: Number.MAX_SAFE_INTEGER,
    atOnceEach: () => REQUESTS_AT_ONCE,
    waitingEach: MOST_WAITING,
    waitMs: WAIT_MS,
  });
  return async (tenant, request, reply) => {
    const caller = callerOf(request);
    await places.take(tenant, caller);
    whenOver(caller, reply.raw, () => places.give(tenant));
  };
}
