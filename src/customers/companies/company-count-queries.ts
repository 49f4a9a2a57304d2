import type { Database } from "../../platform/postgres/database.ts";
import { callWith, namedStatement, slowQuery, stepQuery, type NamedStatement } from "../../platform/postgres/query.ts";
import { column, oneValue, selectList, type Call } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import type { CompanyFilters } from "./company-filters.ts";
import { live } from "./live-company-queries.ts";

/** The combinations of filters, without a search: the end of their statements' names, and the columns compared. */
const narrowings = {
  "": [],
  _of_status: ["status"],
  _of_owner: ["assigned_to"],
  _of_owner_and_status: ["assigned_to", "status"],
} as const;
export type Narrowing = keyof typeof narrowings;

export function narrowingOf({ status = null, assigned_to = null }: CompanyFilters): Narrowing {
  if (status === null) return assigned_to === null ? "" : "_of_owner";
  return assigned_to === null ? "_of_status" : "_of_owner_and_status";
}

/** A condition on companies. */
export function narrowed(narrowing: Narrowing): string {
  return [live, ...narrowings[narrowing].map((column) => `${column} = :${column}`)].join(" and ");
}

/** A statement for each combination of filters. */
export function byNarrowing(
  name: string,
  textOf: (narrowing: Narrowing) => string,
  options?: Parameters<typeof namedStatement>[2],
): Record<Narrowing, NamedStatement> {
  const statement = (narrowing: Narrowing) => namedStatement(`${name}${narrowing}`, textOf(narrowing), options);
  return {
    "": statement(""),
    _of_status: statement("_of_status"),
    _of_owner: statement("_of_owner"),
    _of_owner_and_status: statement("_of_owner_and_status"),
  };
}

export const totals = byNarrowing("total_companies", (narrowing) => {
  if (narrowing === "") return totalText("total", "");
  if (narrowing === "_of_status") return totalText("(totals ->> :status)::bigint as total", "where status = :status");
  return `select count(*) from companies where ${narrowed(narrowing)}`;
});

/** The exact number of the companies that match the filters; a search is ignored. */
export async function countCompanies(tenant: TenantId, database: Database, filters: CompanyFilters): Promise<number> {
  const { statement, parameters } = totalOf(filters);
  return Number(oneValue(await database.slow.read(tenant, statement, parameters)));
}

export function totalOf(filters: CompanyFilters): Call {
  return callWith(totals[narrowingOf(filters)], filters);
}

/**
 * The tenant's newest sums, and the later changes of the counts. Together they give the result of count(*) in the same
 * snapshot; with 100,000 companies at a seventeenth of its cost (migrations/0006).
 */
export function countsText(columns: string): string {
  return `newest as materialized (
    select ${columns}, oldest from company_count_sums where tenant_id = $1 order by generation desc limit 1
  ), changed as (
    select block, status, n from company_count_changes
    where tenant_id = $1 and generation >= (select coalesce(max(oldest), 0) from newest)
  )`;
}

function totalText(total: string, filter: string): string {
  return `with ${countsText(total)}
  select sum(n) from (select total as n from newest union all select n from changed ${filter}) counts`;
}

/** Fewer changes are not folded, so an earlier call has no effect: migrations/functions/fold_company_counts.sql. */
const FOLD_AFTER = 64;

const fold = stepQuery("fold_counts", "insert into company_count_sums (tenant_id) values ($1)").nothing();

/**
 * Says that companies were created, deleted or given another status. What that changes in the counts is appended to a
 * list, which every reader of a total adds up: it is kept short from here, beside the writes
 * (docs/decisions/0020-appended-counts.md).
 */
export function noteCounted(tenant: TenantId, { tally, unattended }: Database, changes = 1): void {
  tally(`fold_company_counts/${tenant}`, changes, FOLD_AFTER, () => foldCounts(tenant, unattended));
}

/** Never fails: changes that are not folded now still count, and the next call folds them. */
export async function foldCounts(tenant: TenantId, database: Database): Promise<void> {
  await database.transaction(tenant, async (run) => await fold(run)).catch(() => {});
}

/**
 * `shown`: the total that lists show; `there`: the number of companies; `differences`: the pairs of a block and a
 * status whose counts are wrong.
 */
const recounted = selectList({
  shown: column.number(
    "(select coalesce(sum(n), 0) from (select total as n from newest union all select n from changed) shown)",
  ),
  there: column.number("coalesce(sum(there.n), 0)"),
  differences: column.number("count(*) filter (where kept.n is distinct from there.n)"),
});

/** Counts a tenant's companies one by one, on the snapshot of the total that lists show. */
export const recount = slowQuery(
  "recount_companies",
  `with ${countsText("total, blocks, statuses, counts")},
  kept as (
    select block, status, sum(n) as n from (
      select summed.block, summed.status, summed.n
      from newest, unnest(newest.blocks, newest.statuses, newest.counts) as summed (block, status, n)
      union all select block, status, n from changed
    ) k group by block, status having sum(n) <> 0
  ),
  there as (select id / 4096 as block, status, count(*) as n from companies where ${live} group by 1, 2)
  select ${recounted.sql}
  from kept full join there on there.block = kept.block and there.status = kept.status`,
).only(recounted.read);
