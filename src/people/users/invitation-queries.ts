import type { Role } from "../../kit/web/session.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { quickQuery, writeQuery } from "../../platform/postgres/query.ts";
import {
  column,
  oneValue,
  selectList,
  type Call,
  type Selected,
  type Statement,
} from "../../platform/postgres/statement.ts";
import { asTenantId, type TenantId } from "../../platform/postgres/tenant-id.ts";
import { mayUsePassword } from "./sign-in-queries.ts";
import { BY_INVITATION, insertUserStatement } from "./user-queries.ts";

const open = selectList({
  id: column.text("i.id"),
  email: column.text("i.email"),
  role: column.text<Role>("i.role"),
  /** Null if an operator or a command invited, or if the link is for a forgotten password. */
  invitedBy: "u.name",
  createdAt: column.text("i.created_at"),
  expiresAt: column.text("i.expires_at"),
  isExpired: column.flag("i.expires_at <= to_timestamp($2::double precision / 1000)"),
  /** Whether its link lets a user choose a new password. */
  isForUser: column.flag("i.for_user is not null"),
});

/** An invitation that nobody has accepted or revoked yet. Timestamps are PostgreSQL's text. */
export type OpenInvitation = Selected<typeof open>;

const MOST_INVITATIONS_LISTED = 500;

/** The newest first. */
export const listOpenInvitations = quickQuery<[time: number]>(
  "list_open_invitations",
  `select ${open.sql} from invitations i left join users u on u.tenant_id = i.tenant_id and u.id = i.invited_by
  where i.tenant_id = $1 and i.accepted_at is null and i.revoked_at is null order by i.id desc limit ${MOST_INVITATIONS_LISTED}`,
).all(open.read);

export type NewInvitation = {
  email: string;
  role: string;
  hash: Buffer;
  invitedBy: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  expiresAt: number;
  /** The id of the user who may choose a new password; null: the link makes a new user. */
  forUser: string | null;
};

/** Also for the first admin of a tenant, whom no user invites (operators/new-tenant-queries.ts). */
export const insertInvitationStatement: Statement = {
  name: "insert_invitation",
  text: `insert into invitations (tenant_id, email, role, token_hash, invited_by, created_at, expires_at, changed_by, for_user, updated_at)
  values ($1, $2, $3, $4, $5, to_timestamp($6::double precision / 1000), to_timestamp($7::double precision / 1000), $8, $9, now())
  on conflict (tenant_id, lower(email)) where accepted_at is null and revoked_at is null do update set
    email = excluded.email, role = excluded.role, token_hash = excluded.token_hash, invited_by = excluded.invited_by,
    created_at = excluded.created_at, expires_at = excluded.expires_at, changed_by = excluded.changed_by,
    for_user = excluded.for_user,
    updated_at = moment_after(invitations.updated_at)
  returning id`,
};

const mayInvite = "u.role = 'admin' and u.deactivated_at is null";

/** Locks an admin; returns no row for anybody else. */
export const lockInviterStatement: Statement = {
  name: "lock_inviter",
  text: `select u.id from users u where u.tenant_id = $1 and u.id = $2 and ${mayInvite} for share`,
};

/**
 * An open invitation of the same address becomes this one, and its link ends. Null if the inviter is no active admin; a
 * change of the inviter's role in progress is waited for.
 * @param alongside committed with it
 */
export async function upsertInvitation(
  tenant: TenantId,
  database: Database,
  { email, role, hash, invitedBy, createdAt, expiresAt, forUser }: NewInvitation,
  alongside: readonly Call[],
): Promise<string | null> {
  return await database.transaction(tenant, async (run) => {
    if ((await run(lockInviterStatement, [invitedBy])).length === 0) return null;
    const parameters = [email, role, hash, invitedBy, createdAt, expiresAt, `user:${invitedBy}`, forUser];
    const id = oneValue(await run(insertInvitationStatement, parameters));
    for (const { statement, parameters: values } of alongside) await run(statement, values);
    return id;
  });
}

/** Stores a link for a forgotten password. It ends earlier links. */
export async function upsertPasswordLink(
  tenant: TenantId,
  database: Database,
  { email, role, hash, createdAt, expiresAt, forUser }: Omit<NewInvitation, "invitedBy">,
): Promise<void> {
  const parameters = [email, role, hash, null, createdAt, expiresAt, "worker", forUser];
  await database.write(tenant, [{ statement: insertInvitationStatement, parameters }]);
}

/** False if the tenant has no such open invitation. */
export const revokeOpenInvitation = writeQuery<[id: string, by: string]>(
  "revoke_open_invitation",
  `update invitations set revoked_at = now(), changed_by = $3, updated_at = moment_after(updated_at)
  where tenant_id = $1 and id = $2 and accepted_at is null and revoked_at is null returning id`,
).exists();

/**
 * Revokes the invitations of a user ($2) who is no admin any more; $3: the author. Part of the transaction that changes
 * the role.
 */
export const revokeInvitationsOfStatement: Statement = {
  name: "revoke_invitations_of",
  text: `update invitations set revoked_at = now(), changed_by = $3, updated_at = moment_after(updated_at)
  where tenant_id = $1 and invited_by = $2 and accepted_at is null and revoked_at is null and expires_at > now() returning id`,
};

