import type { Database } from "../../platform/postgres/database.ts";
import { callsOf, runAll } from "../../platform/postgres/query.ts";
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

const lockingActive = callsOf(
  "lock_active_tenant",
  "select id from tenants where id = $1 and suspended_at is null for no key update",
);

/** The address of the newest invitation of a tenant where nobody has accepted one; no row where there is a user. */
const findingInvited = callsOf(
  "invited_first_admin",
  `select i.email from invitations i where i.tenant_id = $1 and i.accepted_at is null
    and not exists (select from users u where u.tenant_id = $1) order by i.id desc limit 1`,
);

const endingOthers = callsOf<[email: string, by: string]>(
  "end_first_invitations",
  `update invitations set revoked_at = now(), changed_by = $3, updated_at = moment_after(updated_at)
  where tenant_id = $1 and accepted_at is null and revoked_at is null and lower(email) <> lower($2)`,
);

/** The address to which the first admin of a tenant was invited; null if the tenant has users, or invited nobody. */
export async function findFirstInvited(tenant: TenantId, database: Database): Promise<string | null> {
  const [rows] = await database.owner(withTenant(tenant, [findingInvited()]));
  return oneValue(rows);
}

/**
 * Invites the first admin again, and ends the earlier invitations. False if the tenant is suspended, has users by now,
 * or has invited nobody before: then it belongs to programs.
 */
export async function replaceFirstInvitation(
  tenant: TenantId,
  database: Database,
  { email, by }: Pick<NewTenant, "email" | "by">,
  first: FirstInvitation,
  alongside: readonly Call[],
): Promise<boolean> {
  return await database.ownerTransaction(async (run) => {
    const [locked, invited] = await runAll(run, withTenant(tenant, [lockingActive(), findingInvited()]));
    if (oneValue(locked) === null || oneValue(invited) === null) return false;
    const invitation = insertingInvitation({ ...first, email, role: "admin", invitedBy: null, by, forUser: null });
    await runAll(run, withTenant(tenant, [endingOthers(email, by), invitation, ...alongside]));
    return true;
  });
}
