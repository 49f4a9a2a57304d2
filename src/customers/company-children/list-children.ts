import type { Deps } from "../../kit/deps.ts";
import { answerBehindCursor, idOf, ok, withMembers, type ApiRequest, type Endpoint } from "../../kit/endpoint.ts";
import { errors } from "../../kit/errors.ts";
import { lookUp } from "../../kit/external-ids/look-up.ts";
import { LIST_ROW_BYTES, writeRows } from "../../platform/fields/long-texts.ts";
import { pageBody, parsePage } from "../../platform/http/lists/pagination.ts";
import { sinceOf, updatedSince } from "../../platform/http/lists/since.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import { requireCompany } from "../companies/require-company.ts";
import type { ChildJson } from "./child-json.ts";
import type { childQueries } from "./child-queries.ts";
import type { Child } from "./child.ts";

/** The children of a list as JSON, with the members that the request asks for. */
export function itemsOfList(
  json: ChildJson,
  { whole }: Pick<ReturnType<typeof childQueries>, "whole">,
  { database, keyring }: Deps,
  { actor: { tenant }, query }: ApiRequest,
): (rows: Row[]) => ReturnType<typeof writeRows> {
  const included = json.included(query);
  return (rows) =>
    writeRows({
      rows,
      write: (row) => withMembers(json.one(row, { keyring, tenant }), included(row)),
      whole: async (ids) => await whole(tenant, database, ids),
    });
}

/** GET /api/v1/companies/{company}/contacts and others (docs/contract.md 7.1 and 8.1). */
export function listChildren(child: Child, json: ChildJson, queries: ReturnType<typeof childQueries>): Endpoint {
  const beginning = child.position.map((part) => part.beginning);
  return async (deps, request) => {
    const { database } = deps;
    const { query } = request;
    const { tenant } = request.actor;
    const companyId = idOf("Company", request, "company");
    const page = parsePage(query);
    await request.reserve(page.perPage * LIST_ROW_BYTES);
    const since = updatedSince(query);
    const filters = { search: query.get("search") ?? null, since: since ?? null };
    const itemsOf = itemsOfList(json, queries, deps, request);
    const isThere = async () => await requireCompany(tenant, database, companyId);
    const found = await lookUp(tenant, database, child.lookUps, query, isThere);
    const among = since === null ? [] : found?.ids;
    const behind = await answerBehindCursor(deps, request, {
      // Cursors of requests without the parameter stay valid.
      cursorsOf: [child.table, companyId, filters.search, ...sinceOf(query), ...(found?.asked ?? [])],
      beginning,
      require: isThere,
      read: async (position, perPage) =>
        await queries.walk(tenant, database, companyId, filters, position, perPage, among),
      itemsOf,
    });
    if (behind !== null) return behind;
    const listed = await queries.list(tenant, database, companyId, filters, page, among);
    if (listed === null) throw errors.resourceMissing("Company", companyId);
    const { rows, total } = listed;
    return ok(pageBody({ items: itemsOf(rows), count: rows.length, total, page, path: request.url(), query }));
  };
}
