import type { ViewLink } from "../web/frame/layout.ts";
import type { PageRequest } from "../web/page.ts";
import { filtersText, type AnyList } from "./list.ts";
import type { View } from "./view-queries.ts";

/** The views of a user as the navigation shows them on a page. */
export function viewLinks(
  lists: readonly AnyList[],
  views: readonly View[],
  { user, query, address }: Pick<PageRequest, "query" | "address"> & { user: PageRequest["session"]["user"] },
): ViewLink[] {
  const path = address.replace(/\?.*/, "");
  const current = query.get("deleted") === undefined ? lists.find(({ name }) => path === `/${name}`) : undefined;
  const here = current === undefined ? null : filtersText(current, query);
  return views.map(({ id, userId, list, isForAll, name, filters }) => ({
    name,
    href: `/${list}?${filters}`,
    edit: userId === user.id || (isForAll && user.role === "admin") ? `/${list}/views/${id}` : null,
    isHere: list === current?.name && filters === here,
  }));
}
