import { chosenInvoices } from "../../invoices/invoice-bulk-queries.ts";
import type { Page } from "../../web/page.ts";
import { parseOrderFilters, parseOrderSort } from "../../wms/orders/order-filters.ts";
import { listOrderIds } from "../../wms/orders/order-list-queries.ts";
import { exportCsv } from "../export-csv.ts";
import { kindOf } from "../kinds.ts";

const CSV = "text/csv; charset=utf-8";

/** GET /export/{kind}.csv: all rows of a kind, as an import reads them. */
export function exportPage(kind: string): Page {
  return async (deps, { actor }) => ({
    file: `${kind}.csv`,
    contentType: CSV,
    body: exportCsv(deps, actor.tenant, kindOf(kind)),
  });
}

/** GET /orders/export: the newest MOST_ORDERS_LISTED invoices of a list with its filters; all without a filter. */
export const exportOrdersPage: Page = async (deps, { actor, query, session }) => {
  const filters = parseOrderFilters(query, session.workspace.timeZone);
  const isWhole = query.othersThan("page", "per_page", "sort") === "";
  const ids =
    filters === null || isWhole ? [] : await listOrderIds(actor.tenant, deps.database, filters, parseOrderSort(query));
  const rows = isWhole ? undefined : chosenInvoices(ids);
  return { file: "invoices.csv", contentType: CSV, body: exportCsv(deps, actor.tenant, kindOf("invoices"), rows) };
};
