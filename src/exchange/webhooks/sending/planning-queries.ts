import type { Database } from "../../../platform/postgres/database.ts";
import { callsOf } from "../../../platform/postgres/query.ts";
import { column, selectList, type Selected, type Statement } from "../../../platform/postgres/statement.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";

/** A webhook's columns for its job; timestamps are PostgreSQL's text. */
export const sendingWebhook = selectList({
  url: column.text("w.url"),
  types: column.list<string>("w.types"),
  isActive: column.flag("w.active"),
  isFull: column.flag("w.body = 'full'"),
  hasChildren: column.flag("w.children"),
  secret: "w.secret",
  previousSecret: "case when w.previous_until > now() then w.previous_secret end",
  position: column.text("w.position"),
  /** Null if that change is no longer in the feed. */
  positionAt: "(select f.at from feed f where f.tenant_id = $1 and f.position = w.position)",
  round: column.text("w.round"),
  failingSince: "w.failing_since",
  /** Whether deliveries are still pending from before the webhook was deactivated. */
  isLeft: column.flag(`exists (select from webhook_deliveries b
    where b.tenant_id = $1 and b.webhook_id = w.id and b.round < w.round and b.state = 'waiting')`),
});

export type SendingWebhook = Selected<typeof sendingWebhook>;

export const findingSendingWebhook = callsOf<[id: string]>(
  "webhook_to_send_to",
  `select ${sendingWebhook.sql} from webhooks w where w.tenant_id = $1 and w.id = $2 and w.deleted_at is null`,
);

/** A change to be delivered. */
export type PlannedEvent = { change_id: string; type: string; resource: string };

const planStatement: Statement = {
  name: "plan_deliveries",
  text: `with asked as materialized (
    select * from json_to_recordset($2) as a (id bigint, after bigint, up_to bigint, round integer, events text)
  ), moved as (
    update webhooks w set position = a.up_to from asked a
    where w.tenant_id = $1 and w.id = any(array(select id from asked)) and w.id = a.id
      and w.position = a.after and w.round = a.round and w.active
    returning w.id
  ), planned as (
    insert into webhook_deliveries (tenant_id, webhook_id, round, change_id, type, resource, next_at)
    select $1::bigint, a.id, a.round, e.change_id, e.type, e.resource, case
        when row_number() over (partition by a.id, e.resource order by e.place) = 1 and not exists (
          select from webhook_deliveries b
          where b.tenant_id = $1 and b.webhook_id = a.id and b.round = a.round and b.resource = e.resource and b.state = 'waiting')
        then now() end
    from asked a, json_to_recordset(a.events::json) as e (place integer, change_id bigint, type text, resource text)
    where a.id in (select id from moved)
    order by a.id, e.place
    returning id
  )
  select id from moved`,
  isSilent: true,
};

/**
 * Advances a webhook's position and plans a delivery per event, in order. The first event of a resource is due now,
 * later ones wait behind it. Returns false, and plans nothing, if the position has changed or the webhook is inactive.
 * Concurrent calls for webhooks of one tenant share a transaction.
 */
export async function planDeliveries(
  tenant: TenantId,
  database: Database,
  id: string,
  { from, to, round, events }: { from: string; to: string; round: string; events: readonly PlannedEvent[] },
): Promise<boolean> {
  const placed = JSON.stringify(events.map((event, place) => ({ ...event, place })));
  const entries = [{ id, after: from, up_to: to, round, events: placed }];
  const [rows] = await database.write(tenant, [
    { statement: planStatement, parameters: [], entries, answers: "by id" },
  ]);
  return rows?.length === 1;
}
