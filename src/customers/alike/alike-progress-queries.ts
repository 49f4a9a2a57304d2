import type { Run } from "../../platform/postgres/database.ts";
import { callsOf, quickQuery, stepQuery } from "../../platform/postgres/query.ts";
import { column, oneValue, selectList, type Call, type Selected } from "../../platform/postgres/statement.ts";

/** Companies of a step. With twice as many, other requests waited noticeably. */
export const STEP = 250;
/** Transactions that take longer may commit changes that were passed: they are read once more. */
const OVERLAP = "interval '1 minute'";

const begin = stepQuery(
  "begin_alike",
  `insert into alike_progress (tenant_id, seen_at) values ($1, now() - ${OVERLAP})
  on conflict (tenant_id, id) do nothing returning id`,
).nothing();

const progress = selectList({
  /** Whether all companies were walked through once. */
  isWalked: column.flag("p.is_walked"),
  now: column.text("now()"),
  overlapAt: column.text(`now() - ${OVERLAP}`),
});
export type AlikeProgress = Selected<typeof progress>;

const lock = stepQuery(
  "lock_alike",
  `select ${progress.sql} from alike_progress p where p.tenant_id = $1 and p.id = 0 for update`,
).first(progress.read);

/** Locks the progress, so that one step runs at a time. Null where it began just now. */
export async function lockProgress(run: Run): Promise<AlikeProgress | null> {
  const locked = await lock(run);
  if (locked === null) await begin(run);
  return locked;
}

const nextToWalk = stepQuery(
  "walk_alike",
  `select c.id from companies c
  where c.tenant_id = $1 and c.deleted_at is null
    and c.id > (select p.walked_id from alike_progress p where p.tenant_id = $1 and p.id = 0)
  order by c.id limit ${STEP}`,
).rows();

const noteWalked = callsOf<[id: string | null, isEnd: boolean]>(
  "walked_alike",
  `update alike_progress p set walked_id = coalesce($2::bigint, p.walked_id), is_walked = $3
  where p.tenant_id = $1 and p.id = 0 returning p.id`,
);

const nextChanged = stepQuery(
  "follow_alike",
  // Any other condition on the type would be served by an index that has no order in time.
  `select h.resource_id, h.at from changes h
  where h.tenant_id = $1 and h.type in ('company', 'connection')
    and (h.at, h.resource_id) > (
      select p.seen_at, p.seen_id from alike_progress p where p.tenant_id = $1 and p.id = 0)
  order by h.at, h.resource_id limit ${STEP}`,
).rows();

const noteFollowed = callsOf<[at: string | null, id: string | number | null, caughtUpAt: string | null]>(
  "followed_alike",
  `update alike_progress p set seen_at = greatest(p.seen_at, $2::timestamptz), seen_id = $3,
    caught_up_at = coalesce($4::timestamptz, p.caught_up_at)
  where p.tenant_id = $1 and p.id = 0 returning p.id`,
);

/** The companies of the next step, whether more follow, and the call that records that the step was taken. */
export async function nextCompanies(
  run: Run,
  { isWalked, now, overlapAt }: AlikeProgress,
): Promise<{ ids: string[]; hasMore: boolean; taken: Call }> {
  const rows = await (isWalked ? nextChanged : nextToWalk)(run);
  const ids = [...new Set(rows.map(([id]) => String(id)))];
  const [id = null, at = null] = rows.at(-1) ?? [];
  const isEnd = rows.length < STEP;
  if (!isWalked) return { ids, hasMore: true, taken: noteWalked(id, isEnd) };
  return { ids, hasMore: !isEnd, taken: isEnd ? noteFollowed(overlapAt, 0, now) : noteFollowed(at, id, null) };
}

/**
 * `behind`: companies changed since their pairs were computed. `settled`: none did, and nothing that was changed by
 * then can still be uncommitted. `settling`: they are to be computed once more, a minute after the last change.
 */
export type AlikeState = "behind" | "settling" | "settled";

const changedSince = (margin: string) => `exists (
    select from changes h where h.tenant_id = $1 and h.type in ('company', 'connection')
      and h.at > p.caught_up_at - ${margin})`;

/** How new the pairs are, compared with the companies. */
export const stateOfAlike = quickQuery(
  "state_of_alike",
  `select case when not p.is_walked or p.caught_up_at is null or ${changedSince("interval '2 seconds'")} then 'behind'
    when ${changedSince(OVERLAP)} then 'settling' else 'settled' end
  from alike_progress p where p.tenant_id = $1 and p.id = 0`,
).of((rows): AlikeState => (oneValue(rows) ?? "behind") as AlikeState);
