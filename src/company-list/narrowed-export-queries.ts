import { exportPageOf, type ExportedRows } from "../companies/company-export-queries.ts";
import { isInNeed, isUnderWay } from "../invoices/shown-queries.ts";
import { conditions } from "./conditions.ts";
import type { ListFilters } from "./list-filters.ts";

const hasInvoice = (condition: string) =>
  `exists (select from invoices i where i.tenant_id = $1 and i.company_id = k.id and ${condition})`;

const narrowed = exportPageOf(
  "export_filtered_companies",
  `${conditions("k", 4)} and case $9::text when 'attention' then ${hasInvoice(isInNeed)} when 'under_way' then ${hasInvoice(isUnderWay)} else true end`,
);

/** Those that the list with these filters has, on all of its pages and beyond. */
export function narrowedCompanies({
  search,
  status,
  assignedTo,
  city,
  calledUntil,
  orders,
}: ListFilters): ExportedRows {
  return { page: narrowed, parameters: [search, status, assignedTo, city, calledUntil, orders] };
}
