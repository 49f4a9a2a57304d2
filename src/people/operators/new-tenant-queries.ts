import type { Database } from "../../platform/postgres/database.ts";
import type { Call } from "../../platform/postgres/statement.ts";
import { asTenantId, type TenantId } from "../../platform/postgres/tenant-id.ts";
import { insertTenantStatement } from "../tenants/tenant-queries.ts";
import { insertInvitationStatement } from "../users/invitation-queries.ts";

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
  { hash, createdAt, expiresAt }: FirstInvitation,
  alongside: (tenant: TenantId) => readonly Call[],
): Promise<string | null> {
  return await database.ownerTransaction(async (run) => {
    const [[id = null] = []] = await run(insertTenantStatement, [slug, name, country]);
    if (id === null) return null;
    await run(insertInvitationStatement, [id, email, "admin", hash, null, createdAt, expiresAt, by, null]);
    const calls = alongside(asTenantId(id));
    for (const { statement, parameters } of calls) await run(statement, [id, ...parameters]);
    return id;
  });
}
