import type { Database } from "../platform/postgres/database.ts";
import type { Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { countsText, live } from "./company-list-queries.ts";

/** At least this many changes are folded at once (migrations/functions/fold_company_counts.sql): to ask earlier is in vain. */
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

/** The total that lists show, the number of companies that there are, and of how many blocks and statuses the two differ. */
export type Recounted = { shown: number; there: number; differences: number };

const recountStatement: Statement = {
  name: "recount_companies",
  text: `with ${countsText("total, blocks, statuses, counts")},
  kept as (
    select block, status, sum(n) as n from (
      select summed.block, summed.status, summed.n
      from newest, unnest(newest.blocks, newest.statuses, newest.counts) as summed (block, status, n)
      union all select block, status, n from changed
    ) k group by block, status having sum(n) <> 0
  ),
  there as (select id / 4096 as block, status, count(*) as n from companies where ${live} group by 1, 2)
  select (select coalesce(sum(n), 0) from (select total as n from newest union all select n from changed) shown),
    coalesce(sum(there.n), 0), count(*) filter (where kept.n is distinct from there.n)
  from kept full join there on there.block = kept.block and there.status = kept.status`,
};

/** Counts a tenant's companies one by one, on the snapshot of the total that lists show. */
export async function recount(tenant: TenantId, database: Database): Promise<Recounted> {
  const [[shown, there, differences] = []] = await database.slow.read(tenant, recountStatement);
  return { shown: Number(shown), there: Number(there), differences: Number(differences) };
}
