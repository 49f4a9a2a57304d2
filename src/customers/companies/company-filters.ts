import { INTEGER_MAX } from "../../platform/fields/fields.ts";
import { isSearchable, type Query } from "../../platform/http/lists/pagination.ts";
import { companyFields } from "./company.ts";

/** A null filter does not filter. A search is folded by the database (case, accents). */
export type CompanyFilters = { search: string | null; status: string | null; assignedTo: string | null };

/** The orders of a list; those of names are without case and accents. */
export const sorts = ["name", "-name", "id", "-id"] as const;
export type CompanySort = (typeof sorts)[number];

/** The statuses that a company can have. */
export const statuses: readonly string[] = companyFields.find(({ name }) => name === "status")?.values ?? [];

/**
 * The filters in a list's query (docs/contract.md 6.1). Null if a filter's value can match nothing: an unknown
 * status, a user id that is no integer.
 */
export function parseFilters(query: Query): CompanyFilters | null {
  const search = query.get("search") ?? null;
  const status = query.get("status") ?? null;
  const assignedTo = query.get("assigned_to") ?? null;
  if (search !== null && !isSearchable(search)) return null;
  if (status !== null && !statuses.includes(status)) return null;
  if (assignedTo !== null && !isUserId(assignedTo)) return null;
  return { search, status, assignedTo };
}

/** The requested order; by id if there is none, or an unknown one. */
export function parseSort(query: Query): CompanySort {
  return sorts.find((sort) => sort === query.get("sort")) ?? "id";
}

function isUserId(text: string): boolean {
  return /^\+?[1-9]\d{0,15}$/.test(text) && Number(text) <= INTEGER_MAX;
}
