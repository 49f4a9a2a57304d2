import { changeColumns } from "../../../kit/changes/change-queries.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import { callsOf, quickQuery } from "../../../platform/postgres/query.ts";
import {
  bytesBefore,
  column,
  selectList,
  type Call,
  type Row,
  type Statement,
} from "../../../platform/postgres/statement.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { MOST_BYTES } from "../../feed/feed-queries.ts";
import { sendingWebhook, findingSendingWebhook, type SendingWebhook } from "./planning-queries.ts";
import type { Verdict } from "./verdict.ts";

const dueColumns = {
  id: column.text("d.id"),
  testId: "d.test_id",
  type: column.text("d.type"),
  resource: column.text("d.resource"),
  attempts: column.number("d.attempts"),
  nextAt: "d.next_at",
};
const due = selectList(dueColumns);
const CHANGE_AT = Object.keys(dueColumns).length;

/** `change`: the row that is reported; null if it no longer exists, and for a test. */
export type Due = ReturnType<typeof due.read> & { change: Row | null };

const listingDue = callsOf<[id: string, without: readonly string[], limit: number]>(
  "read_due",
  `with due as materialized (
    select d.* from webhook_deliveries d join webhooks w on w.tenant_id = $1 and w.id = $2
    where d.tenant_id = $1 and d.webhook_id = $2 and d.next_at <= now() and d.round = w.round and w.active and d.id <> all($3::bigint[])
    order by d.next_at, d.id limit $4
  ), told as materialized (
    select h.*, d.id as delivery, ${bytesBefore(["h.changed"], "d.next_at, d.id")} as before
    from due d left join changes h on h.tenant_id = $1 and h.id = d.change_id
  )
  select ${due.sql}, ${changeColumns.sql}
  from due d join told h on h.delivery = d.id
  where h.before < ${MOST_BYTES} order by d.next_at, d.id`,
);

/**
 * The webhook as it is now, or null, and its due deliveries except some. Their total size is limited like a page of the
 * feed.
 */
export async function readDue(
  tenant: TenantId,
  database: Database,
  id: string,
  without: readonly string[],
  limit: number,
): Promise<{ webhook: SendingWebhook | null; deliveries: Due[] }> {
  const [webhooks, rows = []] = await database.quick.readAll(tenant, [
    findingSendingWebhook(id),
    listingDue(id, without, limit),
  ]);
  const deliveries = rows.map((each) => {
    const change = each.slice(CHANGE_AT);
    return Object.assign(due.read(each), { change: change[0] === null ? null : change });
  });
  return { webhook: sendingWebhook.first(webhooks), deliveries };
}

/** Milliseconds until the next delivery; null if none is pending. */
export const untilNext = quickQuery<[id: string]>(
  "until_next",
  `select extract(epoch from d.next_at - now()) * 1000 from webhook_deliveries d join webhooks w on w.tenant_id = $1 and w.id = $2
  where d.tenant_id = $1 and d.webhook_id = $2 and d.next_at is not null and d.round = w.round order by d.next_at limit 1`,
).of(([row]) => (row === undefined ? null : Number(row[0])));

/** The result of one attempt at `url`; `ms` is its duration, `answer` the receiver's, encrypted. */
export type Result = { delivery: Due; verdict: Verdict; url: string; ms: number; answer: string | null };

const recordStatement: Statement = {
  name: "record_deliveries",
  // A delivery that was sent again by hand meanwhile stays open although its earlier attempt failed. The times are
  // computed first, because on Citus an update may not calculate with now().
  text: `with told as materialized (
    select r.*, now() + r.delivered_ms * interval '1 millisecond' as delivered_at, now() + r.after_ms * interval '1 millisecond' as next_at
    from json_to_recordset($2) as r (
      id bigint, webhook bigint, planned timestamptz, state text, attempts integer, status integer, error text, ms integer,
      after_ms double precision, delivered_ms double precision, answer text
    )
  )
  update webhook_deliveries d set state = r.state, attempts = r.attempts, last_status = r.status, last_error = r.error, last_ms = r.ms, last_answer = r.answer,
    delivered_at = r.delivered_at, next_at = r.next_at
  from told r
  where d.tenant_id = $1 and d.webhook_id = r.webhook and d.id = any(array(select id from told)) and d.id = r.id and r.id = r.id + 0
    and (d.next_at = r.planned or r.state = 'delivered')
  returning d.id`,
  isSilent: true,
};

