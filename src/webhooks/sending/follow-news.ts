import { setTimeout as pause } from "node:timers/promises";
import type { Deps } from "../../deps.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { hasActiveWebhooks, wakeAll } from "../webhook-queries.ts";

/** A tenant without webhooks is looked at no more often. */
const REST_MS = 1_000;

/**
 * Has the webhooks of tenants look for what has happened as soon as these write, until it is to stop. News that are missed cost a
 * minute: each webhook looks for itself, too.
 */
export function followNews(
  { database: { news, unattended: database }, logger }: Pick<Deps, "database" | "logger">,
  stop: AbortSignal,
): void {
  /** The tenants that are looked at, and whether there were news since. */
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
          // The database is closed while one looks.
          if (stop.aborted) return;
          logger.warn({ err: error, tenant }, "webhooks were not told of news; they look for themselves");
        })
        .finally(() => looking.delete(tenant));
    }
  });
  stop.addEventListener("abort", unlisten, { once: true });
}
