import type { Input } from "../platform/fields/fields.ts";
import type { Query } from "../platform/http/lists/pagination.ts";
import type { Method, Route } from "./routes.ts";

/** A path, a parameter or a field that will disappear (docs/api.md, "Deprecation"). */
export type Deprecation = {
  method: Method;
  /** The route's path, as OpenAPI writes it. */
  path: string;
  /** The parameter of the query that disappears. Without this and `field`, the route itself does. */
  parameter?: string;
  /** The field of the body that disappears. */
  field?: string;
  /** The day of the announcement: `2026-11-30`. */
  since: string;
};

/** Everything that was announced to disappear. Nothing yet. */
export const deprecations: readonly Deprecation[] = [];

/** Months from the announcement to the end. */
const LIFE_MONTHS = 12;

/** The announcements that concern a route. */
export function announcedFor(rows: readonly Deprecation[], { method, path }: Route): readonly Deprecation[] {
  return rows.filter((row) => row.method === method && row.path === path);
}

/** The headers of an answer that used something deprecated: RFC 9745 and RFC 8594. The first end counts. */
export function deprecationHeaders(rows: readonly Deprecation[], query: Query, input: Input): Record<string, string> {
  const isUsed = ({ parameter, field }: Deprecation) =>
    (parameter === undefined && field === undefined) ||
    (parameter !== undefined && query.sent(parameter) !== undefined) ||
    (field !== undefined && Object.hasOwn(input, field));
  const [since] = rows
    .filter(isUsed)
    .map((row) => row.since)
    .toSorted();
  if (since === undefined) return {};
  const announced = new Date(`${since}T00:00:00Z`);
  const end = new Date(announced);
  end.setUTCMonth(end.getUTCMonth() + LIFE_MONTHS);
  return { deprecation: `@${announced.getTime() / 1_000}`, sunset: end.toUTCString() };
}