const place = selectList({
  tenant: { sql: "tenant_id", read: (id) => asTenantId(String(id)) },
  id: column.text("id"),
});

const placeStatement: Statement = {
  name: "place_of_invitation",
  text: `select ${place.sql} from invitation_of_token($1)`,
};

/** The tenant and the id of the invitation of a token's hash, open or not. */
export async function locateInvitation(database: Database, hash: Buffer): Promise<Selected<typeof place> | null> {
  return place.first(await database.readShared(placeStatement, [hash]));
}

const isOpen = `i.tenant_id = $1 and i.id = $2 and i.token_hash = $3 and i.accepted_at is null and i.revoked_at is null
    and i.expires_at > to_timestamp($4::double precision / 1000)`;

const invitation = selectList({
  /** Its slug. */
  workspace: column.text("t.slug"),
  workspaceName: column.text("t.name"),
  email: column.text("i.email"),
  role: column.text<Role>("i.role"),
  /** The name of the user who may choose a new password; null: the link makes a new user. */
  userName: "f.name",
  /** Whether new users come by single sign-on only, without a password. */
  isByProvider: column.flag("exists (select from single_sign_on s where s.tenant_id = $1 and s.sso_only)"),
});

/** An invitation as the invited person sees it. */
export type Invitation = Selected<typeof invitation>;

/** Null if it is used, revoked, replaced or expired, its maker no active admin any more, or its tenant suspended. */
export const findOpenInvitation = quickQuery<[id: string, hash: Buffer, time: number]>(
  "find_open_invitation",
  `select ${invitation.sql} from invitations i join tenants t on t.id = i.tenant_id
    left join users u on u.tenant_id = i.tenant_id and u.id = i.invited_by
    left join users f on f.tenant_id = i.tenant_id and f.id = i.for_user
  where ${isOpen} and (i.invited_by is null or ${mayInvite}) and t.suspended_at is null
    and (i.for_user is null or f.deactivated_at is null and ${mayUsePassword("f")})`,
).first(invitation.read);

const isOpenOf = `i.tenant_id = $1 and lower(i.email) = lower($2) and i.accepted_at is null and i.revoked_at is null
    and i.for_user is null and i.expires_at > to_timestamp($3::double precision / 1000)`;

/**
 * The open invitation of an address ($2) whose owner came by another way than the link: 1, and its maker, who must be
 * locked before it is accepted, as in a removal of the maker's rights.
 */
export const invitationOfAddressStatement: Statement = {
  name: "invitation_of_address",
  text: `select 1, i.invited_by from invitations i where ${isOpenOf}`,
};

/** Accepts it, if it is still that maker's ($5). Returns its role. */
export const acceptInvitationOfStatement: Statement = {
  name: "accept_invitation_of_address",
  text: `update invitations i set accepted_at = now(), changed_by = $4, updated_at = moment_after(i.updated_at)
  where ${isOpenOf} and i.invited_by is not distinct from $5 returning i.role`,
};

const findMakerStatement: Statement = {
  name: "maker_of_invitation",
  text: `select i.invited_by, i.for_user from invitations i where ${isOpen}`,
};

const acceptStatement: Statement = {
  name: "accept_invitation",
  text: `update invitations i set accepted_at = now(), changed_by = $5, updated_at = moment_after(i.updated_at)
  where ${isOpen} returning i.email, i.role`,
};

const choosePasswordStatement: Statement = {
  name: "choose_password",
  text: `update users set password_hash = $3, session_epoch = session_epoch + 1
  where tenant_id = $1 and id = $2 and deactivated_at is null and ${mayUsePassword("users")} returning id`,
};

/**
 * Makes a user of an invitation, or gives its user the new password and ends the user's sessions. Returns null if the
 * invitation was used meanwhile, if its maker is no active admin, or if its user is deactivated. Returns `taken` if the
 * address of a new user has a user. The maker is locked first, as in a removal of the maker's rights.
 * @param name of a new user
 */
export async function acceptOpenInvitation(
  tenant: TenantId,
  database: Database,
  { id, hash, time }: { id: string; hash: Buffer; time: number },
  { name, passwordHash }: { name: string | null; passwordHash: string },
): Promise<"accepted" | "taken" | null> {
  return await database.transaction(tenant, async (run) => {
    const [open] = await run(findMakerStatement, [id, hash, time]);
    if (open === undefined) return null;
    const [maker = null, forUser = null] = open;
    if (maker !== null && (await run(lockInviterStatement, [maker])).length === 0) return null;
    const by = forUser === null ? BY_INVITATION : `user:${forUser}`;
    const [accepted] = await run(acceptStatement, [id, hash, time, by]);
    if (accepted === undefined) return null;
    if (forUser !== null) {
      const changed = await run(choosePasswordStatement, [forUser, passwordHash]);
      return changed.length === 1 ? "accepted" : null;
    }
    const [email = null, role = null] = accepted;
    const created = await run(insertUserStatement, [email, name, role, passwordHash, BY_INVITATION]);
    return created.length === 1 ? "accepted" : "taken";
  });
}
