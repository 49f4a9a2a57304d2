import { LAST_ID, lookedFor, walked, walkText, type Place, type Walked } from "../platform/http/lists/walk.ts";
import type { Database } from "../platform/postgres/database.ts";
import { oneValue, type Parameter, type Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { companyListColumns } from "./company-columns.ts";
import type { CompanyFilters, CompanySort } from "./company-filters.ts";
import { orderOf } from "./company-list-queries.ts";
import { live } from "./live-company-queries.ts";

/** Companies that a page looks at, where there is a filter: entries of an index that has all that filters compare. */
const LOOKED_AT = 10_000;
/** Where a filter leaves no more than so many in all, they are looked up instead: a hundred pages of the most that a page has. */
const FEW = 5_000;

/** Behind every name: of at most 255 characters, it is followed by a lesser one. */
const LAST_NAME = "\u{10ffff}".repeat(256);

/** The place before all companies of an order. */
export const beginnings: Readonly<Record<CompanySort, Place>> = {
  id: ["0"],
  "-id": [LAST_ID],
  name: ["", "0"],
  "-name": [LAST_NAME, LAST_ID],
};

/** Filters and orders compare no more: the index of each order has it all. */
const compared = "id, search_text, status, assigned_to";
const all = `(select ${compared} from companies where ${live})`;
/** A look-up for each, whatever the order. */
const among = (ids: string) => `(select k.* from unnest(${ids}::bigint[]) few (id) cross join lateral (
  select ${compared} from companies where ${live} and id = few.id limit 1
) k)`;

function statementOf(sort: CompanySort, isAmongFew: boolean): Statement {
  const isByName = sort.endsWith("name");
  const place = isByName ? ["k.search_text", "k.id"] : ["k.id"];
  const behind = sort.startsWith("-") ? "<" : ">";
  const condition = isByName ? `(k.search_text collate "C", k.id) ${behind} ($4, $5)` : `k.id ${behind} $4`;
  const [search, status, owner, ids] = [4, 5, 6, 7].map((number) => `$${number + place.length}`);
  const name = `walk_${isAmongFew ? "few_" : ""}companies_by_${sort.replace(/^-(.*)/, "$1_down")}`;
  const text = walkText({
    table: "companies",
    columns: companyListColumns("k"),
    order: orderOf(sort, "k"),
    place,
    seen: `select * from ${isAmongFew ? among(String(ids)) : all} k where ${condition} order by ${orderOf(sort, "k")} limit $2`,
    matches: matchesFilters(String(search), String(status), String(owner)),
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

const ofSorts = (isAmongFew: boolean): Readonly<Record<CompanySort, Statement>> => ({
  id: statementOf("id", isAmongFew),
  "-id": statementOf("-id", isAmongFew),
  name: statementOf("name", isAmongFew),
  "-name": statementOf("-name", isAmongFew),
});
const walks = ofSorts(false);
const walksAmongFew = ofSorts(true);

const fewStatement: Statement = { name: "few_companies", text: "select few_companies($2, $3, $4, $5) where $1 > 0" };

/**
 * The companies behind a place. Where those that a filter leaves are far apart, all of them are looked up, if they are few; if they are not,
 * or no index finds them, the page has those that were seen.
 * @param among the ids that the list is limited to; null: it is not
 */
export async function walkCompanies(
  tenant: TenantId,
  database: Database,
  { search, status, assignedTo }: CompanyFilters,
  sort: CompanySort,
  place: Place,
  perPage: number,
  among: string[] | null = null,
): Promise<Walked> {
  const filters = [search, status, assignedTo];
  const isFiltered = filters.some((filter) => filter !== null);
  const found = lookedFor(perPage);
  const read = async (statement: Statement, ...parameters: Parameter[]) => {
    const rows = await (isFiltered ? database.slow : database.quick).read(tenant, statement, parameters);
    return walked(rows, perPage);
  };
  if (among !== null) return await read(walksAmongFew[sort], FEW, found, ...place, ...filters, among);
  const seen = await read(walks[sort], isFiltered ? LOOKED_AT : found, found, ...place, ...filters);
  if (!isFiltered || seen.next === null || seen.rows.length === perPage) return seen;
  const ids = oneValue(await database.slow.read(tenant, fewStatement, [...filters, FEW]));
  return ids === null ? seen : await read(walksAmongFew[sort], FEW, found, ...place, ...filters, ids);
}
