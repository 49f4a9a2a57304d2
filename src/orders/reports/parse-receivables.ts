import { dayIn } from "../../kit/web/forms/typed.ts";
import { dayAfter, parseDate } from "../../platform/dates.ts";
import type { Query } from "../../platform/http/lists/pagination.ts";
import type { ReceivablesQuery } from "./receivables-queries.ts";
import { isSet, reportFilters } from "./report-filters.ts";

/** The ageing of a query; null if its day is none, or a filter can match nothing. */
export function parseReceivables(query: Query, timeZone: string): ReceivablesQuery | null {
  const today = dayAfter(0, timeZone);
  const typed = query.get("as_of") ?? "";
  const asOf = parseDate(dayIn(typed));
  if (asOf === null && typed !== "") return null;
  const filters = reportFilters(query);
  const isOverdueOnly = isSet(query, "overdue");
  return filters && { day: asOf ?? today, isAsOf: asOf !== null, ...filters, companyId: null, isOverdueOnly };
}
