import type { Database } from "../../platform/postgres/database.ts";
import { callsOf } from "../../platform/postgres/query.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

/** The days that the pages show, and those that are stored; both include today. */
const SHOWN_DAYS = 30;
const RETENTION_DAYS = 35;

// In one order: two processes that write the same keys wait for each other, and never both.
const adding = callsOf<[entries: string]>(
  "add_key_requests",
  `insert into key_requests (tenant_id, day, key_id, requests)
  select $1::bigint, current_date, n.key_id, n.requests from json_to_recordset($2) as n (key_id bigint, requests bigint) order by n.key_id
  on conflict (tenant_id, day, key_id) do update set requests = key_requests.requests + excluded.requests`,
);

const forgetting = callsOf(
  "forget_key_requests",
  `delete from key_requests where tenant_id = $1 and day <= current_date - ${RETENTION_DAYS}`,
);

/** Adds to today's requests of some of a tenant's keys, by their ids, and forgets those of long ago. */
export async function addRequests(
  tenant: TenantId,
  database: Database,
  requests: ReadonlyMap<string, number>,
): Promise<void> {
  const entries = [...requests].map(([id, count]) => ({ key_id: id, requests: count }));
  await database.write(tenant, [adding(JSON.stringify(entries)), forgetting()]);
}

/** SQL for the recent requests of a key `k`. Each day is looked up by itself, because the index begins with the day. */
export const recentRequests = `(select coalesce(sum(r.requests), 0) from key_requests r
    where r.tenant_id = $1 and r.key_id = k.id and r.day = any(array(select current_date - n from generate_series(0, ${SHOWN_DAYS - 1}) n)))`;
