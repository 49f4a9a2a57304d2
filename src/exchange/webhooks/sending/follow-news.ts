import { setTimeout as pause } from "node:timers/promises";
import type { Deps } from "../../../kit/deps.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { hasActiveWebhooks, wakeAll } from "../webhook-queries.ts";

/** Milliseconds between two checks of a tenant that has no webhooks. */
const REST_MS = 1_000;

/**
 * Runs the webhook jobs of a tenant as soon as it writes, until `stop`. A missed notification delays deliveries by a
 * minute at most, because each webhook also polls.
 */
export function followNews(
  { database: { news, unattended: database }, logger }: Pick<Deps, "database" | "logger">,
  stop: AbortSignal,
): void {
  /** The tenants being checked, and whether they have written since the check began. */
  const looking = new Map<TenantId, boolean>();

  async function look(tenant: TenantId): Promise<void> {
    do {
      looking.set(tenant, false);
      const hasSome = await hasActiveWebhooks(tenant, database);
      if (hasSome) await database.write(tenant, wakeAll);
      else await pause(REST_MS, undefined, { ref: false });
    } while (looking.get(tenant) === true);
  }

  const unlisten = news.listen((tenants) => {
    for (const tenant of tenants) {
      if (looking.has(tenant)) {
        looking.set(tenant, true);
        continue;
      }
      look(tenant)
        .catch((error: unknown) => {
          // The database may have been closed during the check.
          if (stop.aborted) return;
          logger.warn({ err: error, tenant }, "webhooks were not notified of changes; they poll");
        })
        .finally(() => looking.delete(tenant));
    }
  });
  stop.addEventListener("abort", unlisten, { once: true });
}
