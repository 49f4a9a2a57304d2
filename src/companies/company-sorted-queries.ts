import type { AskedPage } from "../platform/http/lists/pagination.ts";
import type { Database } from "../platform/postgres/database.ts";
import { readPage, type List, type ListPage } from "../platform/postgres/read-page.ts";
import type { Call, Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { companyListColumns } from "./company-columns.ts";
import {
  DEEP_OFFSET,
  foundPage,
  listCompanies,
  live,
  ownerTotals,
  rowsText,
  totals,
  type CompanyFilters,
} from "./company-list-queries.ts";

/** The orders of a list; those of names are without case and accents. */
export const sorts = ["name", "-name", "id", "-id"] as const;
export type CompanySort = (typeof sorts)[number];

/**
 * One page of companies in an order of choice, with its exact total. A page that lies deep is counted from the end
 * that is nearer.
 */
export async function listSortedCompanies(
  tenant: TenantId,
  database: Database,
  filters: CompanyFilters,
  sort: CompanySort,
  page: AskedPage,
): Promise<ListPage> {
  if (sort === "id") return await listCompanies(tenant, database, filters, page);
  if (filters.search !== null) return await searchSorted(tenant, database, filters.search, filters, sort, page);
  if (page.offset < DEEP_OFFSET) {
    const [counted, rows] = await database.slow.readAll(tenant, [totalOf(filters), pageOf(filters, sort, page)]);
    return { rows: rows ?? [], total: Number(counted?.[0]?.[0] ?? 0) };
  }
  return await listDeep(tenant, database, filters, sort, page, await countCompanies(tenant, database, filters));
}

/** The exact number of companies of a status and an owner. */
export async function countCompanies(tenant: TenantId, database: Database, filters: CompanyFilters): Promise<number> {
  const { statement, parameters } = totalOf(filters);
  const [row] = await database.slow.read(tenant, statement, parameters);
  return Number(row?.[0] ?? 0);
}

async function listDeep(
  tenant: TenantId,
  database: Database,
  filters: CompanyFilters,
  sort: CompanySort,
  page: AskedPage,
  total: number,
): Promise<ListPage> {
  if (page.offset >= total) return { rows: [], total };
  const perPage = Math.min(page.perPage, total - page.offset);
  const fromTheEnd = { page: 1, perPage, offset: total - page.offset - perPage };
  // Ascending ids have their blocks, which begin a deep page near its first row.
  if (sort === "-id") {
    const { rows } = await listCompanies(tenant, database, filters, fromTheEnd);
    return { rows: rows.toReversed(), total };
  }
  const isNearer = fromTheEnd.offset < page.offset;
  const call = isNearer ? pageOf(filters, opposite(sort), fromTheEnd) : pageOf(filters, sort, page);
  const [rows = []] = await database.slow.readAll(tenant, [call]);
  return { rows: isNearer ? rows.toReversed() : rows, total };
}

function opposite(sort: CompanySort): CompanySort {
  return sort === "name" ? "-name" : "name";
}

function totalOf({ status, assignedTo }: CompanyFilters): Call {
  const isAny = status === null;
  const statement = assignedTo === null ? totals[isAny ? "all" : "ofStatus"] : ownerTotals[isAny ? "any" : "ofStatus"];
  return { statement, parameters: [assignedTo, status].filter((filter) => filter !== null) };
}

function pageOf({ status, assignedTo }: CompanyFilters, sort: CompanySort, { perPage, offset }: AskedPage): Call {
  const filters = [
    ...(assignedTo === null ? [] : [{ column: "assigned_to", value: assignedTo }]),
    ...(status === null ? [] : [{ column: "status", value: status }]),
  ];
  const conditions = filters.map(({ column }, index) => ` and ${column} = $${index + 2}`).join("");
  const next = filters.length + 2;
  const ids = `select id from companies where ${live}${conditions}
    order by ${orderOf(sort, "companies")} limit $${next} offset $${next + 1}`;
  return {
    // Prepared anew each time: how many companies an owner or a status has decides which index is the quick one.
    statement: { name: "", text: rowsText(ids, orderOf(sort, "c")) },
    parameters: [...filters.map(({ value }) => value), perPage, offset],
  };
}

/** The order as SQL, over the table or an alias of it. */
export function orderOf(sort: CompanySort, alias: string): string {
  const direction = sort.startsWith("-") ? "desc" : "asc";
  const byId = `${alias}.id ${direction}`;
  return sort.endsWith("name") ? `${alias}.search_text collate "C" ${direction}, ${byId}` : byId;
}

const searchText = (sort: CompanySort) => `select found.total, ${companyListColumns("c")}
  from search_companies_sorted($2, $3, $4, ${sort.endsWith("name")}, ${sort.startsWith("-")}, $5, $6) found
  left join companies c on c.tenant_id = $1 and c.id = found.id
  order by ${orderOf(sort, "c")}`;

const searches: Readonly<Record<CompanySort, Statement>> = {
  name: { name: "search_companies_by_name", text: searchText("name") },
  "-name": { name: "search_companies_by_name_down", text: searchText("-name") },
  id: { name: "search_companies_by_id", text: searchText("id") },
  "-id": { name: "search_companies_by_id_down", text: searchText("-id") },
};

async function searchSorted(
  tenant: TenantId,
  database: Database,
  search: string,
  { status, assignedTo }: CompanyFilters,
  sort: CompanySort,
  { perPage, offset }: AskedPage,
): Promise<ListPage> {
  const parameters = [search, status, assignedTo, perPage, offset];
  return foundPage(await database.slow.read(tenant, searches[sort], parameters));
}

const deleted = `tenant_id = $1 and deleted_at is not null
  and ($2::text is null or search_text like (select search_pattern($2)))
  and ($3::text is null or status = $3) and ($4::bigint is null or assigned_to = $4)`;

const deletedList: List = {
  count: { name: "total_deleted_companies", text: `select count(*) from companies where ${deleted}` },
  page: {
    name: "page_deleted_companies",
    text: rowsText(
      `select id from companies where ${deleted} order by deleted_at desc, id desc limit $5 offset $6`,
      "c.deleted_at desc, c.id desc",
    ),
  },
};

/** One page of the deleted companies, the latest first. */
export async function listDeletedCompanies(
  tenant: TenantId,
  database: Database,
  { search, status, assignedTo }: CompanyFilters,
  page: AskedPage,
): Promise<ListPage> {
  return await readPage(database.slow, tenant, deletedList, [search, status, assignedTo], page);
}
