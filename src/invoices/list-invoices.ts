import { requireCompany } from "../companies/require-company.ts";
import { answerBehindCursor, idOf, ok, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { pageBody, parsePage } from "../platform/http/lists/pagination.ts";
import { NOTHING_BEHIND } from "../platform/http/lists/walk.ts";
import type { Row } from "../platform/postgres/statement.ts";
import { parseInvoiceFilters } from "./invoice-filters.ts";
import { listedInvoiceJson } from "./invoice-json.ts";
import { listInvoices } from "./invoice-list-queries.ts";
import { beforeAllInvoices, walkInvoices } from "./invoice-walk-queries.ts";

const NONE = { rows: [], total: 0 };

/** Maximum memory of an invoice in a list. */
const INVOICE_BYTES = 8 * 1024;

/**
 * GET /api/v1/companies/{company}/invoices: filters, and a page with the exact total or behind a cursor
 * (docs/contract.md 5 and 14.1).
 */
export const listInvoicesEndpoint: Endpoint = async (deps, request) => {
  const { database, keyring } = deps;
  const { query } = request;
  const { tenant } = request.actor;
  const companyId = idOf("Company", request, "company");
  const page = parsePage(query);
  await request.reserve(page.perPage * INVOICE_BYTES);
  const filters = parseInvoiceFilters(query);
  const itemsOf = (rows: Row[]) => rows.map((row) => listedInvoiceJson(row, { keyring, tenant }));
  const isThere = async () => await requireCompany(tenant, database, companyId);
  const behind = await answerBehindCursor(deps, request, {
    cursorsOf: ["invoices", companyId, filters],
    beginning: beforeAllInvoices,
    require: isThere,
    read: async (place, perPage) =>
      filters === null ? NOTHING_BEHIND : await walkInvoices(tenant, database, companyId, filters, place, perPage),
    itemsOf,
  });
  if (behind !== null) return behind;
  if (filters === null) await isThere();
  const found = filters === null ? NONE : await listInvoices(tenant, database, companyId, filters, page);
  if (found === null) throw errors.resourceMissing("Company", companyId);
  const { rows, total } = found;
  return ok(pageBody({ items: itemsOf(rows), count: rows.length, total, page, path: request.url(), query }));
};
