import type { Database } from "../../platform/postgres/database.ts";
import { callsOf, quickQuery, writeQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { asStored } from "../../platform/text.ts";
import { endingLinksOf } from "./password-link-queries.ts";
import { EMAIL_MAX } from "./user.ts";

/**
 * SQL: whether a password opens the account of a user, or a link lets the user choose one. Where a workspace has single
 * sign-on only, the break-glass admin keeps the password, as long as a second factor protects it.
 */
export function mayUsePassword(users: string): string {
  return `not exists (select from single_sign_on s where s.tenant_id = $1 and s.sso_only
    and (s.sso_break_glass is distinct from ${users}.id or ${users}.totp_confirmed_at is null))`;
}

const signingIn = selectList({
  id: column.text("id"),
  /** Null: the user comes by single sign-on. */
  passwordHash: "password_hash",
  isDeactivated: column.flag("deactivated_at is not null"),
  /** False if single sign-on is the only way (decision 76), except for the break-glass admin. */
  mayUsePassword: column.flag(mayUsePassword("users")),
  hasSecondFactor: column.flag("totp_confirmed_at is not null"),
  sessionEpoch: column.number("session_epoch"),
});

/** A user with the data that a sign-in needs. */
export type SigningIn = Selected<typeof signingIn>;

const find = quickQuery<[email: string]>(
  "find_user_by_email",
  `select ${signingIn.sql} from user_ids_by_email($2) as found (user_id)
  join users on tenant_id = $1 and id = found.user_id`,
).first(signingIn.read);

/** The user of an e-mail address, in whatever case it is written; null if no user can have the text. */
export async function findByEmail(tenant: TenantId, database: Database, email: string): Promise<SigningIn | null> {
  const address = asStored(email, EMAIL_MAX);
  return address === null ? null : await find(tenant, database, address);
}

/** Replaces the hash of the same password, unless the password was changed in the meantime. */
export const replacePasswordHash = writeQuery<[id: string, before: string | null, after: string]>(
  "replace_password_hash",
  "update users set password_hash = $4 where tenant_id = $1 and id = $2 and password_hash = $3",
).nothing();

const settingPassword = callsOf<[id: string, hash: string]>(
  "set_password",
  `update users set password_hash = $3, session_epoch = session_epoch + 1 where tenant_id = $1 and id = $2`,
);

/** Gives a user another password by a command, whatever it was, and ends the user's sessions and links for another. */
export async function setPassword(tenant: TenantId, database: Database, user: string, hash: string): Promise<void> {
  const ending = endingLinksOf({ user, by: "command", unless: null });
  await database.write(tenant, [...ending, settingPassword(user, hash)]);
}

export const findPasswordHash = quickQuery<[id: string]>(
  "find_password_hash",
  "select password_hash from users where tenant_id = $1 and id = $2",
).value();
