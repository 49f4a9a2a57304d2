import type { Database } from "../../platform/postgres/database.ts";
import { runAll } from "../../platform/postgres/query.ts";
import { oneValue, withTenant, type Call } from "../../platform/postgres/statement.ts";
import { asTenantId, type TenantId } from "../../platform/postgres/tenant-id.ts";
import { insertingTenant } from "../tenants/tenant-queries.ts";
import { insertingInvitation } from "../users/invitation-queries.ts";

export type NewTenant = {
  slug: string;
  name: string;
  country: string | null;
  /** The address of the first admin. */
  email: string;
  /** As changes.changed_by has it. */
  by: "operator" | "command";
};

type FirstInvitation = { hash: Buffer; createdAt: number; expiresAt: number };

/**
 * Creates a tenant with the open invitation of an admin, both or neither. Null if the slug is taken.
 * @param alongside calls of the tenant that are committed with it
 */
export async function insertTenantWithAdmin(
  database: Database,
  { slug, name, country, email, by }: NewTenant,
  first: FirstInvitation,
  alongside: (tenant: TenantId) => readonly Call[],
): Promise<string | null> {
  return await database.ownerTransaction(async (run) => {
    const id = oneValue(await run(insertingTenant(slug, name, country)));
    if (id === null) return null;
    const tenant = asTenantId(id);
    const invitation = insertingInvitation({ ...first, email, role: "admin", invitedBy: null, by, forUser: null });
    await runAll(run, withTenant(tenant, [invitation, ...alongside(tenant)]));
    return id;
  });
}
