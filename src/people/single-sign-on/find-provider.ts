import type { Store } from "../../kit/deps.ts";
import { findTenant } from "../tenants/tenant-queries.ts";
import { findSingleSignOn, type StoredSingleSignOn } from "./single-sign-on-queries.ts";
import { SECRET_COLUMN, type Provider } from "./single-sign-on.ts";

/** A workspace's provider, on or off. Null: the workspace is unknown or suspended, or has none. */
export async function findProvider({ database, keyring }: Store, slug: string): Promise<Provider | null> {
  const tenant = await findTenant(database, slug);
  if (tenant === null || tenant.suspendedAt !== null) return null;
  const stored = await findSingleSignOn(tenant.id, database);
  if (stored === null) return null;
  const secret = keyring.reveal(tenant.id, SECRET_COLUMN, stored.secret);
  if (secret === null) return null;
  const { issuer, clientId, scopes, isOn } = stored;
  const client = { issuer, clientId, secret, scopes, sealedSecret: stored.secret };
  return { ...client, tenant: tenant.id, slug, tenantEpoch: tenant.sessionEpoch, isOn, rules: rulesOf(stored) };
}

/** Whether a workspace has single sign-on, and whether that is its only way to sign in. */
export async function singleSignOnModeOf(
  { database }: Pick<Store, "database">,
  slug: string,
): Promise<{ isOn: boolean; isOnly: boolean }> {
  const tenant = await findTenant(database, slug);
  const stored = tenant === null || tenant.suspendedAt !== null ? null : await findSingleSignOn(tenant.id, database);
  return { isOn: stored?.isOn ?? false, isOnly: stored?.isOnly ?? false };
}

function rulesOf(stored: StoredSingleSignOn): Provider["rules"] {
  const { domains, trustsAddresses, admitsDomains, groupsClaim, adminGroup } = stored;
  return {
    domains: domains.split(" ").filter((domain) => domain !== ""),
    trustsAddresses,
    admitsDomains,
    groupsClaim,
    adminGroup,
  };
}
