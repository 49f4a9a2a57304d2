import type { Statement } from "../../platform/postgres/statement.ts";

/** The number of the next tenant. */
export const nextTenantStatement: Statement = {
  name: "next_tenant",
  text: "select nextval(pg_get_serial_sequence('tenants', 'id'))::text as id",
};

/** Puts back what was kept from triggers while invoices were loaded: no order is asked for that nobody asked for before. */
export const followAsBeforeStatement: Statement = {
  name: "follow_as_before",
  text: "update invoices set wms_poll_at = null where tenant_id = $1 and wms_poll_at = 'infinity'",
};

/** The same of companies ($2) that send by themselves. */
export const sendAsBeforeStatement: Statement = {
  name: "send_as_before",
  text: "update companies set wms_send_automatically = true where tenant_id = $1 and id = any($2::bigint[])",
};

/** Begins a feed, so that what is loaded of one is not taken for an older one: nothing is given a place in it. */
export const beginFeedStatement: Statement = {
  name: "begin_loaded_feed",
  text: "insert into feed_ticks (tenant_id, most) values ($1, 0)",
};

/** Has the feed go on behind what was loaded of it. What has no place there yet is not older than a day before the last that has one. */
export const goOnWithFeedStatement: Statement = {
  name: "go_on_with_loaded_feed",
  // The moment is told first: on Citus an update may not reckon with times.
  text: `with last as materialized (
    select position, at - interval '1 day' as since from feed where tenant_id = $1 order by position desc limit 1
  )
  update feed_ticks t set position = l.position, behind = l.position, since = l.since from last l where t.tenant_id = $1`,
};

function forgetting(tables: readonly string[]): readonly Statement[] {
  return tables.map((table) => ({ name: `forget_loaded_${table}`, text: `delete from ${table} where tenant_id = $1` }));
}

/** Take away what triggers made of loaded rows. */
export const forgetMadeStatements = forgetting(["changes", "jobs", "lane_news"]);

/** The API keys, behind what stands and falls with them. */
export const keyTables: readonly string[] = ["key_requests", "key_uses", "api_keys"];
export const forgetKeysStatements = forgetting(keyTables);

/** Takes away jobs of some kinds ($2). */
export const forgetJobsStatement: Statement = {
  name: "forget_jobs_of_kinds",
  text: "delete from jobs where tenant_id = $1 and kind = any($2::text[])",
};
