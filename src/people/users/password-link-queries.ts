import { callsOf } from "../../platform/postgres/query.ts";

/**
 * The call that revokes a user's links for a new password, in the transaction that changes the password or the address.
 * It comes before that change: the use of a link locks the link first, and then the user.
 */
export const revokingLinksOf = callsOf<{ user: string; by: string; unless: string | null }>(
  "revoke_links_of_user",
  `update invitations i set revoked_at = now(), changed_by = :by, updated_at = moment_after(i.updated_at)
  from users u where u.tenant_id = $1 and u.id = :user and u.email is distinct from :unless and i.tenant_id = $1
    and lower(i.email) = lower(u.email) and i.for_user = :user and i.accepted_at is null and i.revoked_at is null`,
);
