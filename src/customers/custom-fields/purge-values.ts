import type { Deps } from "../../kit/deps.ts";
import type { Job } from "../../kit/jobs/job.ts";
import { findUnpurged, notingPurged, purgeSome } from "./custom-field-queries.ts";
import type { CustomNoun } from "./custom-field.ts";
import { forgetDefined } from "./defined-fields.ts";

/**
 * Removes the values of a deleted field in steps. After a kill it begins again, and finds those that are left.
 * A file of its own: it is a job, which only the worker's list imports.
 */
export async function purgeValues({ database }: Deps, job: Job): Promise<"finished"> {
  const [noun, key] = (await findUnpurged(job.tenant, database, job.subject)) ?? [];
  let last: string | undefined = noun === undefined ? undefined : "0";
  while (last !== undefined) {
    job.stop.throwIfAborted();
    const purged = await purgeSome[noun as CustomNoun](job.tenant, database, key ?? "", last);
    last = purged.length === 0 ? undefined : String(Math.max(...purged));
  }
  await database.write(job.tenant, [notingPurged(job.subject), job.finish({ outcome: "done" })]);
  forgetDefined(job.tenant, database);
  return "finished";
}
