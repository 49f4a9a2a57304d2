import { customFilter } from "../../platform/reads/custom-values.ts";
import { equal, indexed, searching, updatedSince, type FilterValues } from "../../platform/reads/filters.ts";
import { byId, byIdDown, type RowOrder } from "../../platform/reads/order.ts";
import { companyFields } from "./company.ts";

/** The statuses that a company can have. */
export const statuses: readonly string[] = companyFields.find(({ name }) => name === "status")?.values ?? [];

/** The filters of lists of companies (docs/contract.md 6.1). The index of each order has the columns of the first. */
export const companyFilters = {
  search: indexed(searching("k.search_text")),
  status: indexed(equal(companyFields, "status")),
  assigned_to: indexed(equal(companyFields, "assigned_to")),
  updated_since: updatedSince,
  custom: customFilter,
};
export type CompanyFilters = FilterValues<typeof companyFilters>;

/** A text behind every name, which has at most 255 characters. */
const LAST_NAME = "\u{10ffff}".repeat(256);
const name = 'k.search_text collate "C"';

/** The orders of lists of companies; those of names are without case and accents. */
export const companyOrders = {
  name: [{ sql: name, beginning: "" }, ...byId],
  "-name": [{ sql: name, beginning: LAST_NAME, isDescending: true }, ...byIdDown],
  id: byId,
  "-id": byIdDown,
} satisfies Record<string, RowOrder>;
export type CompanySort = keyof typeof companyOrders;
export const sorts = Object.keys(companyOrders) as [CompanySort, ...CompanySort[]];
