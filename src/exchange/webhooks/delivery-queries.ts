import type { ColumnName, Keyring } from "../../platform/encryption/keyring.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { quickQuery, slowQuery } from "../../platform/postgres/query.ts";
import type { Row, Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { numberedList, rowsOf } from "../../platform/reads/numbered.ts";
import { deliveryMembers } from "./delivery-json.ts";
import type { ReceiverAnswer } from "./receiver-answer.ts";
import { wake } from "./webhook-queries.ts";
import { TEST_TYPE } from "./webhook.ts";

const columns = deliveryMembers.map(({ name }) => `d.${name}`).join(", ");
const ofWebhook = "d.tenant_id = $1 and d.webhook_id = $2";

/** The time of the next attempt. A delivery that waits behind another of the same resource has that one's time. */
const nextAt = `case when d.state = 'waiting' and d.round = w.round then coalesce(d.next_at, (
    select b.next_at from webhook_deliveries b
    where b.tenant_id = $1 and b.webhook_id = d.webhook_id and b.round = d.round and b.resource >= d.resource and b.resource <= d.resource
      and b.state = 'waiting'
    order by b.resource, b.id limit 1)) end`;

/** The columns of deliveryJson, then the duration of the last attempt in milliseconds, and a test's id. */
const listed = `${deliveryMembers.map(({ name }) => (name === "next_at" ? nextAt : `d.${name}`)).join(", ")}, d.last_ms, d.test_id`;
const withWebhook = "join webhooks w on w.tenant_id = $1 and w.id = d.webhook_id";

/** A page of the deliveries of a webhook (`:webhook`), newest first. */
export const listDeliveries = numberedList(
  "deliveries",
  {
    reader: "slow",
    table: "webhook_deliveries d",
    beside: withWebhook,
    condition: "d.tenant_id = $1 and d.webhook_id = :webhook",
    order: "d.id desc",
  },
  rowsOf(listed),
);

const activeWebhook = "w.tenant_id = $1 and w.id = $2 and w.active and w.deleted_at is null";

/** Writes a delivery by its webhook ($2) and an id ($3), and runs the webhook's job. Null if nothing was written. */
function sending(statement: Statement) {
  return async (tenant: TenantId, database: Database, webhookId: string, id: string): Promise<Row | null> => {
    const [rows] = await database.write(tenant, [{ statement, parameters: [webhookId, id] }, ...wake(webhookId)]);
    return rows?.[0] ?? null;
  };
}

/** Queues a test with the id of its event; null if the webhook is unknown or inactive. */
export const insertTest = sending({
  name: "insert_test_delivery",
  text: `insert into webhook_deliveries as d (tenant_id, webhook_id, round, test_id, type, resource, next_at)
    select $1, active.id, active.round, $3, '${TEST_TYPE}', $3, now()
    from (select w.id, w.round from webhooks w where ${activeWebhook}) as active
    returning ${columns}`,
});

/**
 * Sends a delivery again at once, with a new series of attempts. One that waits behind another keeps its place. Null if
 * the delivery is unknown or its webhook is inactive.
 */
export const sendAgain = sending({
  name: "send_again",
  // On Citus, a case expression in an update may not call now().
  text: `with now as materialized (select now() as moment)
    update webhook_deliveries d set state = 'waiting', attempts = 0, delivered_at = null, round = w.round,
      next_at = case when d.state = 'waiting' and d.round = w.round and d.next_at is null then null else now.moment end
    from webhooks w cross join now where ${activeWebhook} and ${ofWebhook} and d.id = $3
    returning ${columns}`,
});

/** A delivery as in the list, or null. */
export const findDelivery = quickQuery<[webhookId: string, id: string]>(
  "find_delivery",
  `select ${listed} from webhook_deliveries d ${withWebhook} where ${ofWebhook} and d.id = $3`,
).row();

/** The name of the column that has the receiver's answer. */
export const LAST_ANSWER = "webhook_deliveries.last_answer" satisfies ColumnName;

const findStoredAnswer = quickQuery<[webhookId: string, id: string]>(
  "find_answer",
  `select d.last_answer from webhook_deliveries d where ${ofWebhook} and d.id = $3`,
).value();

/** The receiver's answer to the last attempt; null unless that failed with an answer. */
export async function findAnswer(
  tenant: TenantId,
  { database, keyring }: { database: Database; keyring: Keyring },
  webhookId: string,
  id: string,
): Promise<ReceiverAnswer | null> {
  const stored = await findStoredAnswer(tenant, database, webhookId, id);
  const text = stored && keyring.reveal(tenant, LAST_ANSWER, stored);
  return text === null ? null : (JSON.parse(text) as ReceiverAnswer);
}

export const countDeliveries = slowQuery<[webhookId: string]>(
  "count_deliveries_of_webhook",
  `select count(*) from webhook_deliveries d where ${ofWebhook}`,
).number();
