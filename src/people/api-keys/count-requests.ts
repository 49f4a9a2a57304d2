import { randomInt } from "node:crypto";
import type { Logger } from "../../platform/logger.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { isRefused } from "../../platform/postgres/failures.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { addRequests } from "./key-request-queries.ts";

/** The requests of keys that this process has admitted and not stored yet. */
export type RequestCounts = {
  add(tenant: TenantId, keyId: string): void;
  /** Stores the counts for the last time. */
  close(): void;
};

/** The longest time until a count is stored. A process that dies loses the counts of this time. */
const WRITTEN_EVERY_MS = 60_000;
/** A random part of this is subtracted, so that processes that started together do not write together. */
const LESS_MS = 10_000;

/** Counts in memory: a request costs one addition. Each minute a process writes a row of each key, by tenant. */
export function createRequestCounts(database: Database, logger: Logger): RequestCounts {
  const counts = new Map<TenantId, Map<string, number>>();
  function add(tenant: TenantId, keyId: string, times = 1): void {
    const requests = counts.getOrInsertComputed(tenant, () => new Map());
    requests.set(keyId, (requests.get(keyId) ?? 0) + times);
  }
  async function write(tenant: TenantId): Promise<void> {
    const requests = counts.get(tenant);
    if (requests === undefined) return;
    counts.delete(tenant);
    try {
      await addRequests(tenant, database, requests);
    } catch (error) {
      logger.warn({ err: error }, "the requests of API keys could not be counted");
      // The database would refuse that of a key that is no more again.
      if (!isRefused(error)) for (const [keyId, times] of requests) add(tenant, keyId, times);
    }
  }
  async function writeAll(): Promise<void> {
    // Those of now: whose count fails is among the next.
    const tenants = [...counts.keys()];
    for (const tenant of tenants) await write(tenant);
  }
  const timer = setInterval(() => void writeAll(), WRITTEN_EVERY_MS - randomInt(LESS_MS)).unref();
  return {
    add: (tenant, keyId) => add(tenant, keyId),
    close() {
      clearInterval(timer);
      for (const tenant of counts.keys()) void write(tenant);
    },
  };
}
