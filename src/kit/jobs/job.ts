import type { Call } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import type { Config } from "../config.ts";
import type { Deps } from "../deps.ts";

/**
 * The queue of work that follows a commit (docs/decisions/0027-jobs.md). It knows neither nouns nor kinds.
 *
 * To add a kind of job:
 *
 * 1. Add an entry to the table `kinds` of `src/worker.ts`, or to `webhookKinds` if strangers' servers may delay it. The
 *    entry has `run`, and `limit`: how many may run at once in one lane. `run` is in the noun's room.
 * 2. Enqueue the job with its cause. `enqueue(kind, subjects, lane)` (job-queries.ts) makes a call for the write's
 *    transaction: `database.write(tenant, [write, enqueue(...)])`. `enqueueSelected` reads the subjects by a select. If
 *    that is rolled back, there is no job. Such a transaction is not shared with other callers. If several
 *    callers' writes share a statement (database.ts), a trigger of that statement enqueues instead: see
 *    migrations/functions/wms_jobs_of_created.sql. A job has the id of its subject and no other data: the subject's row
 *    says what is to be done. A waiting job that is enqueued again stays one job. A running job runs once more
 *    afterwards: at once, or after its pause if it made a call.
 * 3. Name the lane after the receiver that it protects. Jobs in lanes of one name share a limit, over all tenants. Each
 *    tenant's lane has its own circuit breaker. Kinds that share a lane have the same limit.
 * 4. `run` reads the subject. It commits what it is about to do, if a later attempt must know that, together with
 *    `job.hold()`: a late attempt may not change what the attempt after it has read. It calls other
 *    systems without an open transaction, under `job.signal`, and returns an outcome. A result is stored together with
 *    the end of the job: `database.write(job.tenant, [record, job.finish(outcome)])`; then it returns "finished". If a
 *    new attempt has the job by then, that transaction fails with StaleAttempt (isStaleAttempt) and stores nothing: do
 *    not catch it. The error of `job.stop` returns the job to the queue. Any other error is logged, and the job runs
 *    again after a pause that grows. A kind that makes calls has `calls: true`, and waits while calls are held.
 * 5. A job may run twice. `job.hasDied` says that the attempt before ended without a report. Its effect is unknown.
 *    If an attempt may die of its own input, the kind counts such attempts in the subject's row, and gives up after the
 *    second one (src/exchange/imports/import-job.ts).
 */
export type Kinds = Readonly<Record<string, JobKind>>;

export type JobKind = {
  /** The number that may run at once in lanes of one name, over all tenants and workers. */
  limit(config: Config): number;
  /** A kind that calls somebody else waits while calls are held (platform/postgres/held-calls.ts). */
  calls?: true;
  run(deps: Deps, job: Job): Promise<Outcome | "finished">;
};

/** A job while it is run. */
export type Job = Readonly<{
  tenant: TenantId;
  id: string;
  kind: string;
  /** The id of the row that the job is about. */
  subject: string;
  /** Grows with every claim, so no two attempts have the same. */
  attempt: string;
  /** The attempts that count, with this one. */
  tries: number;
  /** Whether the attempt before this one ended without a report, so what it did is unknown. */
  hasDied: boolean;
  /** Aborted when the worker gives the job up. */
  signal: AbortSignal;
  /**
   * Aborted as soon as the worker begins to stop, and when the job is no longer its own. A long kind checks it between
   * two steps: the error of `stop.throwIfAborted()` returns the job to the queue, to run at once elsewhere. Such an
   * attempt does not count as a try.
   */
  stop: AbortSignal;
  /** The moment (steady()) until which no other worker can have the job. It moves while the worker lives. */
  leasedUntil(): number;
  /** The last call of a transaction that records what is done next. It fails like `finish`, and ends nothing. */
  hold(): Call;
  /** The call that ends the job, for the transaction that records its result. */
  finish(outcome: Outcome): Call;
}>;

/** How an attempt ended. */
export type Outcome = Readonly<
  (
    | { outcome: "done" }
    /** The job stays in the queue, visible to people, until its subject is enqueued again. */
    | { outcome: "failed" }
    /** `counts`: whether this attempt counts as one of its `tries`. `lane`: its lane from now on. */
    | { outcome: "again"; afterMs: number; counts: boolean; lane?: string }
  ) & {
    /**
     * Whether the called system answered; a rejection is an answer too. Left out if nothing was called. Five failures
     * in a row close the lane for 30 seconds. Then it runs one job at a time, until a call is answered.
     */
    answered?: boolean;
  }
>;
