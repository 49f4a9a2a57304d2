import { exportPageOf, type ExportedRows } from "../../customers/companies/company-export-queries.ts";
import { isInNeed, isUnderWay } from "../../orders/invoices/shown-queries.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { Parameter, Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { conditions } from "./conditions.ts";
import type { ListFilters } from "./list-filters.ts";

const hasInvoice = (condition: string) =>
  `exists (select from invoices i where i.tenant_id = $1 and i.company_id = k.id and ${condition})`;

const MATCHES = `${conditions("k", 4)} and case $9::text when 'attention' then ${hasInvoice(isInNeed)} when 'under_way' then ${hasInvoice(isUnderWay)} else true end`;

const narrowed = exportPageOf("export_filtered_companies", MATCHES);

/** Those that the list with these filters has, on all of its pages and beyond. */
export function narrowedCompanies(filters: ListFilters): ExportedRows {
  return { page: narrowed, parameters: parametersOf(filters) };
}

const idsStatement: Statement = {
  name: "ids_of_filtered_companies",
  text: `select k.id from companies k where k.tenant_id = $1 and k.id > $2 and k.deleted_at is null and ${MATCHES}
  order by k.id limit $3`,
};

/** Ids that are read in one query. */
const IDS_AT_ONCE = 2_000;

/** The ids of the same companies. */
export async function* matchingIds(
  database: Database,
  tenant: TenantId,
  filters: ListFilters,
): AsyncGenerator<string[]> {
  for (let after = "0"; ;) {
    const rows = await database.slow.read(tenant, idsStatement, [after, IDS_AT_ONCE, ...parametersOf(filters)]);
    const ids = rows.map(([id]) => String(id));
    if (ids.length > 0) yield ids;
    if (ids.length < IDS_AT_ONCE) return;
    after = ids.at(-1) ?? after;
  }
}

function parametersOf({ search, status, assignedTo, city, calledUntil, orders }: ListFilters): Parameter[] {
  return [search, status, assignedTo, city, calledUntil, orders];
}
