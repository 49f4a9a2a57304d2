import { recount } from "../companies/company-count-queries.ts";
import { listTenants } from "../tenants/tenant-queries.ts";
import type { Examination } from "./check.ts";

/** Compares stored totals with real counts (docs/decisions/0020-appended-counts.md). */
export const checkCounts: Examination = async ({ database }) => {
  const messages: string[] = [];
  for (const { id, slug, deletingAt } of await listTenants(database)) {
    // No list shows the rest of a tenant that is being deleted.
    if (deletingAt !== null) continue;
    const { shown, there, differences } = await recount(id, database);
    if (shown === there && differences === 0) continue;
    messages.push(
      `The lists of tenant ${slug} say ${shown} companies, and there are ${there} (${differences} of their parts differ): count them anew (docs/operations.md 14.1).`,
    );
  }
  return messages;
};
