import { callsOf, quickQuery, writeQuery } from "../../platform/postgres/query.ts";

/** The retention of deliveries. */
const RETENTION = "30 days";

/** The call that removes old deliveries of any state. Its last parameter is the maximum number (in-steps.ts). */
export const forgetOldestDeliveries = callsOf(
  "forget_deliveries",
  `delete from webhook_deliveries d where d.tenant_id = $1 and d.id = any(array(
    select b.id from webhook_deliveries b where b.tenant_id = $1 and b.created_at < now() - interval '${RETENTION}'
    order by b.created_at limit $2
  )) returning d.id`,
  { isSilent: true },
)();

/** The call that removes the deliveries of deleted webhooks. */
export const forgetOfDeleted = callsOf(
  "forget_deliveries_of_deleted",
  `delete from webhook_deliveries d where d.tenant_id = $1 and d.id = any(array(
    select b.id from webhook_deliveries b where b.tenant_id = $1 and b.webhook_id = any(array(
      select w.id from webhooks w where w.tenant_id = $1 and w.deleted_at is not null
    )) limit $2
  )) returning d.id`,
  { isSilent: true },
)();

/** Removes deleted webhooks that have no deliveries left. */
export const forgetDeleted = writeQuery(
  "forget_deleted_webhooks",
  `delete from webhooks w where w.tenant_id = $1 and w.deleted_at is not null
    and not exists (select from webhook_deliveries d where d.tenant_id = $1 and d.webhook_id = w.id)`,
  { isSilent: true },
).nothing();

export const hasWebhooks = quickQuery(
  "has_webhooks",
  "select 1 from webhooks w where w.tenant_id = $1 limit 1",
).exists();