const promoteStatement: Statement = {
  name: "promote_deliveries",
  // A range from the resource to itself, ordered by it, makes PostgreSQL use the index in this order, which has no
  // finished deliveries.
  text: `update webhook_deliveries d set next_at = now()
  where d.tenant_id = $1 and d.next_at is null and d.id = any(array(
    select (
      select b.id from webhook_deliveries b
      where b.tenant_id = $1 and b.webhook_id = e.webhook and b.state = 'waiting'
        and b.round = (select w.round from webhooks w where w.tenant_id = $1 and w.id = e.webhook)
        and b.resource >= e.resource and b.resource <= e.resource
      order by b.resource, b.id limit 1
    ) from json_to_recordset($2) as e (webhook bigint, resource text)
  ))`,
  isSilent: true,
};

/**
 * The calls that store results and make the deliveries behind finished ones due. Concurrent calls for webhooks of one
 * tenant share a transaction.
 */
export function record(webhook: string, results: readonly Result[]): Call[] {
  const entries = results.map(({ delivery, verdict, ms, answer }) => ({
    id: delivery.id,
    webhook,
    planned: delivery.nextAt,
    state: verdict.state,
    attempts: delivery.attempts + 1,
    status: verdict.status,
    error: verdict.error,
    ms: Math.round(ms),
    answer,
    after_ms: verdict.state === "waiting" ? verdict.afterMs : null,
    delivered_ms: verdict.state === "delivered" ? 0 : null,
  }));
  const through = results.filter(({ verdict }) => verdict.state !== "waiting").map(({ delivery }) => delivery.resource);
  const freed = [...new Set(through)].map((resource) => ({ webhook, resource }));
  return [
    { statement: recordStatement, parameters: [], entries, answers: "by id" },
    ...(freed.length === 0 ? [] : [{ statement: promoteStatement, parameters: [], entries: freed }]),
  ];
}

const workedStatement: Statement = {
  name: "webhooks_worked",
  text: `update webhooks w set failing_since = null
  where w.tenant_id = $1 and w.failing_since is not null and w.id = any(array(select e.id from json_to_recordset($2) as e (id bigint)))
  returning w.id`,
  isSilent: true,
};

const failedStatement: Statement = {
  name: "webhooks_failed",
  text: `update webhooks w set failing_since = now()
  where w.tenant_id = $1 and w.failing_since is null and w.id = any(array(select e.id from json_to_recordset($2) as e (id bigint)))
  returning w.id`,
  isSilent: true,
};

/** The call that stores whether the last attempts succeeded. */
export function health(id: string, isWorking: boolean): Call {
  const statement = isWorking ? workedStatement : failedStatement;
  return { statement, parameters: [], entries: [{ id }], answers: "by id" };
}

const switchOffStatement: Statement = {
  name: "switch_off",
  text: `update webhooks w set active = false, round = w.round + 1, switched_off = e.why, changed_by = 'worker',
    updated_at = moment_after(w.updated_at)
  from json_to_recordset($2) as e (id bigint, why text, url text)
  where w.tenant_id = $1 and w.id = any(array(select o.id from json_to_recordset($2) as o (id bigint))) and w.id = e.id and w.active
    and w.url = e.url and (e.why = 'gone' or w.failing_since < now() - interval '5 days')
  returning w.id`,
  isSilent: true,
};

/**
 * The call that deactivates a webhook whose receiver is gone or has failed for five days, unless it has another `url`
 * by now.
 */
export function switchOff(id: string, why: "gone" | "failing", url: string): Call {
  return { statement: switchOffStatement, parameters: [], entries: [{ id, why, url }], answers: "by id" };
}

/**
 * The call that gives up deliveries from before the webhook was deactivated. Its last parameter is the maximum number
 * (in-steps.ts).
 */
export const giveUpBefore = callsOf<[id: string, round: string]>(
  "give_up_before",
  `update webhook_deliveries d set state = 'given_up', next_at = null
  where d.tenant_id = $1 and d.id = any(array(
    select b.id from webhook_deliveries b
    where b.tenant_id = $1 and b.webhook_id = $2 and b.round < $3 and b.state = 'waiting' limit $4
  )) returning d.id`,
  { isSilent: true },
);
