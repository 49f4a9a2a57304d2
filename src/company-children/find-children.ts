import { companyExists } from "../companies/company-queries.ts";
import { isSearchable, type Page } from "../platform/http/lists/pagination.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { ListPage } from "../platform/postgres/read-page.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { childQueries } from "./child-queries.ts";
import type { Child } from "./child.ts";

/** One page of a company's children with its exact total; null where there is no such company. */
export type FindChildren = (
  tenant: TenantId,
  database: Database,
  companyId: string,
  search: string | null,
  page: Page,
) => Promise<ListPage | null>;

export function findChildren(child: Child): FindChildren {
  const queries = childQueries(child);
  return async (tenant, database, companyId, search, page) => {
    if (search === null || isSearchable(search)) return await queries.list(tenant, database, companyId, search, page);
    return (await companyExists(tenant, database, companyId)) ? { rows: [], total: 0 } : null;
  };
}
