import { enqueueSelected, hasten, hastenAll } from "../../kit/jobs/job-queries.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { Expected } from "../../platform/fields/row-state.ts";
import { columnsOf, isExpected, ofEntry, partialUpdate } from "../../platform/fields/sql.ts";
import type { Values } from "../../platform/fields/validation.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { callsOf, quickQuery, runAll, stepQuery, writeQuery } from "../../platform/postgres/query.ts";
import {
  column,
  selectList,
  type Call,
  type Parameter,
  type Row,
  type Statement,
} from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { numberedList, rowsOf } from "../../platform/reads/numbered.ts";
import { scheduleCleanup } from "./forget-deliveries.ts";
import { SIGNS_FOR_HOURS, type StoredSecrets } from "./secrets.ts";
import { webhookColumns } from "./webhook-json.ts";
import { webhookFields } from "./webhook.ts";

/** The kind of the job that sends a webhook's deliveries. */
export const SEND_WEBHOOK_JOB = "send-webhook";

/** A lane per webhook: a silent receiver only opens its own circuit, and delays no other webhook. */
const laneOfWebhook = "'webhook/' || w.tenant_id || '/' || w.id";

const members = webhookColumns.map(({ name }) => name);
const columns = columnsOf(members, "w");
const live = "w.tenant_id = $1 and w.id = $2 and w.deleted_at is null";
/** The end of the feed: a new webhook starts behind it. */
const newestPosition =
  "coalesce((select f.position from feed f where f.tenant_id = $1 order by f.position desc limit 1), 0)";

/** A webhook's row in the format of webhookJson, or null. */
export const findWebhook = quickQuery<[id: string]>(
  "find_webhook",
  `select ${columns} from webhooks w where ${live}`,
).row();

/** A page of the webhooks. */
export const listWebhooks = numberedList(
  "webhooks",
  { reader: "quick", table: "webhooks w", condition: "w.tenant_id = $1 and w.deleted_at is null", order: "w.id" },
  rowsOf(columns),
);

const findNewestPosition = stepQuery("newest_feed_position", `select ${newestPosition}`).value();

const written = ["url", "types", "active", "description", "body", "children", "changed_by"];

const insert = stepQuery<Record<string, Parameter>>(
  "insert_webhook",
  `insert into webhooks as w (tenant_id, secret, position, ${written.join(", ")})
  values ($1, :secret, :position, ${written.map((name) => `:${name}`).join(", ")}) returning ${columns}`,
).row();

/** Stores a new webhook, positioned at the end of the feed. @param secret encrypted */
export async function insertWebhook(
  tenant: TenantId,
  database: Database,
  values: Values,
  secret: string,
): Promise<Row> {
  return await database.transaction(tenant, async (run) => {
    const sent = Object.fromEntries(written.map((name) => [name, values[name] ?? null]));
    const row = (await insert(run, { ...sent, secret, position: await findNewestPosition(run) })) ?? [];
    await runAll(run, [...wake(String(row[0])), scheduleCleanup]);
    return row;
  });
}

/** The condition under which a key without all reading rights may change a webhook: it sends no resources. */
const sendsNoResources = "body is distinct from 'full'";

const updateBy = (name: string, may: string) =>
  partialUpdate(
    name,
    { fields: webhookFields },
    (
      assignments,
      entries,
      sent,
    ) => `update webhooks t set ${[assignments, ...switching(sent)].join(", ")} from ${entries}
    where t.tenant_id = $1 and ${ofEntry()} and t.deleted_at is null and ${may}
    returning ${columnsOf(members, "t")}`,
  );
const updateOf = updateBy("update_webhook", "true");
const updateWithoutResources = updateBy("update_plain_webhook", `t.${sendsNoResources}`);

/**
 * The effects of a change: deactivation gives up pending deliveries; activation starts at the end of the feed;
 * activation or a new URL resets the failures.
 */
function switching(sent: readonly string[]): string[] {
  const isSwitchedOn = "r.active and not t.active";
  const begins = [
    ...(sent.includes("active") ? [isSwitchedOn] : []),
    ...(sent.includes("url") ? ["r.url <> t.url"] : []),
  ];
  return [
    ...(sent.includes("active")
      ? [
          "round = case when t.active and not r.active then t.round + 1 else t.round end",
          "switched_off = case when t.active = r.active then t.switched_off end",
          `position = case when ${isSwitchedOn} then ${newestPosition} else t.position end`,
        ]
      : []),
    ...(begins.length > 0 ? [`failing_since = case when not (${begins.join(" or ")}) then t.failing_since end`] : []),
  ];
}

const lockWhole = stepQuery<[id: string]>(
  "lock_whole_webhook",
  `select ${columns} from webhooks w where ${live} for update`,
).row();

/**
 * Changes the fields in `values`; null if the webhook is unknown, has none of the expected versions, or sends resources
 * that the writer may not read.
 * @param refusal why the stored webhook, which is locked, cannot get the values; null if it can
 */
