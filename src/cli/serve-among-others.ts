import cluster from "node:cluster";
import { once } from "node:events";
import net from "node:net";
import type { Config } from "../config.ts";
import type { OpenDeps } from "../deps.ts";
import { RateLimiter, type RateLimiters } from "../platform/http/rate-limit.ts";
import type { RateCount } from "../platform/http/rate-news.ts";
import type { ToParent, ToProcess } from "./process-messages.ts";
import { serveRequests } from "./serve-requests.ts";

/**
 * One of the processes that serve on one port (docs/decisions/0026-processes.md). The first of them brings the database
 * up to date and creates the demo, before there are others; it says what its parent cannot know.
 */
export async function serveAmongOthers(
  processes: number,
  config: Config,
  stop: AbortSignal,
  remarkOn: (deps: OpenDeps) => void,
): Promise<void> {
  const isFirst = cluster.worker?.id === 1;
  const port = config.port === 0 ? await freePort(config.host) : config.port;
  const serving = {
    config: { ...config, port, demo: config.demo && isFirst },
    processes,
    limiters: limitersOfAll(),
    stop: AbortSignal.any([stop, parentGone()]),
  };
  try {
    await serveRequests(serving, (url, deps) => {
      if (isFirst) remarkOn(deps);
      tell({ serves: { url, port } });
    });
  } finally {
    // A process with a parent lives until it lets go of it.
    if (process.connected) process.disconnect?.();
  }
}

/**
 * A port that nobody listens on. The parent's one listening socket belongs to the number that it is asked for, and 0 would
 * be another port whenever the processes have all gone at once.
 */
async function freePort(host: string): Promise<number> {
  const server = net.createServer().listen({ host, port: 0, exclusive: true });
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** The limits of all processes: what is counted here goes to the parent, and the totals of all come back. */
function limitersOfAll(): RateLimiters {
  const telling = (limiter: keyof RateLimiters) =>
    new RateLimiter((counts: RateCount[]) => tell({ counted: { limiter, counts } }));
  const limiters = { keys: telling("keys"), failures: telling("failures") };
  process.on("message", ({ limiter, totals }: ToProcess) => limiters[limiter].hear(totals));
  return limiters;
}

function tell(message: ToParent): void {
  // A parent that is gone has nothing to hear; that it is gone is heard from the channel itself.
  process.send?.(message, () => {});
}

/** Aborted when the parent is gone without a word: what is in flight is finished all the same. */
function parentGone(): AbortSignal {
  const controller = new AbortController();
  cluster.worker?.once("disconnect", () => {
    // Without it node would end the process at once.
    if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true;
    controller.abort();
  });
  return controller.signal;
}
