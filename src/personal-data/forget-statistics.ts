import type { Deps } from "../deps.ts";
import type { Job, Outcome } from "../jobs/job.ts";
import { collectStatistics } from "../platform/postgres/collect-statistics.ts";
import { erasedTables } from "./erase-contact-queries.ts";

/**
 * Takes people whose data were erased out of the planner's statistics, which keep common values and samples as text. Behind the erasure's commit:
 * before it the rows count as they were.
 */
export async function forgetStatistics({ database }: Deps, { stop }: Job): Promise<Outcome> {
  for (const table of erasedTables) {
    stop.throwIfAborted();
    await collectStatistics(database, table);
  }
  return { outcome: "done" };
}
