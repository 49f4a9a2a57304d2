import { companyFilters, companyOrders, sorts, type CompanySort } from "../../customers/companies/company-filters.ts";
import { isOwnedBy, NO_OWNER } from "../../customers/companies/live-company-queries.ts";
import { isInNeed, isUnderWay } from "../../orders/invoices/shown-queries.ts";
import { asSearched, type Query } from "../../platform/http/lists/pagination.ts";
import { parseFilters, type ReadFilter, type ReadFilters, type FilterValues } from "../../platform/reads/filters.ts";

/** The orders of the list for people, the first where none is asked for. */
export const listSorts = [
  ...sorts,
  "city",
  "-city",
  "assigned_to",
  "-assigned_to",
  "callback_date",
  "-callback_date",
  "-last_contacted_at",
  "last_contacted_at",
  "-updated_at",
  "updated_at",
  "-turnover",
  "turnover",
] as const;
export type ListSort = (typeof listSorts)[number];

/** `due`: to be called by today; `set`: to be called at all. */
export const callBacks = ["due", "set"] as const;

/** The orders that a company's invoices have; `none`: no invoice has one. */
export const orderFilters = ["under_way", "attention", "none"] as const;

const hasInvoice = (condition: string) =>
  `exists (select from invoices i where i.tenant_id = $1 and i.company_id = k.id and ${condition})`;
const hasNoOrder = `(
      select i.id from invoices i where i.tenant_id = $1 and i.company_id = k.id and i.wms_order_id is not null
      order by i.company_id, i.wms_synced_at desc nulls last, i.id limit 1
    ) is null`;
const oneOf = (words: readonly string[]) => (text: string) => words.find((word) => word === text) ?? null;

/** The filters of the list for people: those of the API, and more. */
export const listFilters = {
  ...companyFilters,
  /** The beginning of the city, without case and accents. */
  city: {
    sql: "starts_with(fold(k.city), (select nullif(fold(:city), '')))",
    type: "text",
    parse: asSearched,
  },
  /** Set by `assigned_to` with NO_OWNER. */
  unowned: { sql: `:unowned and ${isOwnedBy("k", NO_OWNER)}`, type: "boolean", parse: () => null },
  /** The last day on which the company is to be called, or `infinity`. */
  callback: { sql: "k.callback_date <= :callback", type: "date", parse: oneOf(callBacks) },
  orders: {
    sql: `case :orders when 'attention' then ${hasInvoice(isInNeed)} when 'under_way' then ${hasInvoice(isUnderWay)} else ${hasNoOrder} end`,
    type: "text",
    parse: oneOf(orderFilters),
  },
} satisfies Record<string, ReadFilter>;
export type ListFilters = FilterValues<typeof listFilters>;

/** The filters of companies that were found by their orders, if they have any. */
export const filtersBesideOrders = {
  ...listFilters,
  orders: { ...listFilters.orders, sql: `(:orders <> 'none' or ${hasNoOrder})` },
};

/** The filters in a query; null if a filter's value can match nothing. @param today in the workspace's zone */
export function parseListFilters(query: Query, today: string): ListFilters | null {
  const unowned = query.get("assigned_to") === NO_OWNER ? "true" : null;
  const { assigned_to: _byOwner, ...others } = listFilters;
  const filters = parseFilters<ReadFilters>(unowned === null ? listFilters : others, query);
  if (filters === null) return null;
  const callback = filters.callback == null ? null : filters.callback === "due" ? today : "infinity";
  return { ...filters, unowned, callback };
}

export function parseListSort(query: Query): ListSort {
  return listSorts.find((sort) => sort === query.get("sort")) ?? listSorts[0];
}

/** Whether the API has the order too: then the total is exact. */
export function isCountedSort(sort: ListSort): sort is CompanySort {
  return Object.hasOwn(companyOrders, sort);
}
