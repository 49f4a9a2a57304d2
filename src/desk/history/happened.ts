import { readActivities } from "../../customers/activities/activity-queries.ts";
import { activityKinds, type ActivityKind } from "../../customers/activities/activity.ts";
import { activityEvent } from "../../customers/activities/pages/activity-list.ts";
import { differencesIn } from "../../kit/changes/differences.ts";
import type { Deps } from "../../kit/deps.ts";
import type { Event } from "../../kit/web/event-list.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import { isoTimestamp } from "../../platform/dates.ts";
import { momentBefore, momentText, type Moment } from "../../platform/http/lists/moment-cursor.ts";
import type { Query } from "../../platform/http/lists/pagination.ts";
import type { TimePage } from "../../platform/reads/by-time.ts";
import { historyFiltersText } from "./history-filters.ts";
import { historyEvent, valuesWithinRoom } from "./history-lines.ts";
import { readHistory, type HistoryChange, type HistoryFilters } from "./history-queries.ts";
import { withReferences } from "./reference-queries.ts";
import { allWordings } from "./wordings.ts";

/** Positions in the two sources: activities and changes. Each has its own, so that one source cannot hide the other. */
export type HappenedPosition = { said: Moment | null; changes: Moment | null };

/** An entry of the page; `change` is null for an activity. */
export type Happened = { event: Event; change: HistoryChange | null };

/** An entry of a source; `happened` is null if the other source shows it. */
type Entry = { from: keyof HappenedPosition; at: string; id: string; happened: Happened | null };

/**
 * `positionAfter` returns the position behind the entry `last`, or behind all entries if it is null; null at the end of
 * both sources.
 */
export type HappenedPage = { happened: Happened[]; positionAfter: (last: Happened | null) => HappenedPosition | null };

const END = "end";
const NOTHING = { rows: [], next: null };

/** The position in a URL; the beginning if it has none. */
export function positionIn(query: Query): HappenedPosition {
  const [before, said] = [query.get("before"), query.get("said")];
  return {
    changes: before === END ? null : momentBefore(before),
    said: said === END ? null : momentBefore(said ?? before),
  };
}

/** The query of the history's page with these filters behind a position. */
export function happenedQuery(filters: HistoryFilters, position: HappenedPosition): string {
  return `${historyFiltersText(filters).toString()}&${positionText(position)}`.replace(/^&/, "");
}

/** A position as parameters of a URL. */
export function positionText({ said, changes }: HappenedPosition): string {
  const text = (moment: Moment | null) => (moment === null ? END : momentText(moment));
  return new URLSearchParams({ before: text(changes), said: text(said) }).toString();
}

/** A page of entries behind a position, newest first. @param limit entries of each source */
export async function readHappened(
  deps: Deps,
  request: PageRequest,
  filters: HistoryFilters,
  position: HappenedPosition,
  limit: number,
): Promise<HappenedPage> {
  const { type, action } = filters;
  const isSaid = type === "said" || kindIn(filters) !== null;
  const from: HappenedPosition = {
    said: (isSaid || type === null) && action === null ? position.said : null,
    changes: isSaid ? null : position.changes,
  };
  const [said, changes] = await Promise.all([
    from.said === null ? NOTHING : readSaid(deps, request, filters, { before: from.said, limit }),
    from.changes === null ? NOTHING : readChanges(deps, request, filters, { before: from.changes, limit }),
  ]);
  const entries = inOrder([...said.rows, ...changes.rows], [said, changes]);
  return {
    happened: entries.flatMap(({ happened }) => happened ?? []),
    positionAfter: (last) => positionBehind(upTo(entries, last), from, { said, changes }),
  };
}

type EntriesQuery = { before: Moment; limit: number };

