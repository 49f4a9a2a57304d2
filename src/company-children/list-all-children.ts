import { answerBehindCursor, ok, type Endpoint } from "../endpoint.ts";
import { lookUp } from "../external-ids/look-up.ts";
import { LIST_ROW_BYTES } from "../platform/fields/long-texts.ts";
import { pageBody, parsePage } from "../platform/http/lists/pagination.ts";
import { sinceOf, updatedSince } from "../platform/http/lists/since.ts";
import { allChildrenQueries } from "./all-children-queries.ts";
import type { ChildJson } from "./child-json.ts";
import type { childQueries } from "./child-queries.ts";
import type { Child } from "./child.ts";
import { itemsOfList } from "./list-children.ts";

/** GET /api/v1/contacts and /api/v1/addresses: those of all companies (docs/contract.md 7.1 and 8.1). */
export function listAllChildren(child: Child, json: ChildJson, ofCompany: ReturnType<typeof childQueries>): Endpoint {
  const queries = allChildrenQueries(child);
  return async (deps, request) => {
    const { database } = deps;
    const { query } = request;
    const { tenant } = request.actor;
    const page = parsePage(query);
    await request.reserve(page.perPage * LIST_ROW_BYTES);
    const itemsOf = itemsOfList(json, ofCompany, deps, request);
    const since = updatedSince(query);
    const found = await lookUp(tenant, database, child.lookUps, query);
    const among = async () => {
      if (since === null) return [];
      return found === null && since !== undefined ? await queries.changed(tenant, database, since) : found?.ids;
    };
    const asked = { search: query.get("search") ?? null, since: since ?? null, among: await among() };
    const behind = await answerBehindCursor(deps, request, {
      cursorsOf: ["all", child.table, asked.search, ...sinceOf(query), ...(found?.asked ?? [])],
      beginning: ["0"],
      read: async (place, perPage) => await queries.walk(tenant, database, asked, place, perPage),
      itemsOf,
    });
    if (behind !== null) return behind;
    const { rows, total } = await queries.list(tenant, database, asked, page);
    return ok(pageBody({ items: itemsOf(rows), count: rows.length, total, page, path: request.url(), query }));
  };
}
