import { bulkWrites, type Bulk } from "../../platform/fields/bulk.ts";
import { companyIdColumn, pageOfCompaniesRows } from "../companies/company-bulk-queries.ts";
import { recordOfKind, type RecordKind } from "./record.ts";

/** Offers, deals, tickets or subscriptions by the hundred, each with its `company_id`. Every one of them is new. */
export function recordBulk(kind: RecordKind): Bulk {
  const record = recordOfKind(kind);
  return {
    ...bulkWrites(record, [companyIdColumn]),
    identity: null,
    page: pageOfCompaniesRows(record),
  };
}
