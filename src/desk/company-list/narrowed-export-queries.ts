import { company } from "../../customers/companies/company.ts";
import { exportStatement, type ExportedRows } from "../../platform/fields/exports.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { namedStatement } from "../../platform/postgres/query.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { everyId } from "../../platform/reads/every-id.ts";
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

/** The ids of the same companies. */
export function matchingIds(tenant: TenantId, database: Database, filters: ListFilters): AsyncGenerator<string[]> {
  return everyId(tenant, database, idsStatement, allValues(listFilters, filters));
}