async function readSaid(
  { database }: Deps,
  request: PageRequest,
  filters: HistoryFilters,
  query: EntriesQuery,
): Promise<TimePage<Entry>> {
  const { companyId, by, from, to, timeZone } = filters;
  const of = companyId === null ? null : { company_id: companyId };
  const activities = { of, kind: kindIn(filters), by, from, to, timeZone };
  const { rows, next } = await readActivities(request.actor.tenant, database, activities, query);
  const entries = rows.map((row): Entry => {
    const event = activityEvent(row, request, { withContact: true, within: companyId });
    return { from: "said", at: row.at, id: row.id, happened: { event, change: null } };
  });
  return { rows: entries, next };
}

async function readChanges(
  deps: Deps,
  request: PageRequest,
  filters: HistoryFilters,
  query: EntriesQuery,
): Promise<TimePage<Entry>> {
  const [{ rows, next }, wordings] = await Promise.all([
    readHistory(request.actor.tenant, deps.database, changesOf(filters), query),
    allWordings(deps, request),
  ]);
  const naming = await withReferences(
    deps,
    request.actor.tenant,
    rows.flatMap(({ changed }) => differencesIn(changed)),
  );
  const isMixed = filters.type === null && filters.action === null;
  const entries = valuesWithinRoom(rows).map((row): Entry => {
    const isElsewhere = isMixed && (row.isElsewhere || isShownElsewhere(row));
    const event = historyEvent(row, naming(wordings(row.type)), filters.companyId);
    return { from: "changes", at: row.at, id: row.id, happened: isElsewhere ? null : { event, change: row } };
  });
  return { rows: entries, next };
}

/** The kind of activity that the filters name, or null. */
function kindIn({ type }: HistoryFilters): ActivityKind | null {
  return activityKinds.find((each) => each === type) ?? null;
}

function changesOf(filters: HistoryFilters): HistoryFilters {
  return filters.type === "changes" ? { ...filters, type: null } : filters;
}

/** Sorts the newest first, and cuts at the time that both sources were read to. */
function inOrder(entries: readonly Entry[], pages: readonly TimePage<unknown>[]): Entry[] {
  const horizon =
    pages
      .map(({ next }) => (next === null ? "" : isoTimestamp(next.at)))
      .toSorted()
      .at(-1) ?? "";
  const moments = new Map(entries.map((entry) => [entry, isoTimestamp(entry.at)]));
  const moment = (entry: Entry) => moments.get(entry) ?? "";
  return entries
    .filter((entry) => moment(entry) >= horizon)
    .toSorted((a, b) => (moment(a) < moment(b) ? 1 : moment(a) > moment(b) ? -1 : 0));
}

function upTo(entries: readonly Entry[], last: Happened | null): readonly Entry[] {
  return last === null ? entries : entries.slice(0, entries.findIndex(({ happened }) => happened === last) + 1);
}

/** The position behind entries. A source without entries keeps its position. */
function positionBehind(
  entries: readonly Entry[],
  before: HappenedPosition,
  pages: Readonly<Record<keyof HappenedPosition, TimePage<unknown>>>,
): HappenedPosition | null {
  const behind = (source: keyof HappenedPosition): Moment | null => {
    const own = entries.filter(({ from }) => from === source);
    if (own.length === pages[source].rows.length) return pages[source].next;
    const last = own.at(-1);
    return last === undefined ? before[source] : { at: last.at, id: last.id };
  };
  const position = { said: behind("said"), changes: behind("changes") };
  return position.said === null && position.changes === null ? null : position;
}

/** The fields of a company that an entry of another type shows: the last contact, and the warehouse's subdomain. */
const SHOWN_ELSEWHERE = new Set(["last_contacted_at", "wms_subdomain"]);

function isShownElsewhere({ type, action, changed }: HistoryChange): boolean {
  const [only, ...others] = differencesIn(changed);
  if (only === undefined || others.length > 0 || !SHOWN_ELSEWHERE.has(only.field)) return false;
  return only.field === "last_contacted_at" || (type === "company" && action === "updated");
}
