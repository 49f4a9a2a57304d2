import type { Call } from "../../platform/postgres/statement.ts";
import { INSTALLATION, type TenantId } from "../../platform/postgres/tenant-id.ts";
import type { Deps } from "../deps.ts";
import type { Mail } from "./mail-kind.ts";
import { DETAILS, toAddress, toAdmins, toUser } from "./mail-queries.ts";

/** Whom a mail is for: a user by id, all active admins, or an address that need not be a user's. */
export type MailTo = { user: string } | "admins" | { email: string };

/**
 * The calls that send a mail, for the transaction of its cause. There are none without mail configuration, and none for
 * operators. A mail to a user goes to the address that the user has when it is sent.
 */
export function mailing(
  { config, keyring }: Pick<Deps, "config" | "keyring">,
  tenant: TenantId,
  to: MailTo,
  { kind, details }: Mail,
): Call[] {
  if (config.mail === null || tenant === INSTALLATION) return [];
  const sealed = keyring.encrypt(tenant, DETAILS, JSON.stringify(details));
  if (to === "admins") return [toAdmins(kind, sealed)];
  return "user" in to ? [toUser(kind, to.user, sealed)] : [toAddress(kind, to.email, sealed)];
}
