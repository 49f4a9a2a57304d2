import { LAST_ID, lookedFor, walked, walkText, type Position, type Walked } from "../../platform/http/lists/walk.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { oneValue, type Parameter, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { companyListColumns } from "./company-columns.ts";
import type { CompanyFilters, CompanySort } from "./company-filters.ts";
import { orderOf } from "./company-list-queries.ts";
import { live } from "./live-company-queries.ts";

/** The most index entries that a filtered page scans. The index has every column that filters compare. */
const LOOKED_AT = 10_000;
/** If a filter matches at most this many companies, they are looked up instead: a hundred pages of the largest size. */
export const FEW = 5_000;

/** A text behind every name, which has at most 255 characters. */
const LAST_NAME = "\u{10ffff}".repeat(256);

/** The position before all companies of an order. */
export const beginnings: Readonly<Record<CompanySort, Position>> = {
  id: ["0"],
  "-id": [LAST_ID],
  name: ["", "0"],
  "-name": [LAST_NAME, LAST_ID],
};

/** All columns that filters and orders compare: the index of each order has them. */
const compared = "id, search_text, status, assigned_to";
const all = (columns: string) => `(select ${columns} from companies where ${live})`;
/** A look-up for each id, in any order. */
const among = (columns: string, ids: string) => `(select k.* from unnest(${ids}::bigint[]) few (id) cross join lateral (
  select ${columns} from companies where ${live} and id = few.id limit 1
) k)`;

/** @param isSince whether rows are filtered by `updated_at`, which no index has */
function statementOf(sort: CompanySort, isAmongFew: boolean, isSince: boolean): Statement {
  const isByName = sort.endsWith("name");
  const position = isByName ? ["k.search_text", "k.id"] : ["k.id"];
  const behind = sort.startsWith("-") ? "<" : ">";
  const condition = isByName ? `(k.search_text collate "C", k.id) ${behind} ($4, $5)` : `k.id ${behind} $4`;
  const parts = isSince ? ["since", "search", "status", "owner", "ids"] : ["search", "status", "owner", "ids"];
  const parameter = (part: string) => `$${parts.indexOf(part) + 4 + position.length}`;
  const columns = isSince ? `${compared}, updated_at` : compared;
  const filters = matchesFilters(parameter("search"), parameter("status"), parameter("owner"));
  const name = `walk_${isAmongFew ? "few_" : ""}${isSince ? "updated_" : ""}companies_by_${sort.replace(/^-(.*)/, "$1_down")}`;
  const text = walkText({
    table: "companies",
    columns: companyListColumns("k"),
    order: orderOf(sort, "k"),
    position,
    seen: `select * from ${isAmongFew ? among(columns, parameter("ids")) : all(columns)} k where ${condition} order by ${orderOf(sort, "k")} limit $2`,
    matches: isSince ? `k.updated_at >= ${parameter("since")} and ${filters}` : filters,
  });
  return { name, text };
}

/**
 * The filters of a list, over the alias `k`. The pattern as a sub-select is computed once, and not for each row.
 * @param search a parameter, as the others; a null one does not filter
 */
export function matchesFilters(search: string, status: string, owner: string): string {
  return `(${search}::text is null or k.search_text like (select search_pattern(${search})))
      and (${status}::text is null or k.status = ${status}) and (${owner}::bigint is null or k.assigned_to = ${owner})`;
}

const ofSorts = (isAmongFew: boolean, isSince: boolean): Readonly<Record<CompanySort, Statement>> => ({
  id: statementOf("id", isAmongFew, isSince),
  "-id": statementOf("-id", isAmongFew, isSince),
  name: statementOf("name", isAmongFew, isSince),
  "-name": statementOf("-name", isAmongFew, isSince),
});
const walks = ofSorts(false, false);
const walksAmongFew = ofSorts(true, false);
const updatedWalks = ofSorts(false, true);
const updatedWalksAmongFew = ofSorts(true, true);

/** Limits of a list beside its filters: the ids that it may have, and the time from which companies were updated. */
export type Narrow = { among?: string[] | undefined; since?: string | undefined };

const fewStatement: Statement = {
  name: "matching_company_ids",
  text: "select matching_company_ids($2, $3, $4, $5) where $1 > 0",
};

/**
 * The companies after a position. If the filters' matches are far apart, the page is made of all matches, if an index
 * finds them and they are few. Otherwise the page has the matches among the rows that were read.
 */
export async function walkCompanies(
  tenant: TenantId,
  database: Database,
  { search, status, assignedTo }: CompanyFilters,
  sort: CompanySort,
  position: Position,
  perPage: number,
  { among, since }: Narrow = {},
): Promise<Walked> {
  const filters = [search, status, assignedTo];
  const isFiltered = since !== undefined || filters.some((filter) => filter !== null);
  const found = lookedFor(perPage);
  const read = async (statement: Statement, ...parameters: Parameter[]) => {
    const rows = await (isFiltered ? database.slow : database.quick).read(tenant, statement, parameters);
    return walked(rows, perPage);
  };
  if (since !== undefined) {
    const behind = [found, ...position, since, ...filters];
    return among === undefined
      ? await read(updatedWalks[sort], LOOKED_AT, ...behind)
      : await read(updatedWalksAmongFew[sort], FEW, ...behind, among);
  }
  if (among !== undefined) return await read(walksAmongFew[sort], FEW, found, ...position, ...filters, among);
  const seen = await read(walks[sort], isFiltered ? LOOKED_AT : found, found, ...position, ...filters);
  if (!isFiltered || seen.next === null || seen.rows.length === perPage) return seen;
  const ids = oneValue(await database.slow.read(tenant, fewStatement, [...filters, FEW]));
  return ids === null ? seen : await read(walksAmongFew[sort], FEW, found, ...position, ...filters, ids);
}
