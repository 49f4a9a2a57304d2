import type { Keyring } from "../platform/encryption/keyring.ts";
import { isId } from "../platform/ids.ts";
import { asTenantId, type TenantId } from "../platform/postgres/tenant-id.ts";

/** The context that the sealed address is bound to; no table has this column. */
const COLUMN = "users.digest";
const PATH = "/digest/unsubscribe?of=";
const LONGEST = 300;

/** The address at which a user ends the digest without a session. It is a ciphertext, so nobody else can make it. */
export function unsubscribePath(keyring: Keyring, tenant: TenantId, user: string): string {
  return `${PATH}${encodeURIComponent(keyring.encrypt("", COLUMN, `${tenant} ${user}`))}`;
}

/** The user of such an address; null if it is not ours, or its encryption key is gone. */
export function subscriberOf(keyring: Keyring, sealed: string): { tenant: TenantId; user: string } | null {
  const [tenant = "", user = ""] =
    (sealed.length > LONGEST ? null : keyring.clear("", COLUMN, sealed))?.split(" ") ?? [];
  return isId(tenant) && isId(user) ? { tenant: asTenantId(tenant), user } : null;
}
