import { isSearchable, type Query } from "../../platform/http/lists/pagination.ts";
import { updatedSince } from "../../platform/http/lists/since.ts";
import type { InvoiceFilters } from "./invoice-list-queries.ts";
import { invoice, wmsStates } from "./invoice.ts";

/** The statuses that an invoice can have. */
export const invoiceStatuses: readonly string[] = invoice.fields.find(({ name }) => name === "status")?.values ?? [];

/** The filters in a list's query; null if a value can match nothing. */
export function parseInvoiceFilters(query: Query): InvoiceFilters | null {
  const search = query.get("search") ?? null;
  const status = query.get("status") ?? null;
  const wmsState = query.get("wms_state");
  if (search !== null && !isSearchable(search)) return null;
  if (status !== null && !invoiceStatuses.includes(status)) return null;
  if (wmsState !== undefined && !wmsStates.some((state) => state === wmsState)) return null;
  const since = updatedSince(query);
  return since === null ? null : { search, status, wmsState, since };
}
