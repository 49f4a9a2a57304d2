import { companyIdColumn, pageOfCompaniesRows } from "../companies/company-bulk-queries.ts";
import { bulkWrites, type Bulk } from "../platform/fields/bulk.ts";
import { selectList } from "../platform/postgres/statement.ts";
import { invoice } from "./invoice.ts";
import { recordOfKind, type RecordKind } from "./record.ts";

const found = selectList<string>({ ordinal: "sent.ordinal", id: "i.id" });

/** Invoices by the hundred, each with its `company_id`. An invoice's number is its identity. */
export const invoiceBulk: Bulk = {
  ...bulkWrites(invoice, [companyIdColumn]),
  identity: {
    field: "number",
    index: "invoices_tenant_id_number_key",
    find: {
      name: "lock_invoices_by_number",
      text: `select ${found.sql}
      from unnest($2::text[]) with ordinality as sent (number, ordinal)
      join invoices i on i.tenant_id = $1 and i.number = sent.number and i.number = any($2::text[])
      order by i.id for no key update of i`,
    },
    found,
  },
  page: pageOfCompaniesRows(invoice),
};

/** Offers, deals, tickets or subscriptions by the hundred, each with its `company_id`. Every one of them is new. */
export function recordBulk(kind: RecordKind): Bulk {
  const record = recordOfKind(kind);
  return {
    ...bulkWrites(record, [companyIdColumn]),
    identity: null,
    page: pageOfCompaniesRows(record),
  };
}
