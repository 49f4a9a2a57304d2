import type { Language } from "../../kit/web/language.ts";
import type { Role } from "../../kit/web/session.ts";
import type { Database, Run } from "../../platform/postgres/database.ts";
import { isUniqueViolation } from "../../platform/postgres/failures.ts";
import { quickQuery, runAll, slowQuery, stepQuery, writeQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Call, type Selected } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { numberedList } from "../../platform/reads/numbered.ts";
import { revokeInvitationsOf } from "./invitation-queries.ts";
import { endingLinksOf } from "./password-link-queries.ts";
import { mayUsePassword } from "./sign-in-queries.ts";

/** Each part names the tenant by $1: a cluster cannot plan parts that name it in different ways. */
const member = selectList({
  id: column.text("u.id"),
  email: column.text("u.email"),
  name: column.text("u.name"),
  role: column.text<Role>("u.role"),
  hasSecondFactor: column.flag("u.totp_confirmed_at is not null"),
  /** False if single sign-on is the only way, except for the break-glass admin. */
  mayUsePassword: column.flag(mayUsePassword("u")),
  language: column.textOrNull<Language>("u.language"),
  createdAt: column.text("u.created_at"),
  deactivatedAt: "u.deactivated_at",
  mayExport: column.flag("u.export_refused_at is null"),
  /**
   * When another user last turned the second factor off. `resetBy`: in the format of changes.changed_by; `resetName`:
   * that author's current name.
   */
  resetAt: "u.second_factor_reset_at",
  resetBy: column.text("u.second_factor_reset_by"),
  resetName: `case when u.second_factor_reset_by like 'user:%' then (select w.name from users w
    where w.tenant_id = $1 and w.id = substr(u.second_factor_reset_by, 6)::bigint) end`,
  /** When the account at an identity provider was linked. */
  linkedAt: "(select max(l.created_at) from single_sign_on_links l where l.tenant_id = $1 and l.user_id = u.id)",
  passkeys: column.number("(select count(*) from passkeys p where p.tenant_id = $1 and p.user_id = u.id)"),
  /** Of a session that is still kept: some two weeks back at most. */
  lastSeenAt: "(select max(s.last_seen_at) from sessions s where s.tenant_id = $1 and s.user_id = u.id)",
  /** The number of open invitations by this user. They end when the user is no admin any more. */
  openInvitations: column.number(`(select count(*) from invitations i where i.tenant_id = $1 and i.invited_by = u.id
    and i.accepted_at is null and i.revoked_at is null and i.expires_at > now())`),
});

/** A user as a workspace's admins see one. Timestamps are PostgreSQL's text. */
export type WorkspaceMember = Selected<typeof member>;

/** A page of the users, the active ones first. */
export const listMembers = numberedList(
  "members",
  {
    reader: "quick",
    table: "users u",
    condition: "u.tenant_id = $1",
    order: "u.deactivated_at is not null, lower(u.name), u.id",
  },
  member,
);

/** Null if the tenant has no such user. */
export const findMember = quickQuery<[id: string]>(
  "find_member",
  `select ${member.sql} from users u where u.tenant_id = $1 and u.id = $2`,
).first(member.read);

/** The most companies of a user that a list counts. */
export const MOST_COMPANIES = 10_000;

/** The number of companies of each of these users; more than MOST_COMPANIES are one more. */
export const companiesOfMembers = slowQuery<[ids: string[]]>(
  "companies_of_members",
  `select u.id, n.companies from unnest($2::bigint[]) u (id) cross join lateral (
    select count(*) as companies from (
      select from companies c where c.tenant_id = $1 and c.assigned_to = u.id and c.deleted_at is null
      limit ${MOST_COMPANIES + 1}
    ) c
  ) n`,
).of((rows) => new Map(rows.map(([id, count]) => [String(id), Number(count)])));

/**
 * Counts what a deactivation or a reset affects: the user's companies, sessions used since `seenAfter` (ms since the
 * epoch), recovery codes and valid API keys.
 */
export const stakesOf = slowQuery<[id: string, seenAfter: number]>(
  "stakes_of_member",
  `select (select count(*) from companies c where c.tenant_id = $1 and c.assigned_to = u.id and c.deleted_at is null),
    (select count(*) from sessions s where s.tenant_id = $1 and s.user_id = u.id and not s.awaits_code
      and s.user_epoch = u.session_epoch and s.last_seen_at > to_timestamp($3::double precision / 1000)),
    (select count(*) from recovery_codes r where r.tenant_id = $1 and r.user_id = u.id),
    (select count(*) from api_keys k where k.tenant_id = $1 and k.created_by = u.id and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > now()))
  from users u where u.tenant_id = $1 and u.id = $2`,
).only((row) => {
  const [companies = 0, sessions = 0, recoveryCodes = 0, keys = 0] = row.map(Number);
  return { companies, sessions, recoveryCodes, keys };
});

const lockAdmins = stepQuery(
  "lock_admins",
  `select id from users where tenant_id = $1 and role = 'admin' and deactivated_at is null
  order by id for no key update`,
).all(([id]) => String(id));

