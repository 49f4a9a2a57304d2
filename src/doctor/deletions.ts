import { isoTimestamp } from "../platform/dates.ts";
import { listTenants } from "../tenants/tenant-queries.ts";
import type { Examination } from "./check.ts";

/** Tenants whose deletion was interrupted: they are incomplete, so the deletion must be finished. */
export const checkDeletions: Examination = async ({ database }) =>
  (await listTenants(database)).flatMap(({ slug, deletingAt }) =>
    deletingAt === null
      ? []
      : [
          `The tenant ${slug} is being deleted since ${isoTimestamp(deletingAt)}: unless somebody does so now, finish it: liaison tenant delete ${slug} --confirm ${slug}`,
        ],
  );
