import type { Statement } from "../../../platform/postgres/statement.ts";
import { clearedAfterLoading, clearedBeforeLoading } from "./tenant-tables.ts";

/** The number of the next tenant. */
export const nextTenantStatement: Statement = {
  name: "next_tenant",
  text: "select nextval(pg_get_serial_sequence('tenants', 'id'))::text as id",
};

/**
 * Removes the days that hid invoices from triggers: orders that were not followed before are not followed now, and
 * invoices that no day was due on have none.
 */
export const asBeforeStatement: Statement = {
  name: "invoices_as_before",
  text: `update invoices set wms_poll_at = nullif(wms_poll_at, 'infinity'), terms_due_on = nullif(terms_due_on, 'infinity')
  where tenant_id = $1 and (wms_poll_at = 'infinity' or terms_due_on = 'infinity')`,
};

const sendAsBefore = (table: string): Statement => ({
  name: `send_as_before_of_${table}`,
  text: `update ${table} set wms_send_automatically = true where tenant_id = $1 and id = any($2::bigint[])`,
});

/** Restore automatic sending of companies, or of the workspace ($2: ids), which was hidden from triggers. */
export const sendAsBeforeStatement = sendAsBefore("companies");
export const workspaceSendsAsBeforeStatement = sendAsBefore("workspace_warehouses");

/** By table, the removal of a tenant's rows from it. */
function clearing(tables: readonly string[]): ReadonlyMap<string, Statement> {
  return new Map(
    tables.map((table) => [
      table,
      { name: `clear_restored_${table}`, text: `delete from ${table} where tenant_id = $1` },
    ]),
  );
}

export const clearBeforeLoading = clearing(clearedBeforeLoading);
export const clearAfterLoading = [...clearing(clearedAfterLoading).values()];

/** The API keys, behind the tables that depend on them. */
export const keyTables: readonly string[] = ["key_requests", "key_uses", "api_keys"];
export const clearKeys = [...clearing(keyTables).values()];

/** Adds the feed's first tick, with a limit of 0 changes. Without a tick, the next one would delete the loaded feed. */
export const beginFeedStatement: Statement = {
  name: "begin_loaded_feed",
  text: "insert into feed_ticks (tenant_id, most) values ($1, 0)",
};

/**
 * Continues the feed after the loaded positions. Changes without a position are at most a day older than the last one
 * with a position.
 */
export const continueFeedStatement: Statement = {
  name: "go_on_with_loaded_feed",
  // The time is computed first: on Citus an update may not calculate with times.
  text: `with last as materialized (
    select position, at - interval '1 day' as since from feed where tenant_id = $1 order by position desc limit 1
  )
  update feed_ticks t set position = l.position, behind = l.position, since = l.since from last l where t.tenant_id = $1`,
};

/** Removes jobs of some kinds ($2). */
export const forgetJobsStatement: Statement = {
  name: "forget_jobs_of_kinds",
  text: "delete from jobs where tenant_id = $1 and kind = any($2::text[])",
};
