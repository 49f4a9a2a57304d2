import { sleep, steady } from "../../platform/clock.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { inSteps } from "../../platform/postgres/in-steps.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { forgetOldestChanges, QUICK_TICK, tick } from "./feed-queries.ts";

/**
 * The pause before the next try while a tick of another process is in progress. That tick may have begun before the
 * write.
 */
const AGAIN_AFTER_MS = 5;
const PATIENCE_MS = 2_000;

/** The changes of a tick if more wait than a quick tick numbers. */
const MANY = 10_000;

/** After this number of new changes, at least as many old ones are removed. */
const FORGET_AFTER = 1_000;

/**
 * Numbers the changes that were committed before the call, without delaying writers. Callers in one process share it.
 * Returns whether some changes are left for the next call.
 */
export async function numberChanges(tenant: TenantId, { oneForMany, unattended }: Database): Promise<boolean> {
  return await oneForMany(`number_changes/${tenant}`, async () => {
    const deadline = steady() + PATIENCE_MS;
    for (let most = QUICK_TICK; ;) {
      const ticked = await tick(tenant, unattended, most);
      if (ticked === null) {
        if (steady() > deadline) return true;
        await sleep(AGAIN_AFTER_MS);
        continue;
      }
      const { numbered, hasMore } = ticked;
      if (numbered > 0)
        unattended.tally(`forget_feed/${tenant}`, numbered, FORGET_AFTER, () => forget(tenant, unattended));
      if (!hasMore || most === MANY) return hasMore;
      most = MANY;
    }
  });
}

/** Never fails: old changes that stay longer do no harm, and the next call removes them. */
async function forget(tenant: TenantId, database: Database): Promise<void> {
  try {
    await inSteps(tenant, database, forgetOldestChanges);
  } catch {
    // As above.
  }
}
