import { createAccessLog, type AccessLog } from "../../doors/access-log.ts";
import { createMetrics, type Metrics } from "../../doors/metrics.ts";
import type { Observer } from "../../doors/observing.ts";
import type { Deps } from "../../kit/deps.ts";
import type { RateLimiters } from "../../platform/http/rates/rate-limit.ts";
import { createLogger } from "../../platform/logger.ts";
import { openMetricsPort } from "./metrics-port.ts";

/** Everything that shows an operator the state of a running process. */
export type Watch = { accessLog: AccessLog; observers: readonly Observer[]; close(): Promise<void> };

/**
 * @param limiters of a process that serves
 * @param send receives the metrics instead of our own port
 */
export async function openWatch(
  deps: Deps,
  limiters?: RateLimiters,
  send?: (metrics: Metrics) => void,
): Promise<Watch> {
  const { config, logger, database } = deps;
  database.leaveRoom();
  // An explicitly enabled access log is written whatever LOG_LEVEL says.
  const accessLog = createAccessLog({ isOn: config.accessLog, everyRequest: createLogger("info"), logger });
  if (config.metricsPort === null) return { accessLog, observers: [accessLog.observe], async close() {} };
  const metrics = createMetrics(deps, limiters);
  const read = async () => [...metrics.ofProcess(), ...(await metrics.ofInstallation())];
  const port = send === undefined ? await openMetricsPort(config, read) : null;
  send?.(metrics);
  return {
    accessLog,
    observers: [accessLog.observe, metrics.observe],
    async close() {
      metrics.stop();
      await port?.close();
    },
  };
}
