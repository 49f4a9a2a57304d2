import { selectCompany } from "../companies/live-company-queries.ts";
import { columnsOf } from "../platform/fields/sql.ts";
import { fewPage, fewText } from "../platform/http/lists/few.ts";
import type { AskedPage } from "../platform/http/lists/pagination.ts";
import type { Database } from "../platform/postgres/database.ts";
import { findListPage, type List, type ListPage } from "../platform/postgres/read-page.ts";
import type { Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { listedInvoiceColumns } from "./invoice-json.ts";

/** A null filter is inactive. The database folds case and accents of a search. */
export type InvoiceFilters = { search: string | null; status: string | null };

/** The lists by their filters (`nameOf`). The parameters of the filters come after the company ($2), in this order. */
const lists: Readonly<Record<string, List>> = {
  "": list("", []),
  _of_status: list("_of_status", ["i.status = $3"]),
  // As a sub-select, the pattern is computed once and not for each row.
  _matching: list("_matching", ["fold(i.number) like (select search_pattern($3))"]),
  _of_status_matching: list("_of_status_matching", [
    "i.status = $3",
    "fold(i.number) like (select search_pattern($4))",
  ]),
};

function list(name: string, filters: string[]): List {
  const ofCompany = ["i.tenant_id = $1 and i.company_id = $2", ...filters].join(" and ");
  const next = filters.length + 3;
  return {
    count: {
      name: `count_invoices${name}`,
      text: selectCompany(`(select count(*) from invoices i where ${ofCompany})`),
    },
    page: {
      name: `list_invoices${name}`,
      text: `select ${columnsOf(listedInvoiceColumns, "i")} from invoices i where ${ofCompany}
      order by i.issued_on desc nulls last, i.id desc limit $${next} offset $${next + 1}`,
    },
  };
}

const fewStatement: Statement = {
  name: "page_few_invoices",
  text: fewText({
    table: "invoices",
    columns: columnsOf(listedInvoiceColumns, "k"),
    order: "k.issued_on desc nulls last, k.id desc",
    listed: "k.company_id = $5",
    matches: `($6::text is null or k.status = $6)
      and ($7::text is null or fold(k.number) like (select search_pattern($7)))`,
    parent: "select from companies c where c.tenant_id = $1 and c.id = $5 and c.deleted_at is null",
  }),
};

/**
 * One page of a company's invoices, newest first, and the number of all matches; null for an unknown company.
 * @param among the ids that the list is limited to; null: it is not
 */
export async function listInvoices(
  tenant: TenantId,
  database: Database,
  companyId: string,
  { search, status }: InvoiceFilters,
  page: AskedPage,
  among: string[] | null = null,
): Promise<ListPage | null> {
  const name = `${status === null ? "" : "_of_status"}${search === null ? "" : "_matching"}`;
  const parameters = [companyId, ...[status, search].filter((filter) => filter !== null)];
  // A search takes longer the more invoices the company has.
  const reader = search === null ? database.quick : database.slow;
  if (among !== null) {
    const asked = [page.perPage, page.offset, among, companyId, status, search];
    return fewPage(await reader.read(tenant, fewStatement, asked));
  }
  return await findListPage(reader, tenant, lists[name] as List, parameters, page);
}
