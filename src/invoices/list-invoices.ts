import { companyExists } from "../companies/company-queries.ts";
import { idOf, ok, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { pageBody, parsePage } from "../platform/http/pagination.ts";
import { parseInvoiceFilters } from "./invoice-filters.ts";
import { listedInvoiceJson } from "./invoice-json.ts";
import { listInvoices } from "./invoice-list-queries.ts";

/** The most memory that an invoice of a list takes. */
const INVOICE_BYTES = 8 * 1024;

/** GET /api/v1/companies/{company}/invoices: filters, and a page with the exact total (docs/contract.md 5 and 14.1). */
export const listInvoicesEndpoint: Endpoint = async ({ database, keyring }, request) => {
  const { tenant } = request.actor;
  const companyId = idOf("Company", request, "company");
  const page = parsePage(request.query);
  await request.reserve(page.perPage * INVOICE_BYTES);
  const filters = parseInvoiceFilters(request.query);
  const found =
    filters === null
      ? (await companyExists(tenant, database, companyId)) && { rows: [], total: 0 }
      : await listInvoices(tenant, database, companyId, filters, page);
  if (!found) throw errors.resourceMissing("Company", companyId);
  const { rows, total } = found;
  const items = rows.map((row) => listedInvoiceJson(row, { keyring, tenant }));
  return ok(pageBody({ items, count: rows.length, total, page, path: request.url(), query: request.query }));
};
