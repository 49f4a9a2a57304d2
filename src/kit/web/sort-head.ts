import type { Query } from "../../platform/http/lists/pagination.ts";
import { html, type Html } from "./html.ts";

/** The head of a column that sorts its list. `sorts`: the orders that successive clicks choose, from the first one. */
export function sortHead(
  label: string,
  sorts: readonly [string, ...string[]],
  current: string,
  query: Pick<Query, "othersThan">,
  kind: "number" | null = null,
): Html {
  const at = sorts.indexOf(current);
  const next = sorts[(at + 1) % sorts.length] ?? sorts[0];
  const others = query.othersThan("page", "sort");
  const direction = current.startsWith("-") ? "descending" : "ascending";
  return html`<th scope="col"${kind !== null && html` class="${kind}"`}${at >= 0 && html` aria-sort="${direction}"`}><a class="sort" href="?${others === "" ? "" : `${others}&`}sort=${next}">${label}</a></th>`;
}
