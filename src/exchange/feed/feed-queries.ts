import { changeColumns } from "../../kit/changes/change-queries.ts";
import { followedTypes, HIDDEN, hiddenTypes } from "../../kit/changes/change.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { callsOf, callWith, namedStatement, readNamed, runAll } from "../../platform/postgres/query.ts";
import { bytesBefore, column, oneValue, selectList, type Row } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

/**
 * A position in a tenant's feed, after the change with this number. Its time distinguishes it from the same number of
 * another feed.
 */
export type FeedPosition = { position: string; at: string };

/** The position before all stored changes. */
export const BEGINNING: FeedPosition = { position: "0", at: "-infinity" };

/** The most changes of other types that one read scans; the next read continues after them. */
const MOST_SCANNED = 10_000;
/** The limit of the differences of a page, in bytes. The change that exceeds it is included. */
export const MOST_BYTES = 2 ** 20;
/** The most changes that are read beside the quick reads: some milliseconds. */
const QUICK = 100;
/** The same for a tick. */
export const QUICK_TICK = 500;

const locking = callsOf("lock_feed", "select pg_try_advisory_xact_lock(7261964, hashint8($1::bigint))", {
  isSilent: true,
})();

const ticked = selectList({ isComplete: column.flag("is_complete"), numbered: column.number("position - behind") });

const ticking = callsOf<[most: number]>(
  "number_changes",
  `insert into feed_ticks (tenant_id, most) values ($1, $2) returning ${ticked.sql}`,
  { isSilent: true },
);

/**
 * The outcome of a tick: how many changes it numbered, and whether some are left. Null if another tick is in progress.
 */
export type Tick = { numbered: number; hasMore: boolean } | null;

/**
 * Numbers a limited number of committed changes of a tenant (migrations/functions/number_changes.sql). A large number
 * of them is numbered outside the lanes of quick writes.
 */
export async function tick(tenant: TenantId, database: Database, most: number): Promise<Tick> {
  const calls = [locking, ticking(most)];
  const [locked, rows] =
    most > QUICK_TICK
      ? await database.transaction(tenant, async (run) => await runAll(run, calls))
      : await database.write(tenant, calls);
  if (oneValue(locked) !== "t") return null;
  const { isComplete, numbered } = ticked.first(rows) ?? { isComplete: true, numbered: 0 };
  return { numbered, hasMore: !isComplete };
}

/** The time for which a cursor is promised to be valid. */
const RETENTION = "30 days";

/**
 * The call that removes the oldest positions whose next one is older than that; its last parameter is the limit
 * (in-steps.ts). Clients at a later position can continue.
 */
export const forgetOldestChanges = callsOf(
  "forget_feed",
  `with oldest as materialized (
    select position, numbered_at from feed where tenant_id = $1 order by position limit $2 + 1
  ), old as materialized (
    select position from oldest where numbered_at < now() - interval '${RETENTION}'
  )
  delete from feed where tenant_id = $1
    and position = any(array(select position from old where position < (select max(position) from old)))
  returning position`,
  { isSilent: true },
)();

/** Whether a client may continue after a position. After the beginning: as long as nothing was removed. */
const isThereStatement = namedStatement(
  "feed_position",
  `select 1 from feed f
  where f.tenant_id = $1 and f.position = greatest(:position::bigint, 1) and (:position::bigint = 0 or f.at = :at::timestamptz)
  union all
  select 1 from feed_ticks t where t.tenant_id = $1 and :position::bigint = 0 and t.position = 0`,
);

const reached = selectList({
  position: column.text("r.position"),
  at: column.text("r.at"),
  hasMore: column.flag("r.has_more"),
});

