import { lookUpsOf } from "../external-ids/look-up.ts";
import { fewPage, fewText } from "../platform/http/lists/few.ts";
import type { AskedPage } from "../platform/http/lists/pagination.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { ListPage } from "../platform/postgres/read-page.ts";
import type { Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { companyListColumns } from "./company-columns.ts";
import type { CompanyFilters, CompanySort } from "./company-filters.ts";
import { orderOf } from "./company-list-queries.ts";
import { matchesFilters } from "./company-walk-queries.ts";

const statementOf = (sort: CompanySort): Statement => ({
  name: `page_few_companies_by_${sort.replace(/^-(.*)/, "$1_down")}`,
  text: fewText({
    table: "companies",
    columns: companyListColumns("k"),
    order: orderOf(sort, "k"),
    listed: "k.deleted_at is null",
    matches: matchesFilters("$5", "$6", "$7"),
  }),
});

const statements: Readonly<Record<CompanySort, Statement>> = {
  id: statementOf("id"),
  "-id": statementOf("-id"),
  name: statementOf("name"),
  "-name": statementOf("-name"),
};

/** One page of the companies with these ids, with its exact total. */
export async function readFewCompanies(
  tenant: TenantId,
  database: Database,
  ids: string[],
  { filters, sort, page }: { filters: CompanyFilters; sort: CompanySort; page: AskedPage },
): Promise<ListPage> {
  const { search, status, assignedTo } = filters;
  const reader = search === null ? database.quick : database.slow;
  const parameters = [page.perPage, page.offset, ids, search, status, assignedTo];
  return fewPage(await reader.read(tenant, statements[sort], parameters)) ?? { rows: [], total: 0 };
}

const byTaxIdStatement: Statement = {
  name: "look_up_companies_by_tax_id",
  text: "select id from company_ids_by_tax_id(array[$2]::text[]) where $1 > 0",
};

/** The look-ups of the list: `tax_id` compares as the unique index does. */
export const companyLookUps = lookUpsOf("company", [
  {
    name: "tax_id",
    find: async (tenant, database, taxId) =>
      (await database.quick.read(tenant, byTaxIdStatement, [taxId])).map(([id]) => String(id)),
  },
]);
