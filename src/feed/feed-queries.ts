import { changeColumns } from "../changes/change-queries.ts";
import { followedTypes, HIDDEN, hiddenTypes } from "../changes/change.ts";
import type { Database } from "../platform/postgres/database.ts";
import {
  bytesBefore,
  column,
  oneValue,
  selectList,
  type Call,
  type Row,
  type Statement,
} from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";

/** A place in a tenant's feed: behind the change at a position, which is told from another's there by its moment. */
export type Position = { position: string; at: string };

/** Before all that is kept. */
export const BEGINNING: Position = { position: "0", at: "-infinity" };

/** A walk over changes of other types than those that are looked for ends here, and goes on behind them. */
const MOST_LOOKED_AT = 10_000;
/** Changes that are read at once have so many bytes of differences, and the one that is beyond them. */
export const MOST_BYTES = 2 ** 20;
/** Beside the quick reads above so many: some milliseconds. */
const QUICK = 100;
/** The same of a tick. */
export const QUICK_TICK = 500;

const lockStatement: Statement = {
  name: "lock_feed",
  text: "select pg_try_advisory_xact_lock(7261964, hashint8($1::bigint))",
  isNoNews: true,
};

const ticked = selectList({ isComplete: column.flag("is_complete"), numbered: column.number("position - behind") });

const tickStatement: Statement = {
  name: "number_changes",
  text: `insert into feed_ticks (tenant_id, most) values ($1, $2) returning ${ticked.sql}`,
  isNoNews: true,
};

/** The outcome of a tick: how many changes it gave a position, and whether it left some; null where another one is under way. */
export type Tick = { numbered: number; hasMore: boolean } | null;

/**
 * Numbers up to so many changes of a tenant that were committed before (migrations/functions/number_changes.sql): beside the quick writes
 * where they are many.
 */
export async function tick(tenant: TenantId, database: Database, most: number): Promise<Tick> {
  const calls = [
    { statement: lockStatement, parameters: [] },
    { statement: tickStatement, parameters: [most] },
  ];
  const [locked, rows] =
    most > QUICK_TICK
      ? await database.transaction(tenant, async (run) => {
          const answers: Row[][] = [];
          for (const { statement, parameters } of calls) answers.push(await run(statement, parameters));
          return answers;
        })
      : await database.write(tenant, calls);
  if (oneValue(locked) !== "t") return null;
  const { isComplete, numbered } = ticked.first(rows) ?? { isComplete: true, numbered: 0 };
  return { numbered, hasMore: !isComplete };
}

/** A cursor is promised to hold for so long. */
const KEPT = "30 days";

const forgetStatement: Statement = {
  name: "forget_feed",
  text: `with oldest as materialized (
    select position, numbered_at from feed where tenant_id = $1 order by position limit $2 + 1
  ), old as materialized (
    select position from oldest where numbered_at < now() - interval '${KEPT}'
  )
  delete from feed where tenant_id = $1
    and position = any(array(select position from old where position < (select max(position) from old)))
  returning position`,
  isNoNews: true,
};

/**
 * The call that removes up to so many, its last parameter, of the positions whose next one is older than that, the oldest first: whoever
 * stands at a later one could still go on (in-steps.ts).
 */
export const forgetOldestChanges: Call = { statement: forgetStatement, parameters: [] };

/** Whether one may go on behind a position; behind the beginning, as long as nothing has been removed. */
const isThereStatement: Statement = {
  name: "feed_position",
  text: `select 1 from feed f
  where f.tenant_id = $1 and f.position = greatest($2::bigint, 1) and ($2::bigint = 0 or f.at = $3::timestamptz)
  union all
  select 1 from feed_ticks t where t.tenant_id = $1 and $2::bigint = 0 and t.position = 0`,
};

const reached = selectList({
  position: column.text("r.position"),
  at: column.text("r.at"),
  hasMore: column.flag("r.has_more"),
});

const pageStatement: Statement = {
  name: "read_feed",
  text: `with seen as materialized (
    select f.position, f.change_id, f.type, f.at from feed f
    where f.tenant_id = $1 and f.position > $2::bigint order by f.position limit $4
  ), asked as materialized (
    select s.position, s.change_id from seen s where s.type = any($3::text[]) order by s.position limit $5
  ), found as materialized (
    select a.position, h.id, h.at, h.type, h.resource_id, h.company_id, h.action, h.changed, h.changed_by,
      ${bytesBefore(["h.changed"], "a.position")} as before
    from asked a join changes h on h.tenant_id = $1 and h.id = a.change_id
  ), page as materialized (
    select f.* from found f where f.before < ${MOST_BYTES}
  ), reached as materialized (
    select s.position, s.at, s.position < (select max(position) from seen) or (select count(*) from seen) = $4 as has_more
    from seen s
    where s.position <= case
      when (select count(*) from page) < (select count(*) from found) then (select max(position) from page)
      when (select count(*) from asked) = $5 then (select max(position) from asked)
      else (select max(position) from seen)
    end
    order by s.position desc limit 1
  )
  select ${reached.sql}, ${changeColumns.sql}
  from reached r left join page h on true
  order by h.position`,
};

/**
 * A question to a feed: the changes behind a place (null: all that is kept), `limit` at most, of some types or of all.
 * `children`: also those of contacts and addresses that are hidden or shown with their company.
 */
export type FeedQuery = {
  after: Position | null;
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

/** Changes (src/changes/change-queries.ts) in their order, and the place that the next ones are behind. */
export type FeedPage = { rows: Row[]; next: Position; hasMore: boolean };

/** Reads what is numbered; null where one cannot go on from there. */
export async function readFeed(tenant: TenantId, database: Database, query: FeedQuery): Promise<FeedPage | null> {
  const { after, limit, types } = query;
  const reader = limit > QUICK ? database.slow : database.quick;
  const place = after ?? BEGINNING;
  const lookedAt = types === null ? limit + 1 : MOST_LOOKED_AT;
  const [found = [], rows = []] = await reader.readAll(tenant, [
    { statement: isThereStatement, parameters: [place.position, place.at] },
    { statement: pageStatement, parameters: [place.position, storedTypes(query), lookedAt, limit] },
  ]);
  if (after !== null && found.length === 0) return null;
  const [first] = rows;
  if (first === undefined) return { rows, next: place, hasMore: false };
  const { position, at, hasMore } = reached.read(first);
  const changes = rows.map((row) => row.slice(3)).filter(([id]) => id !== null);
  return { rows: changes, next: { position, at }, hasMore };
}
