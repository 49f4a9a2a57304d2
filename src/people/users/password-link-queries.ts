import { droppingForgotten } from "../../kit/mail/mail-queries.ts";
import { callsOf } from "../../platform/postgres/query.ts";
import type { Call } from "../../platform/postgres/statement.ts";

type LinksOf = { user: string; by: string; unless: string | null };

/**
 * The calls that end a user's links for a new password, and the mails that would make one, in the transaction that
 * changes the password or the address. They come before that change: whatever makes or uses a link locks the mail
 * first, then the link, and then the user.
 * @param unless the address that stays
 */
export function endingLinksOf({ user, by, unless }: LinksOf): Call[] {
  return [droppingForgotten({ user, unless }), revokingLinksOf({ user, by, unless })];
}

const revokingLinksOf = callsOf<LinksOf>(
  "revoke_links_of_user",
  `update invitations i set revoked_at = now(), changed_by = :by, updated_at = moment_after(i.updated_at)
  from users u where u.tenant_id = $1 and u.id = :user and u.email is distinct from :unless and i.tenant_id = $1
    and lower(i.email) = lower(u.email) and i.for_user = :user and i.accepted_at is null and i.revoked_at is null`,
);
