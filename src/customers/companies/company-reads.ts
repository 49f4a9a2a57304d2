import type { Database } from "../../platform/postgres/database.ts";
import { namedStatement, readNamed, slowQuery } from "../../platform/postgres/query.ts";
import { oneValue } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { idsIn } from "../../platform/reads/custom-values.ts";
import { allValues } from "../../platform/reads/filters.ts";
import { listReads } from "../../platform/reads/reads.ts";
import { keepCount } from "../custom-fields/kept-counts.ts";
import { ownerName } from "./company-columns.ts";
import { companyFilters, companyOrders } from "./company-filters.ts";
import { companyStoredMembers } from "./company-json.ts";
import { readCompanies } from "./company-list-queries.ts";
import { companyFields } from "./company.ts";

/** If filters match at most this many companies, they are looked up: a hundred pages of the largest size. */
const FEW = 5_000;

const fewStatement = namedStatement(
  "matching_company_ids",
  "select matching_company_ids(:search, :status, :assigned_to, :most) where $1 > 0",
);

/** The live companies of a tenant. */
export const companyReads = listReads({
  name: "companies",
  table: "companies",
  members: companyStoredMembers,
  fields: companyFields,
  beside: ownerName("k"),
  live: "k.deleted_at is null",
  orders: companyOrders,
  byDefault: "id",
  filters: companyFilters,
  values: "company",
  common: { sums: "company_value_sums", changes: "company_value_changes", keepCount },
  // As the unique index compares.
  exact: { tax_id: "company_ids_by_tax_id(array[:value]::text[])" },
  scanned: 10_000,
  scannedAmong: FEW,
  numbered: readCompanies,
  few: async (tenant, database, filters) => {
    const values = { ...allValues(companyFilters, filters), most: FEW };
    return oneValue(await readNamed(tenant, database.slow, fewStatement, values));
  },
});

const changedStatement = slowQuery<[since: string, most: number]>(
  "companies_changed_since",
  `select case
    when (select at from changes where tenant_id = $1 order by at, id limit 1) <= $2::timestamptz
    then array(
      select resource_id from changes where tenant_id = $1 and type in ('company', 'connection') and at >= $2
      order by at, resource_id limit $3
    )::text[]
  end`,
).value();

/**
 * The companies that may have been updated since, by the history: it has every update, at the row's `updated_at` or
 * later. So no index has `updated_at`, and updates stay cheap (docs/decisions/0053-narrowed-lists.md). Undefined if
 * there are too many changes, or if the time is before the first one: a row may be older than the history.
 */
export async function changedCompanies(
  tenant: TenantId,
  database: Database,
  since: string,
): Promise<string[] | undefined> {
  const array = await changedStatement(tenant, database, since, FEW + 1);
  const ids = array === null ? null : idsIn(array);
  return ids === null || ids.length > FEW ? undefined : [...new Set(ids)];
}
