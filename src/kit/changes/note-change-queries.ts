import type { Run } from "../../platform/postgres/database.ts";
import type { Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

// On a cluster, the feed follows the transaction numbers of the node that has the tenant, not of the coordinator.
const transactionStatement: Statement = {
  name: "transaction_of_company",
  text: "select pg_current_xact_id() from companies c where c.tenant_id = $1 and c.id = $2",
};

const noteStatement: Statement = {
  name: "note_change",
  text: `insert into changes (tenant_id, xid, at, type, resource_id, company_id, action, changed, changed_by)
  values ($1, $2::xid8, coalesce(moment_after($3::timestamptz), clock_timestamp()), $4, $5, $6, $7, $8, $9)`,
};

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
export async function noteChange(tenant: TenantId, run: Run, change: NotedChange): Promise<void> {
  const { type, id, companyId, action, changed, after = null, by } = change;
  const [row] = await run(transactionStatement, [companyId]);
  const transaction = row?.[0] ?? null;
  await run(noteStatement, [transaction, after, type, id, companyId, action, JSON.stringify(changed), by]);
}
