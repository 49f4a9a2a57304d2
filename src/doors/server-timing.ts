import type { FastifyInstance, FastifyRequest } from "fastify";
import { HttpCaller } from "../platform/http/caller.ts";

/**
 * A file of its own: api-scope.ts is the order of the checks.
 * Adds to each answer of a scope its total time and its time at the database (docs/contract.md 1.11).
 */
export function addServerTiming(scope: FastifyInstance): void {
  scope.addHook("onSend", (request, reply, payload, next) => {
    const [database, total] = [databaseMs(request), reply.elapsedTime].map(hundredths);
    reply.header("server-timing", `db;dur=${database}, total;dur=${total}`);
    next(null, payload);
  });
}

function databaseMs({ caller }: FastifyRequest): number {
  return caller instanceof HttpCaller ? caller.databaseMs : 0;
}

function hundredths(ms: number): number {
  return Math.round(100 * ms) / 100;
}
