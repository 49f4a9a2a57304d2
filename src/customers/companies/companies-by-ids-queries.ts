import { lookUpsOf } from "../../kit/external-ids/look-up.ts";
import { fewPage, fewText } from "../../platform/http/lists/by-ids.ts";
import type { PageQuery } from "../../platform/http/lists/pagination.ts";
import { isUpdatedSince } from "../../platform/http/lists/since.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { ListPage } from "../../platform/postgres/read-page.ts";
import { oneValue, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { companyListColumns } from "./company-columns.ts";
import type { CompanyFilters, CompanySort } from "./company-filters.ts";
import { orderOf } from "./company-list-queries.ts";
import { FEW, matchesFilters } from "./company-walk-queries.ts";

const statementOf = (sort: CompanySort): Statement => ({
  name: `page_few_companies_by_${sort.replace(/^-(.*)/, "$1_down")}`,
  text: fewText({
    table: "companies",
    columns: companyListColumns("k"),
    order: orderOf(sort, "k"),
    listed: "k.deleted_at is null",
    matches: `${isUpdatedSince("k", "$5")} and ${matchesFilters("$6", "$7", "$8")}`,
  }),
});

const statements: Readonly<Record<CompanySort, Statement>> = {
  id: statementOf("id"),
  "-id": statementOf("-id"),
  name: statementOf("name"),
  "-name": statementOf("-name"),
};

const updatedStatementOf = (sort: CompanySort): Statement => ({
  name: `page_updated_companies_by_${sort.replace(/^-(.*)/, "$1_down")}`,
  text: `with found as materialized (
    select k.id, k.search_text from companies k
    where k.tenant_id = $1 and k.deleted_at is null and k.updated_at >= $4 and ${matchesFilters("$5", "$6", "$7")}
  ), page as materialized (
    select k.id from found k order by ${orderOf(sort, "k")} limit $2 offset $3
  )
  select (select count(*) from found), ${companyListColumns("k")}
  from (select) one left join companies k on k.tenant_id = $1 and k.id = any(array(select id from page))
  order by ${orderOf(sort, "k")}`,
});

const updatedStatements: Readonly<Record<CompanySort, Statement>> = {
  id: updatedStatementOf("id"),
  "-id": updatedStatementOf("-id"),
  name: updatedStatementOf("name"),
  "-name": updatedStatementOf("-name"),
};

type FewCompaniesQuery = { filters: CompanyFilters; sort: CompanySort; page: PageQuery; since: string | undefined };

/** One page of the companies with these ids, with its exact total. */
export async function readFewCompanies(
  tenant: TenantId,
  database: Database,
  ids: string[],
  { filters: { search, status, assignedTo }, sort, page, since }: FewCompaniesQuery,
): Promise<ListPage> {
  const reader = search === null && since === undefined ? database.quick : database.slow;
  const parameters = [page.perPage, page.offset, ids, since ?? null, search, status, assignedTo];
  return fewPage(await reader.read(tenant, statements[sort], parameters)) ?? { rows: [], total: 0 };
}

/** The same for all companies that were updated since: reads every company of the tenant. */
export async function readUpdatedCompanies(
  tenant: TenantId,
  database: Database,
  since: string,
  { filters: { search, status, assignedTo }, sort, page }: Omit<FewCompaniesQuery, "since">,
): Promise<ListPage> {
  const parameters = [page.perPage, page.offset, since, search, status, assignedTo];
  return fewPage(await database.slow.read(tenant, updatedStatements[sort], parameters)) ?? { rows: [], total: 0 };
}

/** $2: the time, $3: the most changes to read. The history of companies; null if it begins after the time. */
const changedStatement: Statement = {
  name: "companies_changed_since",
  text: `select case
    when (select at from changes where tenant_id = $1 order by at, id limit 1) <= $2::timestamptz
    then array(
      select resource_id from changes where tenant_id = $1 and type in ('company', 'connection') and at >= $2
      order by at, resource_id limit $3
    )::text[]
  end`,
};

/**
 * The companies that may have been updated since, by the history: it has every update, at the row's `updated_at` or
 * later. So no index has `updated_at`, and updates stay cheap (docs/decisions/0053-narrowed-lists.md). Undefined if
 * there are too many changes, or if the time is before the first one: a row may be older than the history.
 */
export async function changedCompanies(
  tenant: TenantId,
  database: Database,
  since: string,
): Promise<string[] | undefined> {
  const ids = arrayIn(oneValue(await database.slow.read(tenant, changedStatement, [since, FEW + 1])));
  return ids === null || ids.length > FEW ? undefined : [...new Set(ids)];
}

/** PostgreSQL's text of an array of ids. */
function arrayIn(text: string | null): string[] | null {
  if (text === null) return null;
  return text === "{}" ? [] : text.slice(1, -1).split(",");
}

const byTaxIdStatement: Statement = {
  name: "look_up_companies_by_tax_id",
  text: "select id from company_ids_by_tax_id(array[$2]::text[]) where $1 > 0",
};

/** The look-ups of the list: `tax_id` compares as the unique index does. */
export const companyLookUps = lookUpsOf("company", [{ name: "tax_id", statement: byTaxIdStatement }]);
