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
  const [currency, assignedTo] = [query.get("currency") ?? null, query.get("assigned_to") ?? null];
  if (currency !== null && !isSearchable(currency)) return null;
  if (assignedTo !== null && !(/^(?:0|[1-9]\d{0,15})$/.test(assignedTo) && Number(assignedTo) <= INTEGER_MAX))
    return null;
  const isOverdueOnly = ["1", "true"].includes(query.get("overdue") ?? "");
  return { day: asOf ?? today, isAsOf: asOf !== null, assignedTo, currency, companyId: null, isOverdueOnly };
}
