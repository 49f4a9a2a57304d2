import { now, sleep, steady } from "../../platform/clock.ts";
import { DatabaseUnavailable } from "../../platform/postgres/failures.ts";
import { Overloaded } from "../../platform/sharing/overloaded.ts";
import { depsOf, type Deps } from "../deps.ts";
import { attemptTallies } from "./attempt-tallies.ts";
import { finishJob, isStaleAttempt } from "./job-queries.ts";
import type { Job, Kinds, Outcome } from "./job.ts";

/** The longest pause after the first attempt that threw. It doubles with each further one. */
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 900_000;
/** The time in which the end of an attempt must be written. Then its lease is over too. */
const FINISH_FOR_MS = 30_000;
const FINISH_AGAIN_MS = 500;
/** The outcome of an attempt whose worker stops. */
const GIVEN_BACK: Outcome = { outcome: "again", afterMs: 0, counts: false };

/**
 * Runs a job and writes its outcome. Never fails. Returns the milliseconds until it runs again; null if it does not.
 */
export async function attemptJob(deps: Deps, kinds: Kinds, job: Job): Promise<number | null> {
  const begunAt = steady();
  const outcome = await run(deps, kinds, job);
  const name = outcome === "finished" ? outcome : outcome.outcome;
  attemptTallies.note([job.kind, name], steady() - begunAt);
  // The worker has given the job up: its lease ends by itself.
  if (outcome === "finished" || job.signal.aborted) return null;
  await finish(deps, job, outcome);
  return outcome.outcome === "again" ? outcome.afterMs : null;
}

async function run(deps: Deps, kinds: Kinds, job: Job): Promise<Outcome | "finished"> {
  try {
    const kind = kinds[job.kind];
    if (kind === undefined) throw new Error(`there is no kind ${job.kind}`);
    return await kind.run(depsOf(deps, job.tenant), job);
  } catch (error) {
    if (job.stop.aborted && error === job.stop.reason) return GIVEN_BACK;
    const { tenant, kind, subject, id, tries } = job;
    const words = { err: error, tenant, kind, subject, job: id };
    if (isStaleAttempt(error)) {
      deps.logger.warn(words, "an attempt at a job came too late, and has changed nothing");
      return "finished";
    }
    if (!job.signal.aborted) deps.logger.error(words, "an attempt at a job failed unexpectedly; it comes again");
    const spread = Math.min(FIRST_RETRY_MS * 2 ** (tries - 1), LONGEST_RETRY_MS);
    return { outcome: "again", afterMs: Math.random() * spread, counts: true };
  }
}

async function finish({ database, logger }: Deps, job: Job, outcome: Outcome): Promise<void> {
  const { tenant, kind, subject, id } = job;
  const until = now() + FINISH_FOR_MS;
  for (;;) {
    try {
      const wasOurs = await finishJob(tenant, database, job, outcome);
      if (!wasOurs) logger.warn({ tenant, kind, subject, job: id }, "an attempt at a job came too late");
      return;
    } catch (error) {
      const isPutOff = error instanceof DatabaseUnavailable || error instanceof Overloaded;
      const isWorthwhile = isPutOff && now() < until && !job.signal.aborted;
      if (!isWorthwhile) {
        logger.error(
          { err: error, tenant, kind, subject, job: id },
          "the end of an attempt at a job could not be written",
        );
        return;
      }
      await sleep(FINISH_AGAIN_MS);
    }
  }
}
