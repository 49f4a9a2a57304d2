import type { Deps } from "../../kit/deps.ts";
import { mailing } from "../../kit/mail/mailing.ts";
import type { Call } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { browserName } from "./browser-name.ts";
import type { BeginningIn } from "./session-queries.ts";

/** Apart, because every way to sign in needs it. The calls that notify a user of a sign-in from an unknown browser. */
export function newSignInMail(
  deps: Pick<Deps, "config" | "keyring">,
  tenant: TenantId,
  user: string,
  { isKnown, address, userAgent, time }: Omit<BeginningIn, "hash">,
): Call[] {
  if (isKnown) return [];
  const details = { at: time, browser: browserName(userAgent), network: address };
  return mailing(deps, tenant, { user }, { kind: "new-sign-in", details });
}
