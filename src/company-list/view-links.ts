import type { ViewLink } from "../web/frame/layout.ts";
import type { PageRequest } from "../web/page.ts";
import { filtersText } from "./list-filters.ts";
import type { View } from "./view-queries.ts";

/** The views of a user as the navigation shows them on a page. */
export function viewLinks(
  views: readonly View[],
  { user, query, address }: Pick<PageRequest, "query" | "address"> & { user: PageRequest["session"]["user"] },
): ViewLink[] {
  const isList = /^\/companies(?:\?|$)/.test(address) && query.get("deleted") === undefined;
  const here = isList ? filtersText(query) : null;
  return views.map(({ id, userId, isForAll, name, filters }) => ({
    name,
    href: `/companies?${filters}`,
    edit: userId === user.id || (isForAll && user.role === "admin") ? `/companies/views/${id}` : null,
    isHere: filters === here,
  }));
}
