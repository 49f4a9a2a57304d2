import { hash } from "node:crypto";
import { companyIdColumn, pageOfCompaniesRows } from "../../customers/companies/company-bulk-queries.ts";
import { ofLiveCompany } from "../../customers/companies/live-company-queries.ts";
import { bulkWrites, type Bulk } from "../../kit/bulk-queries.ts";
import type { ExportedRows } from "../../platform/fields/exports.ts";
import type { Value } from "../../platform/fields/validation.ts";
import { stepQuery } from "../../platform/postgres/query.ts";
import { selectList } from "../../platform/postgres/statement.ts";
import { companiesOfAddresses } from "./delivery-queries.ts";
import { NUMBER_INDEX, paysRest } from "./invoice-queries.ts";
import { importedInvoice, lockedColumns, wholeInvoice } from "./invoice.ts";
import { hasLockedColumns } from "./locked-queries.ts";
import { DRAFT_AGAIN } from "./write-invoice.ts";

const LINES = "lines";
/** Lines are only compared, so a digest is enough. The lines of hundreds of invoices would not fit in memory. */
const digestOfLines = `encode(sha256(convert_to(i.${LINES}, 'UTF8')), 'hex')`;

const found = selectList<Record<string, string>>({
  ordinal: "sent.ordinal",
  id: "i.id",
  external: "i.external",
  hasLockedColumns: hasLockedColumns("i"),
  status: "i.status",
  due_on: "i.due_on",
  terms_due_on: "i.terms_due_on",
  ...Object.fromEntries(lockedColumns.map((name) => [name, name === LINES ? digestOfLines : `i.${name}`])),
});

/** Creates and updates of whole invoices. */
export const invoiceWrites = bulkWrites(wholeInvoice, [companyIdColumn], paysRest);

/** Bulk writes of invoices, each with its `company_id`. An invoice's number is its identity. */
export const invoiceBulk: Bulk = {
  ...invoiceWrites,
  ...importedInvoice,
  identity: {
    field: "number",
    index: NUMBER_INDEX,
    ids: stepQuery<[numbers: readonly string[]]>(
      "invoice_ids_by_number",
      "select id from invoices where tenant_id = $1 and number = any($2::text[])",
    ).all(([id]) => String(id)),
    find: stepQuery<[numbers: readonly string[]]>(
      "lock_invoices_by_number",
      `select ${found.sql}
      from unnest($2::text[]) with ordinality as sent (number, ordinal)
      join invoices i on i.tenant_id = $1 and i.number = sent.number and i.number = any($2::text[])
      order by i.id for no key update of i`,
    ).all(found.read),
  },
  byId: stepQuery<[ids: readonly string[]]>(
    "lock_invoices_by_id",
    `select ${found.sql}
      from unnest($2::bigint[]) with ordinality as sent (id, ordinal)
      join invoices i on i.tenant_id = $1 and i.id = sent.id
      where i.id = any($2::bigint[]) and ${ofLiveCompany("i")}
      order by i.id for no key update of i`,
  ).all(found.read),
  computedDay: { field: "due_on", as: "terms_due_on" },
  // Orders are followed by jobs of their companies, which this field enqueues.
  locksMore: "wms_order_id",
  refuses(found, changed) {
    const differs = (name: string) => name in changed && comparedOf(name, changed[name]) !== found[name];
    if (found.hasLockedColumns !== "t") return null;
    if (changed.status === "draft" && found.status !== "draft") return DRAFT_AGAIN;
    return lockedColumns.some(differs) ? "sent" : null;
  },
  refersTo: { field: "delivery_address_id", companies: companiesOfAddresses },
  page: pageOfCompaniesRows(importedInvoice),
};

// A page looks up only the next of its thousands of ids. Some of them may have been removed meanwhile.
const next =
  "select u.id from unnest(:ids::bigint[]) as u (id) where u.id > :after order by u.id limit 10 * :limit::int";
const chosen = pageOfCompaniesRows(importedInvoice, `k.id = any(array(${next}))`, "export_chosen_invoices");

export function chosenInvoices(ids: string[]): ExportedRows {
  return { page: chosen, values: { ids } };
}

function comparedOf(name: string, value: Value | undefined): string | null {
  if (value == null) return null;
  return name === LINES ? hash("sha256", String(value), "hex") : String(value);
}
