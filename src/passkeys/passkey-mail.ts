import type { Deps } from "../deps.ts";
import { mailing } from "../mail/mailing.ts";
import { now } from "../platform/clock.ts";
import type { Call } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { notingPasskey, type PasskeyChange } from "./passkey-queries.ts";

/** The calls that write a change of a user's passkeys into the history, and tell the user. @param by null: the user */
export function reportingPasskey(
  deps: Pick<Deps, "config" | "keyring">,
  tenant: TenantId,
  user: string,
  change: PasskeyChange,
  by: { id: string; name: string } | null,
): Call[] {
  const kind = change.to === null ? "passkey-removed" : "passkey-added";
  const details = { at: now(), name: change.to ?? change.from ?? "", by: by === null ? null : { name: by.name } };
  return [notingPasskey(user, change, `user:${by?.id ?? user}`), ...mailing(deps, tenant, { user }, { kind, details })];
}
