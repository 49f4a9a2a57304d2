import type { Deps } from "../../kit/deps.ts";
import { enqueue } from "../../kit/jobs/job-queries.ts";
import type { Job, Outcome } from "../../kit/jobs/job.ts";
import { inSteps } from "../../platform/postgres/in-steps.ts";
import { forgetOldestDeliveries, forgetOfDeleted, forgetDeleted, hasWebhooks } from "./forget-queries.ts";

/** The job that removes old deliveries and deleted webhooks; one per tenant that has any. */
export const FORGET_DELIVERIES_JOB = "forget-deliveries";
/** One lane for all tenants, because the removal is not urgent. */
const LANE = "forget-deliveries";

const EVERY_MS = 3_600_000;

export async function forgetDeliveries({ database }: Deps, { tenant, stop }: Job): Promise<Outcome> {
  for (const call of [forgetOldestDeliveries, forgetOfDeleted]) await inSteps(tenant, database, call, stop);
  await forgetDeleted(tenant, database);
  if (await hasWebhooks(tenant, database)) return { outcome: "again", afterMs: EVERY_MS, counts: false };
  return { outcome: "done" };
}

/** The call that enqueues the job if it does not exist. */
export const scheduleCleanup = enqueue(FORGET_DELIVERIES_JOB, [0], LANE, EVERY_MS);
