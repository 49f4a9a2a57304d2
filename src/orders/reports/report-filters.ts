import { INTEGER_MAX } from "../../platform/fields/fields.ts";
import { asSearched, type Query } from "../../platform/http/lists/pagination.ts";

export type ReportFilters = {
  /** A user's id, NO_OWNER, or null for all companies. */
  assignedTo: string | null;
  currency: string | null;
};

/** The filters of every report; null if one can match nothing. */
export function reportFilters(query: Query): ReportFilters | null {
  const [sent, assignedTo] = [query.get("currency") ?? null, query.get("assigned_to") ?? null];
  const currency = sent && asSearched(sent);
  if (sent !== null && currency === null) return null;
  if (assignedTo !== null && !(/^(?:0|[1-9]\d{0,15})$/.test(assignedTo) && Number(assignedTo) <= INTEGER_MAX))
    return null;
  return { assignedTo, currency };
}

export function isSet(query: Query, name: string): boolean {
  return ["1", "true"].includes(query.get(name) ?? "");
}
