import { countCompanies } from "../../customers/companies/company-count-queries.ts";
import { companyReads } from "../../customers/companies/company-reads.ts";
import { pageAmong, type PageQuery } from "../../platform/http/lists/pagination.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { areIndexed } from "../../platform/reads/filters.ts";
import type { ListPage } from "../../platform/reads/numbered.ts";
import { isCountedSort, listFilters, type ListFilters, type ListSort } from "./list-filters.ts";
import { scanCompanies, type Scanned, type Source } from "./looked-through-queries.ts";

/**
 * The most companies that a list without a counted total scans: those of its narrowest filter, or the first of its
 * order. So the cost of a page does not depend on the number of companies (docs/decisions/0053-narrowed-lists.md).
 */
export const MOST_COMPANIES_LISTED = 10_000;

const NOTHING: ListPage = { rows: [], total: 0 };

/**
 * One page of the list for people; of one beyond the last there is the total alone, which is that of the scanned
 * companies.
 */
export async function readList(
  tenant: TenantId,
  database: Database,
  filters: ListFilters,
  sort: ListSort,
  page: PageQuery,
  today: string,
): Promise<Scanned> {
  const { status = null, assigned_to = null } = filters;
  const isCounted = areIndexed(listFilters, filters);
  if (isCounted && isCountedSort(sort)) {
    const { rows, total } = (await companyReads.page(tenant, database, { filters, sort }, page)) ?? NOTHING;
    return { rows, total, isCut: false, isUnsorted: false };
  }
  const read = async (source: Source, within = page, most = MOST_COMPANIES_LISTED) =>
    await scanCompanies(tenant, database, { source, most }, filters, sort, within, today);
  const source = sourceOf(filters);
  if (source !== null) return await read(source);
  const all = await countCompanies(tenant, database, filters);
  const isCut = all > MOST_COMPANIES_LISTED;
  const isWhole = isCounted && status === null && assigned_to === null && !sort.endsWith("updated_at");
  if (!isWhole) return { ...(await read(isCut ? `by:${sort}` : narrowedBy(status, assigned_to))), isCut };
  // The index of the order has the page: the filters leave no row before it out.
  const total = Math.min(all, MOST_COMPANIES_LISTED);
  const within = pageAmong(page, total);
  const scanned = await read(`by:${sort}`, within, Math.min(within.offset + page.perPage, total));
  return scanned.isUnsorted ? scanned : { ...scanned, total, isCut };
}

/** The narrowest filter with an index: few companies need attention, and few are to be called. */
function sourceOf({ orders, callback = null, search = null, city = null, custom = null }: ListFilters): Source | null {
  if (orders === "attention") return "in_need";
  if (orders === "under_way") return "under_way";
  if (callback !== null) return "called";
  if (search !== null || city !== null) return "found";
  return custom === null ? null : "valued";
}

function narrowedBy(status: string | null, owner: string | null): Source {
  if (status === null) return owner === null ? "all" : "of_owner";
  return owner === null ? "of_status" : "of_owner_and_status";
}
