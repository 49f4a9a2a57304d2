import { idOf, ok, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { LIST_ROW_BYTES, writeRows } from "../platform/fields/long-texts.ts";
import { pageBody, parsePage } from "../platform/http/pagination.ts";
import { childJson } from "./child-json.ts";
import { childQueries } from "./child-queries.ts";
import type { Child } from "./child.ts";
import { findChildren } from "./find-children.ts";

/** GET /api/v1/companies/{company}/contacts and the like (docs/contract.md 7.1 and 8.1). */
export function listChildren(child: Child): Endpoint {
  const json = childJson(child);
  const queries = childQueries(child);
  const find = findChildren(child);
  return async ({ database, keyring }, request) => {
    const { tenant } = request.actor;
    const companyId = idOf("Company", request, "company");
    const page = parsePage(request.query);
    await request.reserve(page.perPage * LIST_ROW_BYTES);
    const search = request.query.get("search") ?? null;
    const found = await find(tenant, database, companyId, search, page);
    if (found === null) throw errors.resourceMissing("Company", companyId);
    const { rows, total } = found;
    const items = writeRows({
      rows,
      write: (row) => json.one(row, { keyring, tenant }),
      whole: async (ids) => await queries.whole(tenant, database, ids),
    });
    return ok(pageBody({ items, count: rows.length, total, page, path: request.url(), query: request.query }));
  };
}
