import {
  parseFilters,
  sorts as countedSorts,
  type CompanyFilters,
  type CompanySort,
} from "../../customers/companies/company-filters.ts";
import { isSearchable, type Query } from "../../platform/http/lists/pagination.ts";
import { composed } from "../../platform/text.ts";

/** The orders of the list for people, the first where none is asked for. */
export const listSorts = [
  ...countedSorts,
  "callback_date",
  "-callback_date",
  "-last_contacted_at",
  "last_contacted_at",
  "-updated_at",
  "updated_at",
] as const;
export type ListSort = (typeof listSorts)[number];

/** `due`: to be called by today; `set`: to be called at all. */
export const callBacks = ["due", "set"] as const;

/** The orders that a company's invoices have; `none`: no invoice has one. */
export const orderFilters = ["under_way", "attention", "none"] as const;
export type OrderFilter = (typeof orderFilters)[number];

/**
 * The filters of the list for people: those of the API, and more. A null one does not filter. `city`: how it begins,
 * without case and accents; `calledUntil`: the last day on which one is to be called, or `infinity`.
 */
export type ListFilters = CompanyFilters & {
  city: string | null;
  calledUntil: string | null;
  orders: OrderFilter | null;
};

/** The filters in a query; null if a filter's value can match nothing. @param today in the workspace's zone */
export function parseListFilters(query: Query, today: string): ListFilters | null {
  const filters = parseFilters(query);
  const [city, callback, orders] = [query.get("city"), query.get("callback"), query.get("orders")];
  if (filters === null || (city !== undefined && !isSearchable(city))) return null;
  const known = { callback: oneOf(callBacks, callback), orders: oneOf(orderFilters, orders) };
  if (known.callback === undefined || known.orders === undefined) return null;
  const calledUntil = known.callback === "due" ? today : known.callback === "set" ? "infinity" : null;
  return { ...filters, city: city === undefined ? null : composed(city), calledUntil, orders: known.orders };
}

export function parseListSort(query: Query): ListSort {
  return listSorts.find((sort) => sort === query.get("sort")) ?? listSorts[0];
}

/** Whether the API has the order too: then the total is exact. */
export function isCountedSort(sort: ListSort): sort is CompanySort {
  return countedSorts.some((counted) => counted === sort);
}

/** Null if the text is absent, undefined if it is none of the words. */
function oneOf<Word extends string>(words: readonly Word[], text: string | undefined): Word | null | undefined {
  return text === undefined ? null : words.find((word) => word === text);
}
