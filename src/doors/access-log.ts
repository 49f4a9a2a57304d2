import type { Logger } from "../platform/logger.ts";
import type { Observer } from "./observing.ts";

/** A line for each request (docs/operations.md 11): route patterns and ids, and nothing that anybody typed. */
export function createAccessLog(logger: Logger): Observer {
  return ({ method, route, status, ms, bytes }, { id, principal, session, trace }) => {
    logger.info(
      {
        request_id: id,
        route: `${method} ${route}`,
        status,
        ms: Math.round(100 * ms) / 100,
        tenant_id: principal?.actor.tenant ?? session?.tenant ?? null,
        key_id: principal?.keyId ?? null,
        bytes,
        trace_id: trace?.id ?? null,
      },
      "request",
    );
  };
}
