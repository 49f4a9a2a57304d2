import { dayAfter, parseDate } from "../../platform/dates.ts";
import { INTEGER_MAX } from "../../platform/fields/fields.ts";
import { isSearchable, type Query } from "../../platform/http/lists/pagination.ts";
import type { ReceivablesQuery } from "./receivables-queries.ts";

/**
 * The ageing of a query; null if a filter can match nothing. A day that is none counts as none.
 */
export function parseReceivables(query: Query, timeZone: string): ReceivablesQuery | null {
  const today = dayAfter(0, timeZone);
  const asOf = parseDate(query.get("as_of") ?? "");
  const filters = reportFilters(query);
  const isOverdueOnly = isSet(query, "overdue");
  return filters && { day: asOf ?? today, isAsOf: asOf !== null, ...filters, companyId: null, isOverdueOnly };
}

/** The filters of every report; null if one can match nothing. */
export function reportFilters(query: Query): Pick<ReceivablesQuery, "assignedTo" | "currency"> | null {
  const [currency, assignedTo] = [query.get("currency") ?? null, query.get("assigned_to") ?? null];
  if (currency !== null && !isSearchable(currency)) return null;
  if (assignedTo !== null && !(/^(?:0|[1-9]\d{0,15})$/.test(assignedTo) && Number(assignedTo) <= INTEGER_MAX))
    return null;
  return { assignedTo, currency };
}

export function isSet(query: Query, name: string): boolean {
  return ["1", "true"].includes(query.get(name) ?? "");
}
