import type { Deps } from "../../kit/deps.ts";
import type { MailDetails } from "../../kit/mail/mail-kind.ts";
import { mailing } from "../../kit/mail/mailing.ts";
import { now } from "../../platform/clock.ts";
import type { Call } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

/**
 * A file of its own: the profile, the users’ pages and a command need it. The calls that notify a user of the end of a
 * second factor.
 */
export function factorOffMail(
  deps: Pick<Deps, "config" | "keyring">,
  tenant: TenantId,
  user: string,
  by: MailDetails["second-factor-off"]["by"],
): Call[] {
  return mailing(deps, tenant, { user }, { kind: "second-factor-off", details: { at: now(), by } });
}
