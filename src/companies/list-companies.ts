import { ok, type Endpoint } from "../endpoint.ts";
import { LIST_ROW_BYTES, writeRows } from "../platform/fields/long-texts.ts";
import { pageBody, parsePage } from "../platform/http/pagination.ts";
import { parseFilters, parseSort } from "./company-filters.ts";
import { companyJson } from "./company-json.ts";
import { wholeCompanies } from "./company-list-queries.ts";
import { listSortedCompanies } from "./company-sorted-queries.ts";

/** GET /api/v1/companies: filters, an order, and a page with the exact total (docs/contract.md 5 and 6.1). */
export const listCompaniesEndpoint: Endpoint = async ({ database, keyring }, { actor, query, url, reserve }) => {
  const { tenant } = actor;
  const page = parsePage(query);
  const filters = parseFilters(query);
  await reserve(page.perPage * LIST_ROW_BYTES);
  const { rows, total } =
    filters === null
      ? { rows: [], total: 0 }
      : await listSortedCompanies(tenant, database, filters, parseSort(query, "id"), page);
  const items = writeRows({
    rows,
    write: (row) => companyJson(row, { keyring, tenant }),
    whole: async (ids) => await wholeCompanies(tenant, database, ids),
  });
  return ok(pageBody({ items, count: rows.length, total, page, path: url(), query }));
};
