import type { Config } from "../config.ts";
import type { Deps } from "../deps.ts";
import type { Call } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";

/**
 * The queue (docs/decisions/0027-jobs.md): what is to happen after a commit, and knows neither who enqueues nor what is done.
 *
 * To add a kind of job:
 *
 * 1. Give it an entry in the table of `src/worker.ts`, by the name of the kind: `run`, and `limit`, the number that may
 *    run at once in one lane. `run` stands in the noun's room.
 * 2. Enqueue with its cause: `enqueue(kind, subjects, lane)` (job-queries.ts) makes a call that goes into the transaction
 *    of the write (`database.write(tenant, [write, enqueue(...)])`), `enqueueSelected` one that takes its
 *    subjects from a select of the noun's own. Such a transaction is its caller's alone. Where many callers' writes are one
 *    statement (database.ts), a trigger of that statement enqueues instead, and they stay one: migrations/functions/
 *    wms_jobs_of_created.sql is the example. Rolled back, there is no job. A subject is an id, and all that a job
 *    carries: what is to be done stands in the subject's row. A kind and subject that wait already stay one job; one that
 *    runs is run once more afterwards, at once unless it has to wait for whom it called.
 * 3. Name the lane after what is to be spared: jobs in lanes of one name share a limit, whichever tenants' they are, and
 *    each tenant's lane has a circuit. Kinds that share a lane have the same limit.
 * 4. `run` reads the subject, commits what it is about to do where that matters, calls out with no transaction open,
 *    under `job.signal`, and answers with an outcome. Where the result is recorded, it is recorded together with the
 *    job's end: `database.write(job.tenant, [record, job.finish(outcome)])`, then return "finished". That
 *    transaction fails with StaleAttempt (isStaleAttempt), and records nothing, once the job is somebody else's; let it be
 *    thrown. Anything else that `run` throws is logged, and the job comes again, later each time.
 * 5. `run` may be run twice: `job.hasDied` says that the attempt before ended without a word, after whatever it did. A kind whose
 *    attempts may die of what they compute over counts, in the subject's row, those that got no further, and sets the subject aside
 *    for people after the second one (src/imports/import-job.ts).
 */
export type Kinds = Readonly<Record<string, JobKind>>;

export type JobKind = {
  /** The number that may run at once in lanes of one name, over all tenants and workers. */
  limit(config: Config): number;
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
  /** The moment, as steady() says it, until which the job is certainly nobody else's. It moves while the worker lives. */
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
     * Whether who was called gave an answer, a refusal too (true), or failed to (false); left out where nobody was called.
     * Five failures in a row close the lane for 30 seconds, and then for all but one job at a time.
     */
    answered?: boolean;
  }
>;
