import { sleep, steady } from "../platform/clock.ts";
import type { Database } from "../platform/postgres/database.ts";
import { inSteps } from "../platform/postgres/in-steps.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { forgetOldestChanges, QUICK_TICK, tick } from "./feed-queries.ts";

/** Another process's tick is waited for: it may have begun before the write that one asks about. */
const AGAIN_AFTER_MS = 5;
const PATIENCE_MS = 2_000;

/** Where more wait than are numbered at once. */
const MANY = 10_000;

/** Every so many changes make room for as many old ones, and more. */
const FORGET_AFTER = 1_000;

/**
 * Gives a place in the feed to what was committed before the call, beside those who write; callers in one process share it. Returns
 * whether some was left for the next call.
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

/** Never fails: what is kept longer harms nobody, and goes with the next. */
async function forget(tenant: TenantId, database: Database): Promise<void> {
  try {
    await inSteps(tenant, database, forgetOldestChanges);
  } catch {
    // As above.
  }
}
