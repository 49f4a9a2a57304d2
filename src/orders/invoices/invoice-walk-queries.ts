import { columnsOf } from "../../platform/fields/sql.ts";
import { fewRows } from "../../platform/http/lists/by-ids.ts";
import { LAST_ID, lookedFor, walked, walkText, type Position, type Walked } from "../../platform/http/lists/walk.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { listedInvoiceColumns } from "./invoice-json.ts";
import { invoiceFilterValues, matchesInvoiceFilters, type InvoiceFilters } from "./invoice-list-queries.ts";

/** The position before all invoices. */
export const beforeAllInvoices: Position = ["infinity", LAST_ID];

/** Invoices that a filtered page behind a cursor scans. */
const LOOKED_AT = 5_000;

const ofCompany = "i.tenant_id = $1 and i.company_id = $4";
const order = (alias: string) => `${alias}.issued_on desc nulls last, ${alias}.id desc`;

const statementOf = (name: string, seen: string): Statement => ({
  name,
  text: walkText({
    table: "invoices",
    columns: columnsOf(listedInvoiceColumns, "k"),
    order: order("k"),
    position: ["k.issued_on", "k.id"],
    seen,
    matches: matchesInvoiceFilters("k", 7),
  }),
});

/** A condition of an invoice without a date: behind a date come all of these. */
const isBehind = (alias: string) => `${alias}.id < case when $5 is null then $6 else ${LAST_ID} end`;

const walkStatement = statementOf(
  "walk_invoices",
  // Behind a date come lower dates, then invoices without a date; behind an invoice without a date only such.
  `select k.* from (
      (select i.id, i.issued_on, i.number, i.status, i.wms_state, i.updated_at from invoices i
        where ${ofCompany} and (i.issued_on, i.id) < ($5, $6) order by ${order("i")} limit $2)
      union all
      (select i.id, i.issued_on, i.number, i.status, i.wms_state, i.updated_at from invoices i
        where ${ofCompany} and i.issued_on is null and ${isBehind("i")}
        order by ${order("i")} limit $2)
    ) k order by ${order("k")} limit $2`,
);

const walkFewStatement = statementOf(
  "walk_few_invoices",
  `select k.* from ${fewRows("invoices", "$11", "k.company_id = $4")} k
  where (k.issued_on, k.id) < ($5, $6) or (k.issued_on is null and ${isBehind("k")})
  order by ${order("k")} limit $2`,
);

/** The invoices of a company behind a position. @param among the ids that the list is limited to; null: it is not */
export async function walkInvoices(
  tenant: TenantId,
  database: Database,
  companyId: string,
  filters: InvoiceFilters,
  position: Position,
  perPage: number,
  among: string[] | null = null,
): Promise<Walked> {
  const found = lookedFor(perPage);
  const values = invoiceFilterValues(filters);
  const isFiltered = values.some((value) => value !== null);
  const parameters = [isFiltered ? LOOKED_AT : found, found, companyId, ...position, ...values];
  const reader = isFiltered ? database.slow : database.quick;
  const rows =
    among === null
      ? await reader.read(tenant, walkStatement, parameters)
      : await reader.read(tenant, walkFewStatement, [...parameters, among]);
  return walked(rows, perPage);
}
