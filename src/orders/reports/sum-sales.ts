import type { Deps } from "../../kit/deps.ts";
import { enqueue } from "../../kit/jobs/job-queries.ts";
import type { Job, Outcome } from "../../kit/jobs/job.ts";
import type { Run } from "../../platform/postgres/database.ts";
import type { Call } from "../../platform/postgres/statement.ts";
import { beginWalk, sumChanged, forgetChanges, lockSalesProgress, walkOn } from "./summed-sales-queries.ts";

/** The job that sums up a tenant's older sales by company and month. */
export const SUM_SALES_JOB = "sum-sales";
/** One lane for all tenants, because the report is exact without it. */
const LANE = "sum-sales";

/** The call that has the job run. */
export function sumSales(): Call {
  return enqueue(SUM_SALES_JOB, [0], LANE);
}

/** Sums up in steps, until all companies are summed up and no change waits. */
export async function sumSalesJob({ database }: Deps, { tenant, stop }: Job): Promise<Outcome> {
  for (let hasMore = true; hasMore;) {
    stop.throwIfAborted();
    hasMore = await database.transaction(tenant, step);
  }
  return { outcome: "done" };
}

async function step(run: Run): Promise<boolean> {
  const progress = await lockSalesProgress(run);
  if (progress === null) return true;
  const { until, target, isCleared, last } = progress;
  if (!isCleared) await forgetChanges(run);
  else if (Number(until) < target) await walkOn(run);
  else if (target < last) await beginWalk(run, last);
  else return await sumChanged(run);
  return true;
}
