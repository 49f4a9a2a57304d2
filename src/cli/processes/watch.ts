import type { Deps } from "../../deps.ts";
import { createAccessLog } from "../../doors/access-log.ts";
import { createMetrics, type Metrics } from "../../doors/metrics.ts";
import type { Observer } from "../../doors/observing.ts";
import type { RateLimiters } from "../../platform/http/rates/rate-limit.ts";
import { createLogger } from "../../platform/logger.ts";
import { openMetricsPort } from "./metrics-port.ts";

/** All that the operator wants to see of a process while it works. */
export type Watch = { observers: readonly Observer[]; close(): Promise<void> };

/**
 * @param limiters of a process that serves
 * @param tell takes the metrics in place of a port of our own
 */
export async function openWatch(
  deps: Deps,
  limiters?: RateLimiters,
  tell?: (metrics: Metrics) => void,
): Promise<Watch> {
  const { config } = deps;
  // Asked for by name, it is written whatever LOG_LEVEL says.
  const accessLog = config.accessLog ? [createAccessLog(createLogger("info"))] : [];
  if (config.metricsPort === null) return { observers: accessLog, async close() {} };
  const metrics = createMetrics(deps, limiters);
  const read = async () => [...metrics.ofProcess(), ...(await metrics.ofInstallation())];
  const port = tell === undefined ? await openMetricsPort(config, read) : null;
  tell?.(metrics);
  return {
    observers: [...accessLog, metrics.observe],
    async close() {
      metrics.stop();
      await port?.close();
    },
  };
}
