import { isoTimestamp } from "../platform/dates.ts";
import { listTenants } from "../tenants/tenant-queries.ts";
import type { Examination } from "./check.ts";

/** Tenants of which a part is gone: they can only be deleted whole. */
export const checkDeletions: Examination = async ({ database }) =>
  (await listTenants(database)).flatMap(({ slug, deletingAt }) =>
    deletingAt === null
      ? []
      : [
          `The tenant ${slug} is being deleted since ${isoTimestamp(deletingAt)}: unless somebody does so now, finish it: liaison tenant delete ${slug} --confirm ${slug}`,
        ],
  );
