import { askedValues } from "../../customers/custom-fields/custom-lists.ts";
import type { Deps } from "../../kit/deps.ts";
import type { Selection } from "../../kit/tables/selection.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import { dayAfter } from "../../platform/dates.ts";
import { parseListFilters, type ListFilters } from "./list-filters.ts";
import { matchingIds } from "./narrowed-export-queries.ts";

/** The ids of the selected companies, `most` at most. */
export async function selectedCompanies(
  deps: Deps,
  request: PageRequest,
  selection: Selection,
  most: number,
): Promise<string[]> {
  if ("ids" in selection) return selection.ids;
  const filters = await filtersIn(deps, request, selection.query);
  const ids: string[] = [];
  if (filters === null) return ids;
  for await (const some of matchingIds(request.actor.tenant, deps.database, filters)) {
    ids.push(...some);
    if (ids.length >= most) break;
  }
  return ids.slice(0, most);
}

/** The filters in a query, those by the workspace's own fields too; null if one of them can match nothing. */
export async function filtersIn(
  deps: Deps,
  request: PageRequest,
  query: PageRequest["query"],
): Promise<ListFilters | null> {
  const filters = parseListFilters(query, dayAfter(0, request.session.workspace.timeZone));
  const custom = await askedValues(deps, request, "company", query);
  return filters === null || custom === undefined ? null : { ...filters, custom };
}
