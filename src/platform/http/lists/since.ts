import { parseTimestamp } from "../../dates.ts";
import type { Query } from "./pagination.ts";

const UPDATED_SINCE = "updated_since";

/** The timestamp in `updated_since`: undefined if absent, null if it is none and so matches nothing. */
export function updatedSince(query: Query): string | null | undefined {
  const since = query.get(UPDATED_SINCE);
  // A plus sign in a query means a space, also that of an offset.
  return since === undefined ? undefined : parseTimestamp(since.replace(/ (\d{2}:\d{2})$/, "+$1"));
}

/** The same for what a cursor belongs to; empty without the parameter. */
export function sinceOf(query: Query): string[] {
  const since = query.get(UPDATED_SINCE);
  return since === undefined ? [] : [UPDATED_SINCE, since];
}

/**
 * A condition: the row was updated at or after a timestamp.
 * @param since a parameter; null: the condition is inactive
 */
export function isUpdatedSince(alias: string, since: string): string {
  return `(${since}::timestamptz is null or ${alias}.updated_at >= ${since})`;
}
