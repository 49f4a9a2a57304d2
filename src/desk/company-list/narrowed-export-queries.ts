import { company } from "../../customers/companies/company.ts";
import { exportStatement, type ExportedRows } from "../../platform/fields/exports.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { namedStatement, readNamed } from "../../platform/postgres/query.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { allValues, matches } from "../../platform/reads/filters.ts";
import { listFilters, type ListFilters } from "./list-filters.ts";

const MATCHES = `k.deleted_at is null and ${matches(listFilters)}`;

const narrowed = exportStatement("export_filtered_companies", company, MATCHES);

/** Those that the list with these filters has, on all of its pages and beyond. */
export function narrowedCompanies(filters: ListFilters): ExportedRows {
  return { page: narrowed, values: allValues(listFilters, filters) };
}

const idsStatement = namedStatement(
  "ids_of_filtered_companies",
  `select k.id from companies k where k.tenant_id = $1 and k.id > :after and ${MATCHES} order by k.id limit :limit`,
);

/** Ids that are read in one query. */
const IDS_AT_ONCE = 2_000;

/** The ids of the same companies. */
export async function* matchingIds(
  database: Database,
  tenant: TenantId,
  filters: ListFilters,
): AsyncGenerator<string[]> {
  const values = { ...allValues(listFilters, filters), limit: IDS_AT_ONCE };
  for (let after = "0"; ;) {
    const rows = await readNamed(tenant, database.slow, idsStatement, { ...values, after });
    const ids = rows.map(([id]) => String(id));
    if (ids.length > 0) yield ids;
    if (ids.length < IDS_AT_ONCE) return;
    after = ids.at(-1) ?? after;
  }
}
