import type { Run } from "../../platform/postgres/database.ts";
import { stepQuery } from "../../platform/postgres/query.ts";

// On a cluster, the feed follows the transaction numbers of the node that has the tenant, not of the coordinator.
const transactionOf = stepQuery<[companyId: string]>(
  "transaction_of_company",
  "select pg_current_xact_id() from companies c where c.tenant_id = $1 and c.id = $2",
).value();

const storeChange = stepQuery<
  Omit<NotedChange, "changed" | "after"> & { after: string | null; changed: string; transaction: string | null }
>(
  "note_change",
  `insert into changes (tenant_id, xid, at, type, resource_id, company_id, action, changed, changed_by)
  values ($1, :transaction::xid8, coalesce(moment_after(:after::timestamptz), clock_timestamp()), :type, :id, :companyId,
    :action, :changed, :by)`,
).nothing();

/** A change that no trigger sees. `after`: the version that it follows, if any. `by` as in changes.changed_by. */
export type NotedChange = {
  type: "company" | "contact";
  id: string;
  companyId: string;
  action: "updated" | "erased";
  changed: object;
  after?: string;
  by: string;
};

/** Writes a change into the history of a resource, in the transaction of the change. */
export async function noteChange(run: Run, change: NotedChange): Promise<void> {
  const { after = null } = change;
  const transaction = await transactionOf(run, change.companyId);
  await storeChange(run, { ...change, after, changed: JSON.stringify(change.changed), transaction });
}
