import type { Logger } from "../platform/logger.ts";
import type { Observer } from "./observing.ts";

/** A longer request is logged as slow. */
const SLOW_MS = 1_000;

export type AccessLog = {
  observe: Observer;
  /** Switches the lines of all requests on or off, and logs that. */
  switch(isOn: boolean): void;
  isOn(): boolean;
};

export type AccessLogOptions = {
  isOn: boolean;
  /** Writes the lines of all requests. */
  everyRequest: Logger;
  /** Writes the lines of slow requests, which are always on. */
  logger: Logger;
};

/**
 * Writes a line for each request, or only for slow ones (docs/operations.md 11): route patterns and ids, and no input
 * of users.
 */
export function createAccessLog({ isOn: wasOn, everyRequest, logger }: AccessLogOptions): AccessLog {
  let isOn = wasOn;
  return {
    observe({ method, route, status, ms, bytes }, { id, principal, session, trace, withoutPlaceMs }) {
      const isSlow = ms - withoutPlaceMs > SLOW_MS;
      if (!isOn && !isSlow) return;
      const facts = {
        request_id: id,
        route: `${method} ${route}`,
        status,
        ms: Math.round(100 * ms) / 100,
        tenant_id: principal?.actor.tenant ?? session?.tenant ?? null,
        key_id: principal?.keyId ?? null,
        bytes,
        trace_id: trace?.id ?? null,
      };
      if (isOn) everyRequest.info(facts, "request");
      else logger.info(facts, "a slow request");
    },
    switch(isOnNow) {
      isOn = isOnNow;
      everyRequest.info({ access_log: isOn }, "the access log was switched");
    },
    isOn: () => isOn,
  };
}