export async function changeWebhook(
  tenant: TenantId,
  database: Database,
  id: string,
  values: Values,
  { expected, mayReadAll, refusal }: WebhookGuard,
): Promise<{ row: Row } | { messages: FieldErrors } | null> {
  const update = mayReadAll ? updateOf : updateWithoutResources;
  return await database.transaction(tenant, async (run) => {
    const stored = await lockWhole(run, id);
    const messages = stored === null ? null : refusal(stored);
    if (messages !== null) return { messages };
    const [[row] = []] = await runAll(run, [update(id, values, expected), ...wake(id)]);
    return row === undefined ? null : { row };
  });
}

type WebhookGuard = {
  expected: Expected;
  mayReadAll: boolean;
  refusal: (stored: Row) => FieldErrors | null;
};

const stored = selectList({
  secret: "w.secret",
  isPlain: column.flag(`w.${sendsNoResources}`),
  previousSecret: "case when w.previous_until > now() then w.previous_secret end",
});

const lock = stepQuery<[id: string]>(
  "lock_webhook",
  `select ${stored.sql} from webhooks w where ${live} for update`,
).first(stored.read);

const rotate = stepQuery<[id: string, secret: string, previousSecret: string, by: string]>(
  "rotate_webhook_secret",
  `update webhooks w set secret = $3, previous_secret = $4, previous_until = now() + interval '${SIGNS_FOR_HOURS} hours', changed_by = $5,
    updated_at = moment_after(w.updated_at)
  where ${live} returning ${columns}`,
).row();

type Replacement = {
  /** Encrypted. */
  secret: string;
  /** Adds to the stored text of replaced secrets that still sign; null if they exceed the limit. */
  withReplaced: (stored: StoredSecrets) => { previousSecret: string } | null;
  by: string;
  /** Whether the writer may read every resource that the webhook may send. */
  mayReadAll: boolean;
};

/** Stores another secret for an existing webhook. */
export async function replaceSecret(
  tenant: TenantId,
  database: Database,
  id: string,
  { secret, withReplaced, by, mayReadAll }: Replacement,
): Promise<Row | "missing" | "unreadable" | "too-many"> {
  return await database.transaction(tenant, async (run) => {
    const found = await lock(run, id);
    if (found === null) return "missing";
    if (!mayReadAll && !found.isPlain) return "unreadable";
    const replaced = withReplaced(found);
    if (replaced === null) return "too-many";
    return (await rotate(run, id, secret, replaced.previousSecret, by)) ?? "missing";
  });
}

/** Returns false if the webhook is unknown, or has none of the expected versions. */
export const deleteWebhook = writeQuery<[id: string, by: string, expected: Expected]>(
  "delete_webhook",
  `update webhooks w set deleted_at = moment_after(w.updated_at), updated_at = moment_after(w.updated_at), active = false,
      round = w.round + 1, changed_by = $3
    where ${live} and ${isExpected("w.updated_at", "$4::timestamptz[]")} returning w.id`,
).exists();

const oneToSend: Statement = {
  name: "webhook_to_send",
  text: `select w.id as subject, ${laneOfWebhook} as lane from webhooks w where w.tenant_id = $1 and w.id = $3`,
};

/** The calls that run a webhook's job now. */
export function wake(id: string): Call[] {
  return [enqueueSelected(SEND_WEBHOOK_JOB, oneToSend, [id]), hasten(SEND_WEBHOOK_JOB, [id])];
}

const active = "w.tenant_id = $1 and w.active and w.deleted_at is null";

const allToSend: Statement = {
  name: "webhooks_to_send",
  // Jobs that already wait are left out, because each notification would lock them all. A job that is claimed later
  // finds the new changes itself.
  text: `select w.id as subject, ${laneOfWebhook} as lane from webhooks w where ${active} and not exists (
    select from jobs j where j.tenant_id = $1 and j.kind = $2 and j.subject = w.id and j.state = 'waiting')`,
};

/** The calls that run the jobs of all active webhooks after a committed change. */
export const wakeAll: Call[] = [enqueueSelected(SEND_WEBHOOK_JOB, allToSend), hastenAll(SEND_WEBHOOK_JOB)];

export const hasActiveWebhooks = quickQuery(
  "has_active_webhooks",
  `select 1 from webhooks w where ${active} limit 1`,
).exists();

/** The count stops at this number. */
const MOST_IN_NEED = 25;

const isInNeed = `w.tenant_id = $1 and w.deleted_at is null and (w.failing_since is not null or w.switched_off is not null)
  and (w.failing_since < now() - interval '1 hour' or w.switched_off is not null)`;

/** The call that counts webhooks in need of attention: deactivated by Liaison, or failing for long. */
export const countWebhooksInNeed = callsOf(
  "count_webhooks_in_need",
  `select count(*) from (select from webhooks w where ${isInNeed} limit ${MOST_IN_NEED}) n`,
)();

/** Rows in the format of webhookJson. */
export const listWebhooksInNeed = quickQuery(
  "list_webhooks_in_need",
  `select ${columns} from webhooks w where ${isInNeed} order by w.id limit ${MOST_IN_NEED}`,
).rows();
