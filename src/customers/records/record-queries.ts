import { bulkWrites, type Bulk } from "../../platform/fields/bulk.ts";
import { selectList } from "../../platform/postgres/statement.ts";
import { numberedList } from "../../platform/reads/numbered.ts";
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

const columns = selectList({
  number: "r.number",
  title: "r.title",
  status: "r.status",
  amount: "r.amount",
  currency: "r.currency",
  startsOn: "r.starts_on",
});

/** The records of a kind that a company (`:company`) has, newest first. */
export function recordsOfCompany(kind: RecordKind) {
  const condition = "r.tenant_id = $1 and r.company_id = :company";
  return numberedList(kind, { reader: "quick", table: `${kind} r`, condition, order: "r.id desc" }, columns);
}
