import type { Database } from "../../platform/postgres/database.ts";
import { callsOf, quickQuery, stepQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { enqueue } from "../jobs/job-queries.ts";
import { EVERY_MS, FORGET_ANSWERS_JOB, LANE } from "./forget-job.ts";
import type { KeyedRequest } from "./keyed-request.ts";

/** The time in which a person may confirm a request. Less than answers are stored: a decided request stays decided. */
const WAITS_FOR = "24 hours";
/** Rows older than these have neither a decision to come nor a stored answer. */
const STORED_FOR = "50 hours";
/** The most requests of a key that wait; a few more if several arrive together. */
const MOST_WAITING = 100;

/** A request `p` that waits: in time, of a working key `k`, and without an outcome. */
const waits = `p.at > now() - interval '${WAITS_FOR}' and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > now()) and not exists (select 1 from kept_answers a
      where a.tenant_id = $1 and a.api_key_id = p.api_key_id and a.key = p.key)`;

const columns = selectList({
  id: column.text("p.id"),
  keyId: column.text("p.api_key_id"),
  keyName: column.text("k.name"),
  /** The working user who made the key; null without one. */
  person: column.textOrNull(`(select u.name from users u
    where u.tenant_id = $1 and u.id = k.created_by and u.deactivated_at is null)`),
  capabilities: column.list<string>("array_to_json(k.capabilities)"),
  key: column.text("p.key"),
  tool: column.text("p.tool"),
  secret: column.text("p.secret"),
  /** Timestamps are PostgreSQL's text. */
  at: column.text("p.at"),
  until: column.text(`p.at + interval '${WAITS_FOR}'`),
  isDecided: column.flag(`exists (select 1 from kept_answers a
    where a.tenant_id = $1 and a.api_key_id = p.api_key_id and a.key = p.key)`),
  isLate: column.flag(`p.at <= now() - interval '${WAITS_FOR}'`),
  isKeyOver: column.flag("k.revoked_at is not null or k.expires_at <= now()"),
});

/** A request of an assistant that waited, or waits, for a person. */
export type PendingRequest = Selected<typeof columns>;

const from = "pending_requests p join api_keys k on k.tenant_id = $1 and k.id = p.api_key_id";

const inserting = callsOf<[apiKey: string, key: string, tool: string, secret: string]>(
  "insert_pending_request",
  `insert into pending_requests (tenant_id, api_key_id, key, tool, secret)
  select $1::bigint, $2::bigint, $3, $4, $5 where (
    select count(*) from pending_requests p join api_keys k on k.tenant_id = $1 and k.id = p.api_key_id
    where p.tenant_id = $1 and p.api_key_id = $2::bigint and ${waits}
  ) < ${MOST_WAITING}
  on conflict (tenant_id, api_key_id, key) do nothing returning id`,
);

/** Stores a request that waits for a person, unless its key has one already, or too many. @param secret encrypted */
export async function insertPendingRequest(
  tenant: TenantId,
  database: Database,
  { apiKey, key }: Pick<KeyedRequest, "apiKey" | "key">,
  { tool, secret }: { tool: string; secret: string },
): Promise<void> {
  await database.write(tenant, [
    inserting(apiKey, key, tool, secret),
    enqueue(FORGET_ANSWERS_JOB, [0], LANE, EVERY_MS),
  ]);
}

/** Null if the key has no such request. */
export const findPendingOfKey = quickQuery<[keyId: string, key: string]>(
  "find_pending_request_of_key",
  `select ${columns.sql} from ${from} where p.tenant_id = $1 and p.api_key_id = $2 and p.key = $3`,
).first(columns.read);

/** Null if the tenant has no such request. */
export const findPendingRequest = quickQuery<[id: string]>(
  "find_pending_request",
  `select ${columns.sql} from ${from} where p.tenant_id = $1 and p.id = $2`,
).first(columns.read);

/** The requests that wait, the oldest first. */
export const listPendingRequests = quickQuery<[limit: number]>(
  "list_pending_requests",
  `select ${columns.sql} from ${from} where p.tenant_id = $1 and ${waits} order by p.at, p.id limit $2`,
).all(columns.read);

/** The number of requests that wait, at most the limit. */
export const countPendingRequests = quickQuery<[limit: number]>(
  "count_pending_requests",
  `select count(*) from (select 1 from ${from} where p.tenant_id = $1 and ${waits} limit $2) waiting`,
).number();

/** The call that removes the oldest of the requests that are over. Its last parameter is a limit (in-steps.ts). */
export const forgetOldestPending = callsOf(
  "forget_pending_requests",
  `delete from pending_requests where tenant_id = $1 and id = any(array(
    select id from pending_requests where tenant_id = $1 and at < now() - interval '${STORED_FOR}' order by at limit $2
  )) returning id`,
  { isSilent: true },
)();

export const hasPendingRequests = quickQuery(
  "has_pending_requests",
  "select 1 from pending_requests where tenant_id = $1 limit 1",
).exists();

/** Removes a tenant's batches: they may write about a person who is erased. */
export const erasePending = stepQuery(
  "erase_pending_requests",
  "delete from pending_requests where tenant_id = $1 and tool = 'apply_batch' returning id",
).nothing();
