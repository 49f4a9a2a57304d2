import { companyIdColumn, pageOfCompaniesRows } from "../companies/company-bulk-queries.ts";
import { bulkWrites, type Bulk } from "../platform/fields/bulk.ts";
import { selectList } from "../platform/postgres/statement.ts";
import { importedInvoice, wholeInvoice } from "./invoice.ts";
import { NUMBER_INDEX } from "./invoice-queries.ts";

const found = selectList<string>({ ordinal: "sent.ordinal", id: "i.id" });

/** Invoices by the hundred, each with its `company_id`. An invoice's number is its identity. */
export const invoiceBulk: Bulk = {
  ...bulkWrites(wholeInvoice, [companyIdColumn]),
  ...importedInvoice,
  identity: {
    field: "number",
    index: NUMBER_INDEX,
    find: {
      name: "lock_invoices_by_number",
      text: `select ${found.sql}
      from unnest($2::text[]) with ordinality as sent (number, ordinal)
      join invoices i on i.tenant_id = $1 and i.number = sent.number and i.number = any($2::text[])
      order by i.id for no key update of i`,
    },
    found,
  },
  page: pageOfCompaniesRows(importedInvoice),
};
