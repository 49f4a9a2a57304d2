import cluster from "node:cluster";
import type { FastifyInstance } from "fastify";
import type { AccessLog } from "../../doors/access-log.ts";
import type { Config } from "../../kit/config.ts";
import type { OpenDeps } from "../../kit/deps.ts";
import { RateLimiter, type RateLimiters } from "../../platform/http/rates/rate-limit.ts";
import type { RateCount } from "../../platform/http/rates/rate-news.ts";
import type { StopRequest } from "../stop-requested.ts";
import { acceptConnections } from "./accept-connections.ts";
import { onHangUp } from "./hang-up.ts";
import { logStart } from "./log-start.ts";
import { sendMetrics } from "./metrics-exchange.ts";
import type { ToParent, ToProcess } from "./process-messages.ts";
import { serveRequests } from "./serve-requests.ts";

/**
 * One of the processes that serve on one port (docs/decisions/0026-processes.md). The first of them updates the
 * database and creates the demo, before the others start; it prints the messages that its parent cannot know.
 */
export async function serveAmongOthers(
  processes: number,
  config: Config,
  { stop, hurry }: StopRequest,
  remarkOn: (deps: OpenDeps) => Promise<void>,
): Promise<void> {
  const gone = parentGone();
  const isFirst = cluster.worker?.id === 1;
  let areAllServing = false;
  const allServe = new Promise<void>((resolve) => {
    process.on("message", (message: ToProcess) => {
      if (!("allServe" in message)) return;
      areAllServing = true;
      resolve();
    });
  });
  const ends = AbortSignal.any([stop, gone]);
  const stopped = new Promise((resolve) => ends.addEventListener("abort", resolve, { once: true }));
  const serving = {
    config: { ...config, demo: config.demo && isFirst },
    processes,
    limiters: limitersOfAll(),
    listen: async (server: FastifyInstance) => {
      await server.ready();
      return acceptConnections(server.server);
    },
    stop: ends,
    hurry: AbortSignal.any([hurry, gone]),
    offerSwitch,
    sendMetrics,
    isStarting: () => !areAllServing,
  };
  try {
    await serveRequests(serving, async (place, deps) => {
      if (isFirst) await remarkOn(deps);
      send({ serves: place });
      if (!ends.aborted) await Promise.race([allServe, stopped]);
      if (areAllServing) await logStart(deps, { processes });
    });
  } finally {
    // A process with a parent runs until it disconnects.
    if (process.connected) process.disconnect?.();
  }
}

/** Rate limits over all processes: the counts here go to the parent, and the totals come back. */
function limitersOfAll(): RateLimiters {
  const counting = (limiter: keyof RateLimiters) =>
    new RateLimiter((counts: RateCount[]) => send({ counted: { limiter, counts } }));
  const limiters = { keys: counting("keys"), failures: counting("failures") };
  process.on("message", (message: ToProcess) => {
    if ("totals" in message) limiters[message.limiter].receive(message.totals);
  });
  return limiters;
}

/** The parent receives SIGHUP, and switches all processes alike. */
function offerSwitch(accessLog: AccessLog): void {
  onHangUp(() => {});
  process.on("message", (message: ToProcess) => {
    if ("accessLog" in message) accessLog.switch(message.accessLog);
  });
}

function send(message: ToParent): void {
  // A failed message needs no action: the channel itself reports the parent's end.
  process.send?.(message, () => {});
}

/** Aborted when the parent has died: requests in flight are still finished. */
function parentGone(): AbortSignal {
  const controller = new AbortController();
  cluster.worker?.once("disconnect", () => {
    // Without it Node would end the process at once.
    if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true;
    controller.abort();
  });
  return controller.signal;
}
