import type { Keyring } from "../../platform/encryption/keyring.ts";
import { sealing } from "../../platform/encryption/sealed.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

const PATH = "/digest/unsubscribe?of=";
const LONGEST = 300;

const subscriber = sealing<{ tenant: TenantId; user: string }>("users.unsubscribe", LONGEST);

/** The address at which a user ends the digest without a session. It is a ciphertext, so nobody else can make it. */
export function unsubscribePath(keyring: Keyring, tenant: TenantId, user: string): string {
  return `${PATH}${encodeURIComponent(subscriber.seal(keyring, { tenant, user }))}`;
}

/** The user of such an address; null if it is not ours, or its encryption key is gone. */
export const subscriberOf = subscriber.open;
