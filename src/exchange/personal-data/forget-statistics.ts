import type { Deps } from "../../kit/deps.ts";
import type { Job, Outcome } from "../../kit/jobs/job.ts";
import { collectStatistics } from "../../platform/postgres/collect-statistics.ts";
import { erasedTables } from "./erase-contact-queries.ts";

/**
 * A file of its own: each kind of job has a file.
 * Removes erased people from the planner's statistics, which store common values and samples as text. It runs after the
 * erasure's commit, because before it the rows still count.
 */
export async function forgetStatistics({ database }: Deps, { stop }: Job): Promise<Outcome> {
  for (const table of erasedTables) {
    stop.throwIfAborted();
    await collectStatistics(database, table);
  }
  return { outcome: "done" };
}
