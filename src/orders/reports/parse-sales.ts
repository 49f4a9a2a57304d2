import type { Query } from "../../platform/http/lists/pagination.ts";
import { isSet, reportFilters } from "./report-filters.ts";
import { parsePeriod } from "./sales-period.ts";
import { dimensions, type Sales, type SalesQuery } from "./sales-queries.ts";

export const NO_SALES: Sales = {
  totals: [],
  columns: [],
  rows: [],
  total: 0,
  hasTooManyLines: false,
  leftOut: { drafts: 0, cancelled: 0, undated: 0 },
};

// A file of its own: the API, the page and its file parse alike.
/** The sales of a query; null if its days are none, or a filter can match nothing. */
export function parseSales(query: Query, today: string): SalesQuery | null {
  const [period, filters] = [parsePeriod(query, today), reportFilters(query)];
  if (period === null || filters === null) return null;
  const by = dimensions.find((each) => each === query.get("by")) ?? "company";
  return { period, by, ...filters, isStoppedOnly: isSet(query, "stopped") };
}
