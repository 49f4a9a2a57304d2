import { companyIdColumn, pageOfCompaniesRows } from "../companies/company-bulk-queries.ts";
import { bulkWrites, type Bulk } from "../platform/fields/bulk.ts";
import type { Child } from "./child.ts";

/** A company's children by the hundred, each with its `company_id`. Every one of them is new. */
export function childBulk(child: Child): Bulk {
  return {
    ...bulkWrites(child, [companyIdColumn]),
    identity: null,
    page: pageOfCompaniesRows(child, "k.deleted_at is null"),
  };
}
