import type { Database } from "../../platform/postgres/database.ts";
import { selectList, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

/** A webhook as its job needs it, as PostgreSQL's text. */
const sending = selectList({
  url: "w.url",
  types: "w.types",
  isActive: "w.active",
  secret: "w.secret",
  previousSecret: "case when w.previous_until > now() then w.previous_secret end",
  position: "w.position",
  /** Null where that change is not in the feed any more. */
  positionAt: "(select f.at from feed f where f.tenant_id = $1 and f.position = w.position)",
  round: "w.round",
  failingSince: "w.failing_since",
  /** Whether something is pending of when it was switched off. */
  isLeft: `exists (select from webhook_deliveries b
    where b.tenant_id = $1 and b.webhook_id = w.id and b.round < w.round and b.state = 'waiting')`,
});

export type Sending = ReturnType<typeof sending.read>;

export const sendingStatement: Statement = {
  name: "webhook_to_send_to",
  text: `select ${sending.sql} from webhooks w where w.tenant_id = $1 and w.id = $2 and w.deleted_at is null`,
};

export const readSending = sending.read;

/** Null where it is deleted. */
export async function findSending(tenant: TenantId, database: Database, id: string): Promise<Sending | null> {
  const [row] = await database.quick.read(tenant, sendingStatement, [id]);
  return row === undefined ? null : sending.read(row);
}

/** A change that a webhook is told of. */
export type Event = { change_id: string; type: string; resource: string };

const planStatement: Statement = {
  name: "plan_deliveries",
  text: `with moved as (
    update webhooks w set position = $4 where w.tenant_id = $1 and w.id = $2 and w.position = $3 and w.round = $5 and w.active
    returning w.id
  ), planned as (
    insert into webhook_deliveries (tenant_id, webhook_id, round, change_id, type, resource, next_at)
    select $1::bigint, moved.id, $5, e.change_id, e.type, e.resource, case
        when row_number() over (partition by e.resource order by e.place) = 1 and not exists (
          select from webhook_deliveries b
          where b.tenant_id = $1 and b.webhook_id = $2 and b.round = $5 and b.resource = e.resource and b.state = 'waiting')
        then now() end
    from moved, json_to_recordset($6) as e (place integer, change_id bigint, type text, resource text)
    order by e.place
    returning id
  )
  select id from moved`,
  isNoNews: true,
};

/**
 * Moves a webhook on in the feed and plans a delivery for each event, in their order: the first about a resource is sent now, the others
 * wait behind it. False where somebody else has moved it, or it was switched off: nothing is planned.
 */
export async function planDeliveries(
  tenant: TenantId,
  database: Database,
  id: string,
  { from, to, round, events }: { from: string; to: string; round: string; events: readonly Event[] },
): Promise<boolean> {
  const entries = JSON.stringify(events.map((event, place) => ({ ...event, place })));
  const [rows] = await database.write(tenant, [
    { statement: planStatement, parameters: [id, from, to, round, entries] },
  ]);
  return rows?.length === 1;
}
