import { chosenCompanies, type ExportedRows } from "../../companies/company-export-queries.ts";
import { chosenIds } from "../../companies/pages/bulk-page.ts";
import { parseListFilters } from "../../company-list/list-filters.ts";
import { narrowedCompanies } from "../../company-list/narrowed-export-queries.ts";
import { chosenInvoices } from "../../invoices/invoice-bulk-queries.ts";
import { dayAfter } from "../../platform/dates.ts";
import { isId } from "../../platform/ids.ts";
import type { Page, PageRequest } from "../../web/page.ts";
import { parseOrderFilters, parseOrderSort } from "../../wms/orders/order-filters.ts";
import { listOrderIds } from "../../wms/orders/order-list-queries.ts";
import { exportCsv } from "../export-csv.ts";
import { kindOf } from "../kinds.ts";

const CSV = "text/csv; charset=utf-8";
const FILE = { file: "companies.csv", contentType: CSV };

/** GET /export/{kind}.csv: all rows of a kind, as an import reads them. */
export function exportPage(kind: string): Page {
  return async (deps, { actor }) => ({
    file: `${kind}.csv`,
    contentType: CSV,
    body: exportCsv(deps, actor.tenant, kindOf(kind)),
  });
}

/** GET /companies/export: all companies of a list with its filters, or the one company `id`. */
export const exportCompaniesPage: Page = async (deps, request) => ({
  ...FILE,
  body: exportCsv(deps, request.actor.tenant, kindOf("companies"), rowsOf(request)),
});

/** POST /companies/export: the selected companies. */
export const exportChosenPage: Page = async (deps, { actor, form }) => ({
  ...FILE,
  body: exportCsv(deps, actor.tenant, kindOf("companies"), chosenCompanies(chosenIds(form))),
});

/** GET /orders/export: the newest MOST_ORDERS_LISTED invoices of a list with its filters; all without a filter. */
export const exportOrdersPage: Page = async (deps, { actor, query, session }) => {
  const filters = parseOrderFilters(query, session.workspace.timeZone);
  const isWhole = query.othersThan("page", "per_page", "sort") === "";
  const ids =
    filters === null || isWhole ? [] : await listOrderIds(actor.tenant, deps.database, filters, parseOrderSort(query));
  const rows = isWhole ? undefined : chosenInvoices(ids);
  return { file: "invoices.csv", contentType: CSV, body: exportCsv(deps, actor.tenant, kindOf("invoices"), rows) };
};

function rowsOf({ query, session }: PageRequest): ExportedRows {
  const id = query.get("id");
  if (id !== undefined) return chosenCompanies(isId(id) ? [id] : []);
  const filters = parseListFilters(query, dayAfter(0, session.workspace.timeZone));
  return filters === null ? chosenCompanies([]) : narrowedCompanies(filters);
}
