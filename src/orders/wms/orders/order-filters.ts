import { dayIn } from "../../../kit/web/forms/typed.ts";
import { dayAfter, parseDate } from "../../../platform/dates.ts";
import { INTEGER_MAX } from "../../../platform/fields/fields.ts";
import { asSearched, type Query } from "../../../platform/http/lists/pagination.ts";
import { bucketNames, LATE } from "../../invoices/money-queries.ts";
import { shownWords } from "../../invoices/shown-state.ts";

/** The orders of the list, the first where none is asked for. */
export const orderSorts = [
  "-issued_on",
  "issued_on",
  "number",
  "-number",
  "company",
  "-company",
  "total",
  "-total",
  "due_on",
  "-due_on",
  "-synced_at",
] as const;
export type OrderSort = (typeof orderSorts)[number];

/** The tabs of the list, each with its number. */
export const orderTabs = ["all", "attention", "to_send", "under_way", "done", "draft", "unpaid"] as const;
export type OrderTab = (typeof orderTabs)[number];

/**
 * A filter by state. `unpaid`: issued. `needs`: `attention` without the links to be confirmed. `put_off`: needs that
 * people put off. `overdue`: unpaid ones whose day of payment has passed. `sold`: issued or paid, as reports of sales
 * count. `owed` and `paid_too_much`: with a rest, and with a negative one, as reports of debts count. `shown`:
 * by the one or two values of `wms_shown`.
 */
export type OrderState =
  | { of: OrderTab | "needs" | "put_off" | "overdue" | "sold" | "owed" | "paid_too_much" }
  | { of: "shown"; shown: readonly string[] };

/** A null filter does not filter. `assignedTo` may be NO_OWNER. */
export type OrderFilters = {
  state: OrderState;
  instance: string | null;
  assignedTo: string | null;
  /** The id of a company. */
  company: string | null;
  currency: string | null;
  /** Of one of the lines. */
  sku: string | null;
  from: string | null;
  to: string | null;
  /** The days by which they have to be paid. Without a last one, those without a day too. */
  dueFrom: string | null;
  dueTo: string | null;
  search: string | null;
  /** Invoices of which the warehouse would get no street. */
  isStreetMissing: boolean;
  /** The values of custom fields, as JSON. */
  custom: string | null;
};

/** The value of the filter `missing`. */
export const MISSING_STREET = "street";

/** The filters of a state's orders, all of them. */
export function allOf(state: OrderState): OrderFilters {
  const none = { instance: null, assignedTo: null, company: null, currency: null, sku: null, from: null, to: null };
  return { state, ...none, dueFrom: null, dueTo: null, search: null, isStreetMissing: false, custom: null };
}

/** The filters in the list's query without custom fields; null if a filter's value can match nothing. */
export function parseOrderFilters(query: Query, timeZone: string): OrderFilters | null {
  const value = (name: string) => query.get(name) ?? null;
  const sent = ["instance", "search", "currency", "sku"].map((name) => query.get(name));
  const texts = sent.map((text) => text && asSearched(text));
  if (texts.includes(null)) return null;
  const [instance = null, search = null, currency = null, sku = null] = texts;
  const [assignedTo, company] = [value("assigned_to"), value("company")];
  if ([assignedTo, company].some((id) => id !== null && !isNumber(id))) return null;
  const days = parseDays(query, timeZone);
  const missing = value("missing");
  if (missing !== null && missing !== MISSING_STREET) return null;
  const isStreetMissing = missing !== null;
  const others = { instance, assignedTo, company, currency, sku, search, isStreetMissing, custom: null };
  const due = parseLate(value("late"), timeZone);
  return days && due && { state: parseState(query.get("state")), ...others, ...days, ...due };
}

/** The id of a row, or 0. */
function isNumber(text: string): boolean {
  return /^(?:0|[1-9]\d{0,15})$/.test(text) && Number(text) <= INTEGER_MAX;
}

/** The ranges of days that have a name, which they keep in an address: it is another range the next day. */
export const namedDays = ["today", "week", "month", "last_month"] as const;
export type NamedDays = (typeof namedDays)[number];

/** The name in `days`; null for the days in `from` and `to`. */
export function parseNamedDays(query: Query): NamedDays | null {
  return namedDays.find((name) => name === query.get("days")) ?? null;
}

function parseDays(query: Query, timeZone: string): Pick<OrderFilters, "from" | "to"> | null {
  const name = parseNamedDays(query);
  if (name !== null) return daysNamed(name, dayAfter(0, timeZone));
  const [from = null, to = null] = [query.get("from"), query.get("to")].map((text) =>
    text === undefined ? undefined : (parseDate(dayIn(text)) ?? "none"),
  );
  return from === "none" || to === "none" ? null : { from, to };
}

/** The values of the filter by the days since the day of payment: buckets of an ageing, and those late together. */
export const lateNames = [...bucketNames, "overdue"] as const;

function parseLate(name: string | null, timeZone: string): Pick<OrderFilters, "dueFrom" | "dueTo"> | null {
  if (name === null) return { dueFrom: null, dueTo: null };
  if (name === "not_due") return { dueFrom: dayAfter(0, timeZone), dueTo: null };
  const [, first, last] = LATE.find(([each]) => each === name) ?? [null, name === "overdue" ? 1 : null, null];
  if (first === null) return null;
  return { dueFrom: last === null ? null : dayAfter(-last, timeZone), dueTo: dayAfter(-first, timeZone) };
}

function daysNamed(name: NamedDays, today: string): Pick<OrderFilters, "from" | "to"> {
  const day = Temporal.PlainDate.from(today);
  if (name === "today") return { from: today, to: today };
  if (name === "week") return { from: day.subtract({ days: 6 }).toString(), to: today };
  const first = day.with({ day: 1 }).subtract({ months: name === "month" ? 0 : 1 });
  return { from: first.toString(), to: first.add({ months: 1 }).subtract({ days: 1 }).toString() };
}

export function parseOrderSort(query: Query): OrderSort {
  return orderSorts.find((sort) => sort === query.get("sort")) ?? orderSorts[0];
}

const groups = [...orderTabs, "put_off", "overdue", "sold", "owed", "paid_too_much"] as const;
/** The states whose lists sum up what is left of their invoices. */
const OF_RESTS: ReadonlySet<string> = new Set(["unpaid", "overdue", "owed", "paid_too_much"]);

export function isOfRests({ of }: OrderState): boolean {
  return OF_RESTS.has(of);
}

/** A word of the table, or an order's own status, written as `wms_shown` has it (order_shown.sql). */
export function parseState(text: string | undefined): OrderState {
  if (text === undefined) return { of: "all" };
  const group = groups.find((each) => each === text);
  if (group !== undefined) return { of: group };
  if (Object.hasOwn(shownWords, text)) return { of: "shown", shown: [text] };
  const beginning = Array.from(text.slice(0, 200)).slice(0, 100).join("");
  const status = beginning.toLowerCase().replaceAll(/[ -]/g, "_");
  return { of: "shown", shown: [`open:${status}`, `final:${status}`] };
}
