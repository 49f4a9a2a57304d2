import type { Logger } from "../platform/logger.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { addRequests } from "./key-request-queries.ts";

/** The requests of keys that this process has let in and not written down. */
export type RequestCounts = {
  add(tenant: TenantId, keyId: string): void;
  /** Begins to write down what there is, and goes on no longer. */
  close(): void;
};

/** A count that is lost with its process is one of at most so long. */
const WRITTEN_EVERY_MS = 60_000;

/** Counts in memory: a request costs an addition, and a process writes a row of each key once a minute. */
export function createRequestCounts(database: Database, logger: Logger): RequestCounts {
  const counts = new Map<TenantId, Map<string, number>>();
  const write = () => {
    for (const [tenant, requests] of counts) {
      addRequests(tenant, database, requests).catch((error: unknown) => {
        logger.warn({ err: error }, "the requests of API keys could not be counted");
      });
    }
    counts.clear();
  };
  const timer = setInterval(write, WRITTEN_EVERY_MS).unref();
  return {
    add(tenant, keyId) {
      let requests = counts.get(tenant);
      if (requests === undefined) counts.set(tenant, (requests = new Map()));
      requests.set(keyId, (requests.get(keyId) ?? 0) + 1);
    },
    close() {
      clearInterval(timer);
      write();
    },
  };
}
