import { changeOf } from "../../../kit/changes/change-queries.ts";
import type { Deps } from "../../../kit/deps.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { readFeed, type FeedPage, type FeedQuery } from "../../feed/feed-queries.ts";
import { numberChanges } from "../../feed/number-changes.ts";
import { orderEventIn } from "../order-events.ts";
import { EVERY_TYPE } from "../webhook.ts";
import { planDeliveries, type SendingWebhook } from "./planning-queries.ts";

/** Changes per step: few, so that the deliveries of fifty webhooks are quickly written together. */
const AT_ONCE = 50;

/**
 * Plans deliveries for the changes after a webhook's position, one page of the feed at a time. `more`: there may be
 * more changes; `all`: all are planned; `none`: all are planned, and there is nothing to send; `stale`: the webhook has
 * changed meanwhile.
 */
export async function plan(
  { database, config }: Pick<Deps, "database" | "config">,
  tenant: TenantId,
  id: string,
  webhook: SendingWebhook,
): Promise<"more" | "all" | "none" | "stale"> {
  const isLeft = await numberChanges(tenant, database);
  const { position, positionAt, round, types } = webhook;
  const hears = (type: string) => types.includes(EVERY_TYPE) || types.includes(type);
  const resources = types.includes(EVERY_TYPE) ? null : [...new Set(types.map((type) => type.split(".")[0] ?? ""))];
  const after = positionAt === null ? null : { position, at: positionAt };
  const query = { limit: AT_ONCE, types: resources, children: webhook.hasChildren };
  // If its position is no longer in the feed, the webhook continues with the oldest change that is.
  const read =
    (await readForAll(tenant, database, { ...query, after })) ??
    (await readForAll(tenant, database, { ...query, after: null }));
  if (read === null || read.next.position === position) return isLeft ? "more" : "none";
  const events = read.rows
    .map((row) => changeOf(row))
    .flatMap((change) => {
      const { id, type, action, resourceId } = change;
      const orderEvent = orderEventIn(change, config.wms.finalStatuses);
      return [`${type}.${action}`, ...(orderEvent === null ? [] : [orderEvent])].map((event) => ({
        change_id: id,
        type: event,
        resource: `${type}/${resourceId}`,
      }));
    })
    .filter(({ type }) => hears(type));
  const step = { from: position, to: read.next.position, round, events };
  const isPlanned = await planDeliveries(tenant, database, id, step);
  if (!isPlanned) return "stale";
  if (read.hasMore || isLeft) return "more";
  return events.length > 0 ? "all" : "none";
}

/** Webhooks of a tenant are woken together and usually share a position, so one read serves all. */
async function readForAll(
  tenant: TenantId,
  { oneForMany, unattended }: Database,
  query: FeedQuery,
): Promise<FeedPage | null> {
  return await oneForMany(
    `read_for_webhooks/${tenant}/${JSON.stringify(query)}`,
    async () => await readFeed(tenant, unattended, query),
  );
}
