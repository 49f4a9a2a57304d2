import { shownWords } from "../../invoices/shown-state.ts";
import { parseDate } from "../../platform/dates.ts";
import { INTEGER_MAX } from "../../platform/fields/fields.ts";
import { isSearchable, type Query } from "../../platform/http/lists/pagination.ts";
import { dayIn } from "../../web/forms/typed.ts";

/** The orders of the list, the first where none is asked for. */
export const orderSorts = ["-issued_on", "number", "total", "-synced_at"] as const;
export type OrderSort = (typeof orderSorts)[number];

/**
 * A filter by state. `needs`: `attention` without the links to be confirmed. `put_off`: needs that people put off.
 * `overdue`: issued, and the day of payment has passed. `shown`: by the one or two values of `wms_shown`.
 */
export type OrderState =
  | { of: "all" | "attention" | "needs" | "put_off" | "overdue" | "under_way" }
  | { of: "shown"; shown: readonly string[] };

/** A null filter does not filter. `assignedTo` may be NO_OWNER. */
export type OrderFilters = {
  state: OrderState;
  instance: string | null;
  assignedTo: string | null;
  from: string | null;
  to: string | null;
  search: string | null;
};

/** The filters of a state's orders, all of them. */
export function allOf(state: OrderState): OrderFilters {
  return { state, instance: null, assignedTo: null, from: null, to: null, search: null };
}

/** The filters in the list's query; null where a filter's value can match nothing. */
export function parseOrderFilters(query: Query): OrderFilters | null {
  const value = (name: string) => query.get(name) ?? null;
  const [instance, assignedTo, search] = [value("instance"), value("assigned_to"), value("search")];
  const [from, to] = [value("from"), value("to")].map((text) => text && parseDate(dayIn(text)));
  if (search !== null && !isSearchable(search)) return null;
  if (instance !== null && !isSearchable(instance)) return null;
  if (assignedTo !== null && !(/^[1-9]\d{0,15}$/.test(assignedTo) && Number(assignedTo) <= INTEGER_MAX)) return null;
  if ((value("from") !== null && from === null) || (value("to") !== null && to === null)) return null;
  return { state: parseState(query.get("state")), instance, assignedTo, from: from ?? null, to: to ?? null, search };
}

export function parseOrderSort(query: Query): OrderSort {
  return orderSorts.find((sort) => sort === query.get("sort")) ?? orderSorts[0];
}

const groups = ["attention", "put_off", "overdue", "under_way"] as const;

/** A word of the table, or an order's own status, written as `wms_shown` has it (migrations/0004). */
function parseState(text: string | undefined): OrderState {
  if (text === undefined) return { of: "all" };
  const group = groups.find((each) => each === text);
  if (group !== undefined) return { of: group };
  if (Object.hasOwn(shownWords, text)) return { of: "shown", shown: [text] };
  const beginning = Array.from(text.slice(0, 200)).slice(0, 100).join("");
  const status = beginning.toLowerCase().replaceAll(/[ -]/g, "_");
  return { of: "shown", shown: [`open:${status}`, `final:${status}`] };
}
