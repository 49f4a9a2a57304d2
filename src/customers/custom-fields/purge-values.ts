import type { Deps } from "../../kit/deps.ts";
import type { Job } from "../../kit/jobs/job.ts";
import { findDeleted, purgedStatement, purgeStatement } from "./custom-field-queries.ts";
import type { CustomNoun } from "./custom-field.ts";
import { forgetDefined } from "./defined-fields.ts";

/** Removes the values of a deleted field in steps. After a kill it begins again, and finds those that are left. */
export async function purgeValues({ database }: Deps, job: Job): Promise<"finished"> {
  const [noun, key] = (await findDeleted(job.tenant, database, job.subject)) ?? [];
  let last: string | undefined = noun === undefined ? undefined : "0";
  while (last !== undefined) {
    job.stop.throwIfAborted();
    const statement = purgeStatement(noun as CustomNoun);
    const [rows = []] = await database.write(job.tenant, [{ statement, parameters: [key ?? "", last] }]);
    last = rows
      .map(([id]) => Number(id))
      .toSorted((one, other) => one - other)
      .at(-1)
      ?.toString();
  }
  const purged = { statement: purgedStatement, parameters: [job.subject] };
  await database.write(job.tenant, [purged, job.finish({ outcome: "done" })]);
  forgetDefined(job.tenant, database);
  return "finished";
}
