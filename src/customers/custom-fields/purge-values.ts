import type { Deps } from "../../kit/deps.ts";
import type { Job, Outcome } from "../../kit/jobs/job.ts";
import { findUnpurged, notingPurged, PURGED_AFTER_MS, purgeSome } from "./custom-field-queries.ts";
import { forgetDefined } from "./defined-fields.ts";

/**
 * Removes the values of a deleted field in steps, once the imports that may write them have ended. After a kill it
 * begins again, and finds those that are left.
 * A file of its own: it is a job, which only the worker's list imports.
 */
export async function purgeValues({ database }: Deps, job: Job): Promise<Outcome | "finished"> {
  const field = await findUnpurged(job.tenant, database, job.subject);
  if (field === null) return { outcome: "done" };
  if (field.isWritten) return { outcome: "again", afterMs: PURGED_AFTER_MS, counts: false };
  for (let last: string | undefined = "0"; last !== undefined;) {
    job.stop.throwIfAborted();
    const purged: number[] = await purgeSome[field.noun](job.tenant, database, field.key, last);
    last = purged.length === 0 ? undefined : String(Math.max(...purged));
  }
  await database.write(job.tenant, [notingPurged(job.subject), job.finish({ outcome: "done" })]);
  forgetDefined(job.tenant, database);
  return "finished";
}
