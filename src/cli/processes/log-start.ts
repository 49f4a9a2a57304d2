import type { OpenDeps } from "../../kit/deps.ts";
import { describeServer } from "../../platform/postgres/as-owner.ts";
import { versionOf } from "../../platform/version.ts";

/** Logs one line about the started process, its database and its enabled features. It contains no secret. */
export async function logStart(
  { config, connection, logger, applied, migratedMs, warehouse }: OpenDeps,
  { processes }: { processes?: number } = {},
): Promise<void> {
  const { databaseUrl, dataDir, demo, worker, accessLog, metricsPort, logLevel, drainSeconds, publicUrl } = config;
  // The start neither waits for the line nor fails because of it.
  const postgres = await describeServer(connection).catch(() => null);
  const facts = {
    ...versionOf(),
    postgres: { embedded: databaseUrl === null, ...postgres },
    migrations: applied,
    migrations_ms: migratedMs,
    data_directory: dataDir,
    public_url: publicUrl,
    processes: processes ?? 0,
    on: {
      worker: worker || processes === undefined,
      demo: demo && databaseUrl === null,
      warehouses: warehouse !== null,
      access_log: accessLog,
      metrics: metricsPort !== null,
    },
    drain_seconds: drainSeconds,
    log_level: logLevel,
  };
  logger.info(facts, processes === undefined ? "the worker is ready" : "Liaison is ready");
}