const pageStatement = namedStatement(
  "read_feed",
  `with seen as materialized (
    select f.position, f.change_id, f.type, f.at from feed f
    where f.tenant_id = $1 and f.position > :position::bigint order by f.position limit :scanned
  ), asked as materialized (
    select s.position, s.change_id from seen s where s.type = any(:types::text[]) order by s.position limit :limit
  ), found as materialized (
    select a.position, h.id, h.at, h.type, h.resource_id, h.company_id, h.action, h.changed, h.changed_by,
      ${bytesBefore(["h.changed"], "a.position")} as before
    from asked a join changes h on h.tenant_id = $1 and h.id = a.change_id
  ), page as materialized (
    select f.* from found f where f.before < ${MOST_BYTES}
  ), reached as materialized (
    select s.position, s.at, s.position < (select max(position) from seen) or (select count(*) from seen) = :scanned as has_more
    from seen s
    where s.position <= case
      when (select count(*) from page) < (select count(*) from found) then (select max(position) from page)
      when (select count(*) from asked) = :limit then (select max(position) from asked)
      else (select max(position) from seen)
    end
    order by s.position desc limit 1
  )
  select ${reached.sql}, ${changeColumns.sql}
  from reached r left join page h on true
  order by h.position`,
);

const newest = selectList({ position: column.text("r.position"), at: column.text("r.at") });

const newestStatement = namedStatement(
  "read_newest",
  `with seen as materialized (
    select f.position, f.change_id, f.type, f.at from feed f where f.tenant_id = $1 order by f.position desc limit :scanned
  ), asked as materialized (
    select s.position, s.change_id from seen s where s.type = any(:types::text[]) order by s.position desc limit :limit
  ), found as materialized (
    select a.position, h.id, h.at, h.type, h.resource_id, h.company_id, h.action, h.changed, h.changed_by,
      ${bytesBefore(["h.changed"], "a.position desc")} as before
    from asked a join changes h on h.tenant_id = $1 and h.id = a.change_id
  ), reached as materialized (
    select s.position, s.at from seen s order by s.position desc limit 1
  )
  select ${newest.sql}, ${changeColumns.sql}
  from reached r left join found h on h.before < ${MOST_BYTES}
  order by h.position desc`,
);

/** The newest numbered changes of some types or of all, newest first, and the end of the feed. */
export async function readNewest(
  tenant: TenantId,
  database: Database,
  { limit, types }: { limit: number; types: readonly string[] | null },
): Promise<{ rows: Row[]; end: FeedPosition }> {
  const scanned = types === null ? limit : MOST_SCANNED;
  const values = { types: types ?? followedTypes, scanned, limit };
  const rows = await readNamed(tenant, database.slow, newestStatement, values);
  const end = newest.first(rows) ?? BEGINNING;
  return { rows: rows.map((row) => row.slice(2)).filter(([id]) => id !== null), end };
}

/**
 * A read of a feed: at most `limit` changes after a position (null: from the beginning), of some types or of all.
 * `children`: also the changes of contacts and addresses that are hidden or shown with their company.
 */
export type FeedQuery = {
  after: FeedPosition | null;
  limit: number;
  types: readonly string[] | null;
  children: boolean;
};

/** The types as changes are stored. */
function storedTypes({ types, children }: FeedQuery): string[] {
  const asked = types ?? followedTypes;
  const hidden = children ? hiddenTypes.filter((type) => asked.includes(type.slice(HIDDEN.length))) : [];
  return [...asked, ...hidden];
}

/** Changes (src/kit/changes/change-queries.ts) in their order, and the position after which the next ones come. */
export type FeedPage = { rows: Row[]; next: FeedPosition; hasMore: boolean };

/** Reads numbered changes. Null if the position is too old. */
export async function readFeed(tenant: TenantId, database: Database, query: FeedQuery): Promise<FeedPage | null> {
  const { after, limit, types } = query;
  const reader = limit > QUICK ? database.slow : database.quick;
  const place = after ?? BEGINNING;
  const scanned = types === null ? limit + 1 : MOST_SCANNED;
  const values = { ...place, types: storedTypes(query), scanned, limit };
  const calls = [callWith(isThereStatement, values), callWith(pageStatement, values)];
  const [found = [], rows = []] = await reader.readAll(tenant, calls);
  if (after !== null && found.length === 0) return null;
  const [first] = rows;
  if (first === undefined) return { rows, next: place, hasMore: false };
  const { position, at, hasMore } = reached.read(first);
  const changes = rows.map((row) => row.slice(3)).filter(([id]) => id !== null);
  return { rows: changes, next: { position, at }, hasMore };
}
