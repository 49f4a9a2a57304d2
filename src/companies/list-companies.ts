import { ok, type Endpoint } from "../endpoint.ts";
import { INTEGER_MAX } from "../platform/fields/fields.ts";
import { LIST_ROW_BYTES, writeRows } from "../platform/fields/long-texts.ts";
import { isSearchable, pageBody, parsePage, type Query } from "../platform/http/pagination.ts";
import { companyFields } from "./company.ts";
import { companyJson } from "./company-json.ts";
import { listCompanies, wholeCompanies, type CompanyFilters } from "./company-list-queries.ts";

/** GET /api/v1/companies: filters, and a page with the exact total (docs/contract.md 5 and 6.1). */
export const listCompaniesEndpoint: Endpoint = async ({ database, keyring }, { actor, query, url, reserve }) => {
  const { tenant } = actor;
  const page = parsePage(query);
  const filters = parseFilters(query);
  await reserve(page.perPage * LIST_ROW_BYTES);
  const { rows, total } =
    filters === null ? { rows: [], total: 0 } : await listCompanies(tenant, database, filters, page);
  const items = writeRows({
    rows,
    write: (row) => companyJson(row, { keyring, tenant }),
    whole: async (ids) => await wholeCompanies(tenant, database, ids),
  });
  return ok(pageBody({ items, count: rows.length, total, page, path: url(), query }));
};

const STATUSES: readonly string[] = companyFields.find(({ name }) => name === "status")?.values ?? [];

/** Null where a filter's value can match nothing: an unknown status, a user id that is no integer. */
function parseFilters(query: Query): CompanyFilters | null {
  const search = query.get("search") ?? null;
  const status = query.get("status") ?? null;
  const assignedTo = query.get("assigned_to") ?? null;
  if (search !== null && !isSearchable(search)) return null;
  if (status !== null && !STATUSES.includes(status)) return null;
  if (assignedTo !== null && !isUserId(assignedTo)) return null;
  return { search, status, assignedTo };
}

function isUserId(text: string): boolean {
  return /^\+?[1-9]\d{0,15}$/.test(text) && Number(text) <= INTEGER_MAX;
}
