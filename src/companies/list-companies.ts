import { answerBehindCursor, ok, type Endpoint } from "../endpoint.ts";
import { LIST_ROW_BYTES, writeRows } from "../platform/fields/long-texts.ts";
import { pageBody, parsePage } from "../platform/http/lists/pagination.ts";
import { NOTHING_BEHIND } from "../platform/http/lists/walk.ts";
import type { Row } from "../platform/postgres/statement.ts";
import { parseFilters, parseSort } from "./company-filters.ts";
import { companyJson } from "./company-json.ts";
import { readCompanies, wholeCompanies } from "./company-list-queries.ts";
import { beginnings, walkCompanies } from "./company-walk-queries.ts";

/**
 * GET /api/v1/companies: filters, an order, and a page with the exact total, or one behind a cursor (docs/contract.md 5 and
 * 6.1).
 */
export const listCompaniesEndpoint: Endpoint = async (deps, request) => {
  const { database, keyring } = deps;
  const { query } = request;
  const { tenant } = request.actor;
  const page = parsePage(query);
  const filters = parseFilters(query);
  const sort = parseSort(query);
  await request.reserve(page.perPage * LIST_ROW_BYTES);
  const itemsOf = (rows: Row[]) =>
    writeRows({
      rows,
      write: (row) => companyJson(row, { keyring, tenant }),
      whole: async (ids) => await wholeCompanies(tenant, database, ids),
    });
  const behind = await answerBehindCursor(deps, request, {
    cursorsOf: ["companies", filters, sort],
    beginning: beginnings[sort],
    read: async (place, perPage) =>
      filters === null ? NOTHING_BEHIND : await walkCompanies(tenant, database, filters, sort, place, perPage),
    itemsOf,
  });
  if (behind !== null) return behind;
  const { rows, total } =
    filters === null ? { rows: [], total: 0 } : await readCompanies(tenant, database, { filters, sort, page });
  return ok(pageBody({ items: itemsOf(rows), count: rows.length, total, page, path: request.url(), query }));
};
