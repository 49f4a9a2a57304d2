import { columnsOf } from "../platform/fields/sql.ts";
import { LAST_ID, lookedFor, walked, walkText, type Place, type Walked } from "../platform/http/lists/walk.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { listedInvoiceColumns } from "./invoice-json.ts";
import type { InvoiceFilters } from "./invoice-list-queries.ts";

/** The position before all invoices. */
export const beforeAllInvoices: Place = ["infinity", LAST_ID];

/** Invoices that a filtered page behind a cursor scans. */
const LOOKED_AT = 5_000;

const ofCompany = "i.tenant_id = $1 and i.company_id = $4";
const order = (alias: string) => `${alias}.issued_on desc nulls last, ${alias}.id desc`;

const walkStatement: Statement = {
  name: "walk_invoices",
  text: walkText({
    table: "invoices",
    columns: columnsOf(listedInvoiceColumns, "k"),
    order: order("k"),
    place: ["k.issued_on", "k.id"],
    // Behind a date come lower dates, then invoices without a date; behind an invoice without a date only such.
    seen: `select k.* from (
      (select i.id, i.issued_on, i.number, i.status from invoices i
        where ${ofCompany} and (i.issued_on, i.id) < ($5, $6) order by ${order("i")} limit $2)
      union all
      (select i.id, i.issued_on, i.number, i.status from invoices i
        where ${ofCompany} and i.issued_on is null and i.id < case when $5 is null then $6 else ${LAST_ID} end
        order by ${order("i")} limit $2)
    ) k order by ${order("k")} limit $2`,
    matches: `($7::text is null or k.status = $7)
      and ($8::text is null or fold(k.number) like (select search_pattern($8)))`,
  }),
};

/** The invoices of a company behind a position. */
export async function walkInvoices(
  tenant: TenantId,
  database: Database,
  companyId: string,
  { search, status }: InvoiceFilters,
  place: Place,
  perPage: number,
): Promise<Walked> {
  const found = lookedFor(perPage);
  const isFiltered = search !== null || status !== null;
  const parameters = [isFiltered ? LOOKED_AT : found, found, companyId, ...place, status, search];
  const reader = isFiltered ? database.slow : database.quick;
  return walked(await reader.read(tenant, walkStatement, parameters), perPage);
}
