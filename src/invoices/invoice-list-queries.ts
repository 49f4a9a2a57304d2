import { selectCompany } from "../companies/live-company-queries.ts";
import { columnsOf } from "../platform/fields/sql.ts";
import type { AskedPage } from "../platform/http/lists/pagination.ts";
import type { Database } from "../platform/postgres/database.ts";
import { findListPage, type List, type ListPage } from "../platform/postgres/read-page.ts";
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

/** One page of a company's invoices, newest first, and the number of all matches; null for an unknown company. */
export async function listInvoices(
  tenant: TenantId,
  database: Database,
  companyId: string,
  { search, status }: InvoiceFilters,
  page: AskedPage,
): Promise<ListPage | null> {
  const name = `${status === null ? "" : "_of_status"}${search === null ? "" : "_matching"}`;
  const parameters = [companyId, ...[status, search].filter((filter) => filter !== null)];
  // A search takes longer the more invoices the company has.
  const reader = search === null ? database.quick : database.slow;
  return await findListPage(reader, tenant, lists[name] as List, parameters, page);
}
