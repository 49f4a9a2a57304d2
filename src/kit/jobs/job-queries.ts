import type { Database } from "../../platform/postgres/database.ts";
import { hasCode } from "../../platform/postgres/failures.ts";
import { callsOf, slowQuery } from "../../platform/postgres/query.ts";
import {
  column,
  oneValue,
  selectList,
  type Call,
  type Parameter,
  type Selected,
  type Statement,
} from "../../platform/postgres/statement.ts";
import { asTenantId, type TenantId } from "../../platform/postgres/tenant-id.ts";
import type { Job, Outcome } from "./job.ts";

/** The notification that jobs wait. On a cluster there is none. */
export const JOBS_WAIT = "liaison_jobs";

/**
 * A job exists once. A failed job waits again, a running job runs once more afterwards, and a waiting job stays as it
 * is. On a cluster, 'on conflict' may have no parameter: the nodes would not learn the types of the others.
 */
const ONCE = `on conflict (tenant_id, kind, subject) do update set
    is_asked_again = jobs.state = 'running',
    state = case jobs.state when 'failed' then 'waiting' else jobs.state end,
    lane = case jobs.state when 'failed' then excluded.lane else jobs.lane end,
    run_at = case jobs.state when 'failed' then excluded.run_at else jobs.run_at end,
    tries = case jobs.state when 'failed' then 0 else jobs.tries end,
    enqueued_at = case jobs.state when 'failed' then excluded.enqueued_at else jobs.enqueued_at end
  where jobs.state <> 'waiting' and not jobs.is_asked_again
  returning id`;

const enqueueing = callsOf<[kind: string, subjects: readonly string[], lane: string, afterMs: number]>(
  "enqueue_jobs",
  `insert into jobs (tenant_id, kind, subject, lane, run_at)
  select $1, $2, sent.subject, $4, now() + $5::double precision * interval '1 millisecond'
  from unnest($3::bigint[]) as sent (subject)
  ${ONCE}`,
  { isSilent: true },
);

/** A call that enqueues a job for each subject, in the transaction of its cause. */
export function enqueue(kind: string, subjects: readonly (string | number)[], lane: string, afterMs = 0): Call {
  // A statement may meet each job once; in one order everywhere, so that no two of them wait for each other.
  const ordered = [...new Set(subjects.map(String))].toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1));
  return enqueueing(kind, ordered, lane, afterMs);
}

/**
 * The same for many: its subjects and lanes come from a select of `subject` and `lane`, in which the tenant is $1 and
 * parameters begin at $3. Each subject is in it once.
 */
export function enqueueSelected(kind: string, select: Statement, parameters: Parameter[] = []): Call {
  const text = `insert into jobs (tenant_id, kind, subject, lane)
  select $1, $2, chosen.subject, chosen.lane from (${select.text}) as chosen
  ${ONCE}`;
  return { statement: { name: `enqueue_${select.name}`, text, isSilent: true }, parameters: [kind, ...parameters] };
}

/**
 * A call that moves waiting jobs to another lane ($3). Their subjects come from a select of `subject`, in which the
 * tenant is $1 and parameters begin at $4.
 */
export function moveSelected(kind: string, lane: string, select: Statement, parameters: Parameter[] = []): Call {
  const text = `update jobs j set lane = $3 from (${select.text}) as chosen
  where j.tenant_id = $1 and j.kind = $2 and j.subject = chosen.subject and j.state = 'waiting' and j.lane <> $3`;
  return { statement: { name: `move_${select.name}`, text }, parameters: [kind, lane, ...parameters] };
}

/** A call that makes waiting jobs run now instead of at their later time. */
export const hasten = callsOf<[kind: string, subjects: readonly (string | number)[]]>(
  "hasten_jobs",
  `update jobs set run_at = now()
  where tenant_id = $1 and kind = $2 and subject = any($3::bigint[]) and state = 'waiting' and run_at > now()`,
  { isSilent: true },
);

