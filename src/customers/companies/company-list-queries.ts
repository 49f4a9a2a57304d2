import type { PageQuery } from "../../platform/http/lists/pagination.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { slowQuery } from "../../platform/postgres/query.ts";
import { readPage, type List, type ListPage } from "../../platform/postgres/read-page.ts";
import { oneValue, type Call, type Row, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { companyListColumns, companyWholeColumns } from "./company-columns.ts";
import {
  countCompanies,
  countsText,
  narrowed,
  narrowingOf,
  narrowingValues,
  totalOf,
  type Narrowing,
} from "./company-count-queries.ts";
import type { CompanyFilters, CompanySort } from "./company-filters.ts";

type CompanyQuery = { filters: CompanyFilters; sort: CompanySort; page: PageQuery };

/** From this offset on, adding up the blocks of ids is quicker than walking over the rows before the page. */
const DEEP_OFFSET = 8_192;

/** One page of companies (companyListColumns) with its exact total. */
export async function readCompanies(tenant: TenantId, database: Database, asked: CompanyQuery): Promise<ListPage> {
  const { filters, sort, page } = asked;
  if (filters.search !== null) return await searchCompanies(tenant, database, asked);
  const isQuick = sort === "id" && hasBlocks(filters);
  if (page.offset >= DEEP_OFFSET && !isQuick) return await readFromNearerEnd(tenant, database, asked);
  const reader = isQuick ? database.quick : database.slow;
  const [total, rows = []] = await reader.readAll(tenant, [totalOf(filters), pageOf(asked)]);
  return { rows, total: Number(oneValue(total)) };
}

async function readFromNearerEnd(tenant: TenantId, database: Database, asked: CompanyQuery): Promise<ListPage> {
  const { filters, sort, page } = asked;
  const total = await countCompanies(tenant, database, filters);
  if (page.offset >= total) return { rows: [], total };
  const perPage = Math.min(page.perPage, total - page.offset);
  const fromEnd = { page: 1, perPage, offset: total - page.offset - perPage };
  // Blocks make every page by ascending ids near.
  const isReversed = fromEnd.offset < page.offset || (sort === "-id" && hasBlocks(filters));
  const call = pageOf(isReversed ? { filters, sort: opposite[sort], page: fromEnd } : asked);
  const rows = await database.slow.read(tenant, call.statement, call.parameters);
  return { rows: isReversed ? rows.toReversed() : rows, total };
}

const opposite = { name: "-name", "-name": "name", id: "-id", "-id": "id" } as const;

/** The companies of a status are counted by blocks of ids; those of an owner are not. */
function hasBlocks({ assignedTo }: CompanyFilters): boolean {
  return assignedTo === null;
}

function pageOf({ filters, sort, page: { perPage, offset } }: CompanyQuery): Call {
  const narrowing = narrowingOf(filters);
  const parameters = [perPage, offset, ...narrowingValues(filters)];
  // Prepared each time: how many companies an owner or a status has decides which index is the quick one.
  if (sort !== "id") return { statement: { name: "", text: pageText(narrowing, sort) }, parameters };
  const deepPage = offset < DEEP_OFFSET ? undefined : deepPages[narrowing];
  return { statement: deepPage ?? pages[narrowing], parameters };
}

const pages: Readonly<Record<Narrowing, Statement>> = {
  "": statement("page_companies", pageText("", "id")),
  _of_status: statement("page_companies_of_status", pageText("_of_status", "id")),
  _of_owner: statement("page_companies_of_owner", pageText("_of_owner", "id")),
  _of_owner_and_status: statement("page_companies_of_owner_and_status", pageText("_of_owner_and_status", "id")),
};

/** The statements for deep pages: they begin in the block of ids that has their first row. */
const deepPages: Readonly<Partial<Record<Narrowing, Statement>>> = {
  "": statement("deep_page_companies", deepPageText("")),
  _of_status: statement("deep_page_companies_of_status", deepPageText("_of_status")),
};

/** $2 and $3: the limit and the offset. */
function pageText(narrowing: Narrowing, sort: CompanySort): string {
  const order = orderOf(sort, "companies");
  return rowsText(
    `select id from companies where ${narrowed(narrowing, 4)} order by ${order} limit $2 offset $3`,
    orderOf(sort, "c"),
  );
}

function deepPageText(narrowing: Narrowing): string {
  return `with ${countsText("blocks, statuses, counts")}, blocks as (
    select block, sum(n) as n from (
      select block, status, n from newest, unnest(blocks, statuses, counts) as summed (block, status, n)
      union all select block, status, n from changed
    ) counts ${narrowing === "" ? "" : "where status = $4"} group by block
  ), running as (
    select block, sum(n) over (order by block) - n as before from blocks
  ), start as materialized (
    select block, before from running where before <= $3 order by block desc limit 1
  ) ${rowsText(
    `select id from companies
    where ${narrowed(narrowing, 4)} and id >= (select block * 4096 from start)
    order by id limit $2 offset ($3 - (select before from start))`,
    "c.id",
  )}`;
}

/**
 * Ids first, rows after: the wide rows are visited for the page alone. As an array, so that neighbouring ids are looked
 * up in one descent of the index (measured: 230 microseconds of PostgreSQL's for a page of 50, instead of 310 by a
 * join).
 */
function rowsText(ids: string, order: string): string {
  return `select ${companyListColumns("c")} from companies c where c.tenant_id = $1 and c.id = any(array(${ids})) order by ${order}`;
}

/** The order as SQL, over the table or an alias of it. */
export function orderOf(sort: CompanySort, alias: string): string {
  const direction = sort.startsWith("-") ? "desc" : "asc";
  const byId = `${alias}.id ${direction}`;
  return sort.endsWith("name") ? `${alias}.search_text collate "C" ${direction}, ${byId}` : byId;
}

const searchStatement = statement(
  "search_companies",
  `select found.total, ${companyListColumns("c")}
  from search_companies($2, $3, $4, $5, $6, $7, $8) with ordinality found (id, total, place)
  left join companies c on c.tenant_id = $1 and c.id = found.id
  order by found.place`,
);

/** A search that finds nothing, and needs all that a search needs: our functions, the index and its extensions. */
export const searchNothing: Call = {
  statement: searchStatement,
  parameters: ["ready", null, null, false, false, 1, 0],
};

async function searchCompanies(
  tenant: TenantId,
  database: Database,
  { filters: { search, status, assignedTo }, sort, page: { perPage, offset } }: CompanyQuery,
): Promise<ListPage> {
  const [isByName, isDescending] = [sort.endsWith("name"), sort.startsWith("-")];
  const parameters = [search, status, assignedTo, isByName, isDescending, perPage, offset];
  return foundPage(await database.slow.read(tenant, searchStatement, parameters));
}

/** A page of rows that begin with the total. Beyond the last page there is one row, with the total alone. */
export function foundPage(found: Row[]): ListPage {
  const rows = found.map(([, ...row]) => row).filter(([id]) => id !== null);
  return { rows, total: Number(oneValue(found)) };
}

const deleted = `tenant_id = $1 and deleted_at is not null
  and ($2::text is null or search_text like (select search_pattern($2)))
  and ($3::text is null or status = $3) and ($4::bigint is null or assigned_to = $4)`;

const deletedList: List = {
  count: statement("total_deleted_companies", `select count(*) from companies where ${deleted}`),
  page: statement(
    "page_deleted_companies",
    rowsText(
      `select id from companies where ${deleted} order by deleted_at desc, id desc limit $5 offset $6`,
      "c.deleted_at desc, c.id desc",
    ),
  ),
};

/** One page of the deleted companies, the latest first. */
export async function readDeletedCompanies(
  tenant: TenantId,
  database: Database,
  { search, status, assignedTo }: CompanyFilters,
  page: PageQuery,
): Promise<ListPage> {
  return await readPage(database.slow, tenant, deletedList, [search, status, assignedTo], page);
}

/** Companies of a page with all of their texts. */
export const wholeCompanies = slowQuery<[ids: string[]]>(
  "whole_companies",
  `select ${companyWholeColumns("c")} from companies c where c.tenant_id = $1 and c.id = any($2::bigint[])`,
).rows();

function statement(name: string, text: string): Statement {
  return { name, text };
}
