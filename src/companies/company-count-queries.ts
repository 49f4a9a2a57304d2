import type { Database } from "../platform/postgres/database.ts";
import type { Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";

/** At least this many changes are folded at once (migrations/0010): to ask earlier is in vain. */
const FOLD_AFTER = 64;

const foldStatement: Statement = {
  name: "fold_company_counts",
  text: "insert into company_count_sums (tenant_id) values ($1)",
};

/**
 * Says that companies were created, deleted or given another status. What that changes in the counts is appended to a
 * list, which every reader of a total adds up: it is kept short from here, beside the writes
 * (docs/decisions/0020-appended-counts.md).
 */
export function noteCounted(tenant: TenantId, { tally, unattended }: Database, changes = 1): void {
  tally(`fold_company_counts/${tenant}`, changes, FOLD_AFTER, () => foldCounts(tenant, unattended));
}

/** Never fails: what is not folded now is folded with the next, and counts meanwhile all the same. */
export async function foldCounts(tenant: TenantId, database: Database): Promise<void> {
  await database.transaction(tenant, async (run) => await run(foldStatement)).catch(() => {});
}
