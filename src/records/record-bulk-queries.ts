import { bulkWrites, type Bulk } from "../platform/bulk.ts";
import type { FieldTable } from "../platform/fields.ts";
import { columnsOf, namesOf } from "../platform/sql.ts";
import type { Statement } from "../platform/statement.ts";
import { invoiceFields } from "./invoice.ts";
import { recordFields, type RecordKind } from "./record.ts";

/** Invoices by the hundred, each with its `company_id`. An invoice is known by its number. */
export const invoiceBulk: Bulk = {
  ...bulkWrites("invoices", invoiceFields, [{ name: "company_id", type: "bigint" }]),
  key: {
    field: "number",
    index: "invoices_tenant_id_number_key",
    find: {
      name: "lock_invoices_by_number",
      text: `select sent.ordinal, i.id
      from unnest($2::text[]) with ordinality as sent (number, ordinal)
      join invoices i on i.tenant_id = $1 and i.number = sent.number and i.number = any($2::text[])
      order by i.id for no key update of i`,
    },
  },
  page: page("invoices", invoiceFields),
};

/** Offers, deals, tickets or subscriptions by the hundred, each with its `company_id`. Every one of them is new. */
export function recordBulk(kind: RecordKind): Bulk {
  return {
    ...bulkWrites(kind, recordFields, [{ name: "company_id", type: "bigint" }]),
    key: null,
    page: page(kind, recordFields),
  };
}

function page(table: string, fields: FieldTable): Statement {
  return {
    name: `export_${table}`,
    text: `select k.id, c.id, c.tax_id, ${columnsOf(namesOf(fields), "k")}
    from ${table} k join companies c on c.tenant_id = $1 and c.id = k.company_id and c.deleted_at is null
    where k.tenant_id = $1 and k.id > $2 order by k.id limit $3`,
  };
}