/** The same for all jobs of a kind, except those that pause because their receiver did not answer. */
export const hastenAll = callsOf<[kind: string]>(
  "hasten_all_jobs",
  `update jobs set run_at = now()
  where tenant_id = $1 and kind = $2 and state = 'waiting' and run_at > now() and not is_sparing`,
  { isSilent: true },
);

/** A worker's request for jobs. */
export type Claim = {
  worker: string;
  wanted: number;
  /** The most jobs of one tenant that the worker may run. */
  wantedEach: number;
  leaseMs: number;
  /** The limit of each kind. */
  limits: Readonly<Record<string, number>>;
  /** The ids of the worker's jobs whose leases are renewed. */
  kept: readonly string[];
};

export type Claimed = Omit<Job, "signal" | "stop" | "leasedUntil" | "hold" | "finish">;

const claimed = selectList({
  tenant: { sql: "tenant_id", read: (id) => asTenantId(String(id)) },
  id: column.text("id"),
  kind: column.text("kind"),
  subject: column.text("subject"),
  attempt: column.text("attempt"),
  tries: column.number("tries"),
  hasDied: column.flag("has_died"),
});

const claimStatement: Statement = {
  name: "claim_jobs",
  text: `select ${claimed.sql} from claim_jobs($1, $2, $3, $4::double precision * interval '1 millisecond', $5, $6, $7)`,
};

/** Claims jobs of any tenants for a worker. */
export async function claimJobs(database: Database, claim: Claim): Promise<Claimed[]> {
  const { worker, wanted, wantedEach, leaseMs, limits, kept } = claim;
  const parameters = [worker, wanted, wantedEach, leaseMs, Object.keys(limits), Object.values(limits), kept];
  return (await database.acrossTenants({ statement: claimStatement, parameters })).map(claimed.read);
}

const finishStatement: Statement = {
  name: "finish_jobs",
  text: "select finish_jobs($1, $2, false)",
  isSilent: true,
};
const finishingStrictly = callsOf<[entries: string]>("finish_jobs_strictly", "select finish_jobs($1, $2, true)", {
  isSilent: true,
});

/** The code by which finish_jobs() reports it. */
const STALE_ATTEMPT = "LN001";

/** Ends an attempt. Returns false, and changes nothing, if the attempt is over already. */
export async function finishJob(
  tenant: TenantId,
  database: Database,
  job: Pick<Job, "id" | "attempt">,
  outcome: Outcome,
): Promise<boolean> {
  const entries = [entryOf(job, outcome)];
  const [rows] = await database.write(tenant, [{ statement: finishStatement, parameters: [], entries }]);
  return oneValue(rows) === "t";
}

/** The call that ends an attempt. Its transaction fails if the attempt is over already. */
export function finishing(job: Pick<Job, "id" | "attempt">, outcome: Outcome): Call {
  return finishingStrictly(JSON.stringify([entryOf(job, outcome)]));
}

/** The call whose transaction fails if the attempt is over. Until the commit, no other worker can claim the job. */
export function holding({ id, attempt }: Pick<Job, "id" | "attempt">): Call {
  return finishingStrictly(JSON.stringify([{ id, attempt, outcome: "held" }]));
}

/** Whether a transaction with such a call came too late: another worker has the job, or it is over. */
export function isStaleAttempt(error: unknown): boolean {
  return hasCode(error, STALE_ATTEMPT);
}

function entryOf(
  { id, attempt }: Pick<Job, "id" | "attempt">,
  outcome: Outcome,
): Record<string, string | number | boolean | null> {
  const { outcome: name, answered = null } = outcome;
  const again = outcome.outcome === "again" ? outcome : null;
  return {
    id,
    attempt,
    outcome: name,
    after_ms: again?.afterMs ?? 0,
    counts: again?.counts ?? true,
    lane: again?.lane ?? null,
    answered,
  };
}

const laneState = selectList({
  lane: column.text("counted.lane"),
  waiting: column.number("counted.waiting"),
  running: column.number("counted.running"),
  failed: column.number("counted.failed"),
  /** The seconds since the oldest unfinished job was enqueued; null without one. */
  oldestPendingSeconds: column.numberOrNull("extract(epoch from now() - counted.oldest)"),
  /** No call is made until then; null if the lane is open. */
  closedUntil: "case when l.closed_until > now() then l.closed_until end",
});

