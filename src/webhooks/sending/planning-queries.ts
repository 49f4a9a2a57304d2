import type { Database } from "../../platform/postgres/database.ts";
import { column, selectList, type Selected, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

/** A webhook as its job needs it; timestamps are PostgreSQL's text. */
export const sendingWebhook = selectList({
  url: column.text("w.url"),
  types: column.list<string>("w.types"),
  isActive: column.flag("w.active"),
  secret: "w.secret",
  previousSecret: "case when w.previous_until > now() then w.previous_secret end",
  position: column.text("w.position"),
  /** Null where that change is not in the feed any more. */
  positionAt: "(select f.at from feed f where f.tenant_id = $1 and f.position = w.position)",
  round: column.text("w.round"),
  failingSince: "w.failing_since",
  /** Whether something is pending of when it was switched off. */
  isLeft: column.flag(`exists (select from webhook_deliveries b
    where b.tenant_id = $1 and b.webhook_id = w.id and b.round < w.round and b.state = 'waiting')`),
});

export type SendingWebhook = Selected<typeof sendingWebhook>;

export const sendingWebhookStatement: Statement = {
  name: "webhook_to_send_to",
  text: `select ${sendingWebhook.sql} from webhooks w where w.tenant_id = $1 and w.id = $2 and w.deleted_at is null`,
};

/** A change that a webhook is told of. */
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
  isNoNews: true,
};

/**
 * Moves a webhook on in the feed and plans a delivery for each event, in their order: the first about a resource is sent now, the others
 * wait behind it. False where somebody else has moved it, or it was switched off: nothing is planned. Webhooks of a tenant that are moved
 * at the same time share a transaction.
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
