import { activityKinds } from "../../customers/activities/activity.ts";
import { changeActions, historyTypes } from "../../kit/changes/change.ts";
import { dayIn } from "../../kit/web/forms/typed.ts";
import { parseDate } from "../../platform/dates.ts";
import type { Query } from "../../platform/http/lists/pagination.ts";
import { isId } from "../../platform/ids.ts";
import type { HistoryFilters } from "./history-queries.ts";

/** Authors without an id. */
export const namelessWriters = ["command", "operator", "import", "worker", "invitation", "single-sign-on"] as const;

/** All types of entries: activities and changes. */
export const happenedTypes = ["said", ...activityKinds, "changes", ...historyTypes] as const;

/** The filters in a URL; invalid values are ignored. */
export function parseHistoryFilters(query: Query, timeZone: string): HistoryFilters {
  const among = (name: string, values: readonly string[]) => values.find((value) => value === query.get(name)) ?? null;
  const day = (name: string) => parseDate(dayIn(query.get(name) ?? ""));
  const company = query.get("company") ?? "";
  return {
    companyId: isId(company) ? company : null,
    type: among("type", happenedTypes),
    action: among("action", changeActions),
    by: parseWriter(query.get("by") ?? ""),
    from: day("from"),
    to: day("to"),
    timeZone,
  };
}

/** The filters for a company's history, with its related resources. */
export function ofCompany(companyId: string, type: "said" | "changes" | null, timeZone: string): HistoryFilters {
  return { companyId, type, action: null, by: null, from: null, to: null, timeZone };
}

/** The filters as parameters of a URL. */
export function historyFiltersText({ companyId, type, action, by, from, to }: HistoryFilters): URLSearchParams {
  const named = { company: companyId, type, action, by, from, to };
  return new URLSearchParams(Object.entries(named).filter((entry): entry is [string, string] => entry[1] !== null));
}

function parseWriter(text: string): string | null {
  const [kind = "", id, ...rest] = text.split(":");
  if (id === undefined) return namelessWriters.find((writer) => writer === kind) ?? null;
  return rest.length === 0 && (kind === "key" || kind === "user") && isId(id) ? text : null;
}
