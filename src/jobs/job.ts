import type { Config } from "../config.ts";
import type { Deps } from "../deps.ts";
import type { Call } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";

/**
 * The queue of work that follows a commit (docs/decisions/0027-jobs.md). It knows neither who enqueues nor what is done.
 *
 * To add a kind of job:
 *
 * 1. Give it an entry in the table `kinds` of `src/worker.ts`, or in `webhookKinds` where strangers' servers may keep it waiting, by the
 *    name of the kind: `run`, and `limit`, the number that may run at once in one lane. `run` stands in the noun's room.
 * 2. Enqueue with its cause: `enqueue(kind, subjects, lane)` (job-queries.ts) makes a call that goes into the transaction
 *    of the write (`database.write(tenant, [write, enqueue(...)])`), `enqueueSelected` one that takes its
 *    subjects from a select of the noun's own. If the transaction is rolled back, there is no job. Such a transaction is
 *    its caller's alone. Where many callers' writes are one statement (database.ts), a trigger of that statement enqueues
 *    instead, and they stay one: migrations/functions/wms_jobs_of_created.sql is the example. A job carries the id of its
 *    subject and nothing else: what is to be done stands in the subject's row. A job that waits and is enqueued again
 *    stays one; a job that runs is run once more afterwards, at once unless it has to wait for the one it called.
 * 3. Name the lane after what is to be spared: jobs in lanes of one name share a limit, whichever tenants' they are, and
 *    each tenant's lane has a circuit. Kinds that share a lane have the same limit.
 * 4. `run` reads the subject, commits what it is about to do where that matters, calls out with no transaction open,
 *    under `job.signal`, and answers with an outcome. Where the result is recorded, it is recorded together with the
 *    job's end: `database.write(job.tenant, [record, job.finish(outcome)])`, then return "finished". Once the job is
 *    somebody else's, that transaction fails with StaleAttempt (isStaleAttempt) and records nothing; let it be thrown.
 *    What `job.stop` has thrown gives the job back. Anything else that `run` throws is logged, and the job comes again, later each time.
 *    A kind that calls somebody has `calls: true`, and waits while calls are held.
 * 5. `run` may be run twice: `job.hasDied` says that the attempt before ended without a word, after whatever it did.
 *    Where an attempt may die of its own input, the kind counts in the subject's row the attempts that got no further,
 *    and sets the subject aside for people after the second one (src/imports/import-job.ts).
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
  /** The id of what it is about. */
  subject: string;
  /** Grows with every claim, so it is nobody else's. */
  attempt: string;
  /** The attempts that count, with this one. */
  tries: number;
  /** Whether the attempt before this one ended without a word: nobody knows what it has done. */
  hasDied: boolean;
  /** Aborted when the worker can wait no longer. */
  signal: AbortSignal;
  /**
   * Aborted as soon as the worker is told to stop, and when the job is no longer the worker's. A kind that takes long heeds it between
   * two steps: what `stop.throwIfAborted()` throws gives the job back, to run at once elsewhere, and such an attempt counts as no try.
   */
  stop: AbortSignal;
  /** The moment (steady()) until which the job is certainly nobody else's. It moves while the worker lives. */
  heldUntil(): number;
  /** The call that ends the job, for the transaction that records its result. */
  finish(outcome: Outcome): Call;
}>;

/** How an attempt ended. */
export type Outcome = Readonly<
  (
    | { outcome: "done" }
    /** The job stays in the queue for people to see, until its subject is enqueued again. */
    | { outcome: "failed" }
    /** `counts`: whether this attempt is one of its `tries`. `lane`: another one from now on. */
    | { outcome: "again"; afterMs: number; counts: boolean; lane?: string }
  ) & {
    /**
     * Whether the one that was called gave an answer, which a refusal is too; left out where nobody was called.
     * Five failures in a row close the lane for 30 seconds, and then for all but one job at a time.
     */
    answered?: boolean;
  }
>;