const setRole = stepQuery<{ id: string; by: string; role: Role | null; mayExport: string | null }>(
  "change_role",
  `update users set role = coalesce(:role, role), export_refused_at = case when :mayExport::boolean is null then export_refused_at when :mayExport::boolean then null
    else coalesce(export_refused_at, moment_after(updated_at)) end, changed_by = :by, updated_at = moment_after(updated_at)
  where tenant_id = $1 and id = :id returning id`,
).exists();

const setIdentity = stepQuery<{ id: string; by: string; name: string | null; email: string | null }>(
  "change_identity",
  `update users set name = coalesce(:name, name), email = coalesce(:email, email),
    session_epoch = session_epoch + case when email = :email then 0 when :email is null then 0 else 1 end,
    changed_by = :by, updated_at = moment_after(updated_at)
  where tenant_id = $1 and id = :id and (name <> :name or email <> :email) returning id`,
).nothing();

const deactivate = stepQuery<[id: string, by: string]>(
  "deactivate_user",
  `update users set deactivated_at = least(deactivated_at, now()), session_epoch = session_epoch + 1,
    changed_by = $3, updated_at = moment_after(updated_at)
  where tenant_id = $1 and id = $2 returning id`,
).exists();

const reactivate = stepQuery<[id: string, by: string]>(
  "reactivate_user",
  `update users set deactivated_at = null, changed_by = $3, updated_at = moment_after(updated_at)
  where tenant_id = $1 and id = $2 returning id`,
).exists();

/** Whether a user is the break-glass admin, who can sign in without the identity provider (decision 76). */
const isBreakGlass = stepQuery<[id: string]>(
  "is_break_glass",
  "select s.id from single_sign_on s where s.tenant_id = $1 and s.sso_only and s.sso_break_glass = $2",
).exists();

/** `invitationsEnded`: the number of revoked invitations of a user who is no admin any more. */
export type MemberChanged =
  | { outcome: "written"; invitationsEnded: number }
  | { outcome: "missing" | "last-admin" | "break-glass" | "email-taken" };

/**
 * A user's role, right to export, name and address; null leaves one as it is. `mails`: the calls that notify the user
 * of another address.
 */
export type MemberChange = {
  role: Role | null;
  mayExport: string | null;
  name: string | null;
  email: string | null;
  mails: readonly Call[];
};

/** Another address ends the user's sessions, and the links for a new password that went to the earlier one. */
export async function changeRole(
  tenant: TenantId,
  database: Database,
  id: string,
  { role, mayExport, name, email, mails }: MemberChange,
  by: string,
): Promise<MemberChanged> {
  const change = { id, by, takesAdmin: role === "member" };
  try {
    return await changing(tenant, database, change, async (run) => {
      // They were sent to the earlier address.
      if (email !== null) await runAll(run, endingLinksOf({ user: id, by, unless: email }));
      if (name !== null || email !== null) await setIdentity(run, { id, by, name, email });
      await runAll(run, mails);
      return await setRole(run, { id, by, role, mayExport });
    });
  } catch (error) {
    if (isUniqueViolation(error, "users_email")) return { outcome: "email-taken" };
    throw error;
  }
}

/** Ends the user's sessions too, which do not come back. */
export async function deactivateUser(
  tenant: TenantId,
  database: Database,
  id: string,
  by: string,
): Promise<MemberChanged> {
  const change = { id, by, takesAdmin: true };
  return await changing(tenant, database, change, async (run) => await deactivate(run, id, by));
}

export async function reactivateUser(
  tenant: TenantId,
  database: Database,
  id: string,
  by: string,
): Promise<MemberChanged> {
  const change = { id, by, takesAdmin: false };
  return await changing(tenant, database, change, async (run) => await reactivate(run, id, by));
}

/**
 * Locks the admins: if two demote each other at once, the second is refused as the last admin. The open invitations of
 * a user who is no admin any more are revoked.
 */
async function changing(
  tenant: TenantId,
  database: Database,
  { id, by, takesAdmin }: { id: string; by: string; takesAdmin: boolean },
  change: (run: Run) => Promise<boolean>,
): Promise<MemberChanged> {
  return await database.transaction(tenant, async (run) => {
    const admins = takesAdmin ? await lockAdmins(run) : [];
    if (admins.length === 1 && admins[0] === id) return { outcome: "last-admin" };
    if (takesAdmin && (await isBreakGlass(run, id))) return { outcome: "break-glass" };
    if (!(await change(run))) return { outcome: "missing" };
    return { outcome: "written", invitationsEnded: takesAdmin ? await revokeInvitationsOf(run, id, by) : 0 };
  });
}

/** Null leaves a field as it is; of the language, undefined does. */
export type ProfileChange = { name: string | null; language: string | null | undefined; theme: string | null };

const setProfile = writeQuery<
  Omit<ProfileChange, "language"> & { id: string; language: string | null; isSent: boolean }
>(
  "change_profile",
  `update users set name = coalesce(:name, name), language = case when :isSent then :language else language end,
    theme = coalesce(:theme, theme), changed_by = 'user:' || id::text, updated_at = moment_after(updated_at)
  where tenant_id = $1 and id = :id`,
).nothing();

export async function changeProfile(
  tenant: TenantId,
  database: Database,
  id: string,
  change: ProfileChange,
): Promise<void> {
  const { language = null } = change;
  await setProfile(tenant, database, { ...change, id, language, isSent: change.language !== undefined });
}
