import type { FastifyReply, FastifyRequest } from "fastify";
import { callerOf, whenOver } from "../platform/http/caller.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import type { Places } from "../platform/sharing/places.ts";

/** Waits until a request is among those of its tenant that are worked on; its turn ends with its answer. */
export type TakeTurn = (tenant: TenantId, request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** The turns of tenants' requests, through the API and the pages alike: a burst of thousands is no standstill. */
export function createRequestTurns(places: Places): TakeTurn {
  return async (tenant, request, reply) => {
    const caller = callerOf(request);
    if (!places.tryTake(tenant)) await places.take(tenant, caller);
    whenOver(caller, reply.raw, () => places.give(tenant));
  };
}