/**
 * The queue of a tenant at a glance: its lanes with jobs of these kinds. `most`: the number of unfinished jobs that are
 * counted at most; null: all jobs are counted.
 */
export const readLanes = slowQuery<[kinds: readonly string[], most: number | null]>(
  "read_lanes",
  `select ${laneState.sql} from (
    select lane, count(*) filter (where state = 'waiting') as waiting, count(*) filter (where state = 'running') as running,
      count(*) filter (where state = 'failed') as failed, min(enqueued_at) filter (where state <> 'failed') as oldest
    from (select * from jobs where tenant_id = $1 and kind = any($2) and ($3::int is null or state <> 'failed') limit $3::int) j
    group by lane
  ) counted left join lanes l on l.tenant_id = $1 and l.name = counted.lane
  order by counted.lane`,
).all(laneState.read);

const opening = callsOf<[lane: string]>(
  "open_lane",
  "update lanes set closed_until = null where tenant_id = $1 and name = $2 and closed_until > now() returning name",
  { isSilent: true },
);

/** More jobs of a lane than these run at their own time. */
const MOST_WOKEN = 1_000;

const wakingJobs = callsOf<[lane: string]>(
  "wake_lane",
  `update jobs set run_at = now() where tenant_id = $1 and id = any(array(
    select id from jobs where tenant_id = $1 and lane = $2 and state = 'waiting' and (is_sparing or run_at <= now())
    order by run_at, id limit ${MOST_WOKEN}
  ))`,
  { isSilent: true },
);

/**
 * Opens a closed lane before its time. It still runs one job at a time until the receiver answers. A pause that the
 * receiver requested stays. False if the lane was open.
 */
export async function openLane(tenant: TenantId, database: Database, lane: string): Promise<boolean> {
  const [opened] = await database.write(tenant, [opening(lane), wakingJobs(lane)]);
  return opened?.[0] !== undefined;
}

const queueState = selectList({
  kind: column.text("j.kind"),
  state: column.text("j.state"),
  jobs: column.number("count(*)"),
  /** Seconds since the oldest of them was enqueued. */
  oldestSeconds: column.number("extract(epoch from now() - min(j.enqueued_at))"),
  /** Seconds since the first of them that waits could have run; 0 if none could. */
  overdueSeconds: column.number("coalesce(extract(epoch from now() - min(j.could_run_at)), 0)"),
});

/** The jobs of one kind in one state, of all tenants. */
export type QueueState = Selected<typeof queueState>;

const listingStates = callsOf(
  "queue_states",
  // A job is not overdue while its tenant is suspended, its lane is closed, or another job of its lane runs.
  `select ${queueState.sql} from (
    select j.kind, j.state, j.enqueued_at, case
      when j.state = 'waiting' and t.suspended_at is null
        and count(*) filter (where j.state = 'running' and j.lease_until > now()) over (partition by j.tenant_id, j.lane) = 0
        and greatest(j.run_at, l.closed_until) <= now()
      then greatest(j.run_at, l.closed_until) end as could_run_at
    from jobs j join tenants t on t.id = j.tenant_id left join lanes l on l.tenant_id = j.tenant_id and l.name = j.lane
  ) j group by j.kind, j.state`,
)();

const countingClosed = callsOf(
  "closed_lanes",
  // Of warehouses (warehouse/instance-url.ts). A webhook's receiver is the business of its tenant, not of the operator.
  `select count(*) from lanes l join tenants t on t.id = l.tenant_id
    where l.name like 'wms/%' and l.closed_until > now()`,
)();

/**
 * Counts the queue of all tenants, and the closed lanes of warehouses. Only for the owner, because it reads across
 * tenants.
 */
export async function readQueue(database: Database): Promise<{ states: QueueState[]; closedLanes: number }> {
  const [states = [], closed] = await database.owner([listingStates, countingClosed]);
  return { states: states.map(queueState.read), closedLanes: Number(oneValue(closed)) };
}
