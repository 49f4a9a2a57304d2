import { BoundedMap } from "../../platform/bounded-map.ts";
import { steady } from "../../platform/clock.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { inSteps } from "../../platform/postgres/in-steps.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import type { Deps } from "../deps.ts";
import { enqueue } from "../jobs/job-queries.ts";
import type { Job, Outcome } from "../jobs/job.ts";
import { EVERY_MS, FORGET_ANSWERS_JOB, LANE } from "./forget-job.ts";
import { forgetOldestPending, hasPendingRequests } from "./pending-request-queries.ts";
import { forgetOldestAnswers, hasStoredAnswers } from "./stored-answer-queries.ts";

export async function forgetAnswers({ database }: Deps, { tenant, stop }: Job): Promise<Outcome> {
  await inSteps(tenant, database, forgetOldestAnswers, stop);
  await inSteps(tenant, database, forgetOldestPending, stop);
  const isAnyLeft = (await hasStoredAnswers(tenant, database)) || (await hasPendingRequests(tenant, database));
  if (isAnyLeft) return { outcome: "again", afterMs: EVERY_MS, counts: false };
  return { outcome: "done" };
}

/** The most tenants of which this process knows that they have a job. */
const REMEMBERED = 10_000;

/** Enqueues the job that removes a tenant's answers if it does not exist. Requests do not wait for that. */
export function createEnsureRemoval(): (tenant: TenantId, database: Database) => void {
  const notedAt = new BoundedMap<number>(REMEMBERED);
  return (tenant, { unattended }) => {
    if (steady() - (notedAt.get(tenant) ?? -Infinity) < EVERY_MS) return;
    notedAt.set(tenant, steady());
    // If this fails, the next answer after an hour tries again.
    unattended.write(tenant, [enqueue(FORGET_ANSWERS_JOB, [0], LANE, EVERY_MS)]).catch(() => {});
  };
}
