import type { Deps } from "../../kit/deps.ts";
import { enqueue, hasten } from "../../kit/jobs/job-queries.ts";
import type { Job, Outcome } from "../../kit/jobs/job.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import {
  commonValues,
  countValue,
  forgetValueChanges,
  forgetUnasked,
  wantCountStatement,
} from "./kept-count-queries.ts";

/** The job that counts the companies with common values, and folds the changes since. */
export const COUNT_VALUES_JOB = "count-values";
/** One lane for all tenants, because lists are exact without it. */
const LANE = COUNT_VALUES_JOB;
/** The pause between two runs, and that until the transactions of a moment are over. */
const [EVERY_MS, SOON_MS] = [3_600_000, 2_000];

/** Has the job count a value, or fold its changes. The list does not wait for that, and sends this again. */
export function keepCount(tenant: TenantId, { tally, unattended }: Database, key: string, value: string): void {
  tally(`count_values/${tenant}`, 1, 1, async () => {
    const want = { statement: wantCountStatement, parameters: [key, value] };
    const run = [enqueue(COUNT_VALUES_JOB, [0], LANE), hasten(COUNT_VALUES_JOB, [0])];
    await unattended.write(tenant, [want, ...run]).catch(() => {});
  });
}

export async function countCommonValues({ database }: Deps, { tenant, stop }: Job): Promise<Outcome> {
  await forgetUnasked(tenant, database);
  for (const { key, value, isCounted } of await commonValues(tenant, database)) {
    // A new value has a step before it is counted.
    for (let step = isCounted ? 1 : 0; step < 2; step++) {
      stop.throwIfAborted();
      await database.transaction(tenant, async (run) => await countValue(run, key, value));
    }
  }
  const hasForgotten = await forgetValueChanges(tenant, database);
  const kept = await commonValues(tenant, database);
  if (kept.length === 0 && !hasForgotten) return { outcome: "done" };
  const isAnyWaiting = kept.some(({ isCounted }) => !isCounted);
  return { outcome: "again", afterMs: isAnyWaiting ? SOON_MS : EVERY_MS, counts: false };
}
