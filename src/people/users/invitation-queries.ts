import { droppingForgotten, lockWaiting } from "../../kit/mail/mail-queries.ts";
import type { Role } from "../../kit/web/session.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { callsOf, quickQuery, runAll, sharedQuery, stepQuery, writeQuery } from "../../platform/postgres/query.ts";
import { column, oneValue, selectList, type Call, type Selected } from "../../platform/postgres/statement.ts";
import { asTenantId, type TenantId } from "../../platform/postgres/tenant-id.ts";
import { mayUsePassword } from "./sign-in-queries.ts";
import { BY_INVITATION, insertingUser } from "./user-queries.ts";

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
export const insertingInvitation = callsOf<Omit<NewInvitation, "invitedBy"> & { invitedBy: string | null; by: string }>(
  "insert_invitation",
  `insert into invitations (tenant_id, email, role, token_hash, invited_by, created_at, expires_at, changed_by, for_user, updated_at)
  values ($1, :email, :role, :hash, :invitedBy, to_timestamp(:createdAt::double precision / 1000),
    to_timestamp(:expiresAt::double precision / 1000), :by, :forUser, now())
  on conflict (tenant_id, lower(email)) where accepted_at is null and revoked_at is null do update set
    email = excluded.email, role = excluded.role, token_hash = excluded.token_hash, invited_by = excluded.invited_by,
    created_at = excluded.created_at, expires_at = excluded.expires_at, changed_by = excluded.changed_by,
    for_user = excluded.for_user,
    updated_at = moment_after(invitations.updated_at)
  returning id`,
);

const mayInvite = "u.role = 'admin' and u.deactivated_at is null";

/** Locks an admin; false for anybody else. */
export const lockInviter = stepQuery<[id: string]>(
  "lock_inviter",
  `select u.id from users u where u.tenant_id = $1 and u.id = $2 and ${mayInvite} for share`,
).exists();

/**
 * An open invitation of the same address becomes this one, and its link ends. Null if the inviter is no active admin; a
 * change of the inviter's role in progress is waited for.
 * @param alongside committed with it
 */
export async function upsertInvitation(
  tenant: TenantId,
  database: Database,
  invitation: NewInvitation,
  alongside: readonly Call[],
): Promise<string | null> {
  const { invitedBy } = invitation;
  return await database.transaction(tenant, async (run) => {
    if (!(await lockInviter(run, invitedBy))) return null;
    const [rows] = await runAll(run, [insertingInvitation({ ...invitation, by: `user:${invitedBy}` }), ...alongside]);
    return oneValue(rows);
  });
}

/**
 * Stores the link of a mail for a forgotten password. It ends earlier links. False if the mail was dropped meanwhile,
 * because the password is another one.
 */
export async function upsertPasswordLink(
  tenant: TenantId,
  database: Database,
  mail: string,
  link: Omit<NewInvitation, "invitedBy">,
): Promise<boolean> {
  return await database.transaction(tenant, async (run) => {
    if (!(await lockWaiting(run, mail))) return false;
    await run(insertingInvitation({ ...link, invitedBy: null, by: "worker" }));
    return true;
  });
}

/** False if the tenant has no such open invitation. */
export const revokeOpenInvitation = writeQuery<[id: string, by: string]>(
  "revoke_open_invitation",
  `update invitations set revoked_at = now(), changed_by = $3, updated_at = moment_after(updated_at)
  where tenant_id = $1 and id = $2 and accepted_at is null and revoked_at is null returning id`,
).exists();

/**
 * Revokes the invitations of a user who is no admin any more, in the transaction that changes the role. Returns their
 * number.
 */
export const revokeInvitationsOf = stepQuery<[userId: string, by: string]>(
  "revoke_invitations_of",
  `update invitations set revoked_at = now(), changed_by = $3, updated_at = moment_after(updated_at)
  where tenant_id = $1 and invited_by = $2 and accepted_at is null and revoked_at is null and expires_at > now() returning id`,
).count();

const place = selectList({
  tenant: { sql: "tenant_id", read: (id) => asTenantId(String(id)) },
  id: column.text("id"),
});

/** The tenant and the id of the invitation of a token's hash, open or not. */
export const locateInvitation = sharedQuery<[hash: Buffer]>(
  "place_of_invitation",
  `select ${place.sql} from invitation_of_token($1)`,
).first(place.read);

const isOpen = `i.tenant_id = $1 and i.id = :id and i.token_hash = :hash and i.accepted_at is null and i.revoked_at is null
    and i.expires_at > to_timestamp(:time::double precision / 1000)`;

/** An invitation that a link opens: its id, the hash of its token, and the time (ms since the epoch). */
type Opening = { id: string; hash: Buffer; time: number };

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

/**
 * Null if it is used, revoked, replaced or expired, its maker no active admin any more, its user's address another one,
 * or its tenant suspended.
 */
export const findOpenInvitation = quickQuery<Opening>(
  "find_open_invitation",
  `select ${invitation.sql} from invitations i join tenants t on t.id = i.tenant_id
    left join users u on u.tenant_id = i.tenant_id and u.id = i.invited_by
    left join users f on f.tenant_id = i.tenant_id and f.id = i.for_user
  where ${isOpen} and (i.invited_by is null or ${mayInvite}) and t.suspended_at is null
    and (i.for_user is null or f.deactivated_at is null and lower(f.email) = lower(i.email) and ${mayUsePassword("f")})`,
).first(invitation.read);

const isOpenOf = `i.tenant_id = $1 and lower(i.email) = lower(:email) and i.accepted_at is null and i.revoked_at is null
    and i.for_user is null and i.expires_at > to_timestamp(:time::double precision / 1000)`;

type OfAddress = { email: string; time: number };

/**
 * The open invitation of an address whose owner came by another way than the link. Its maker must be locked before it
 * is accepted, as in a removal of the maker's rights.
 */
export const findInvitationOfAddress = stepQuery<OfAddress>(
  "invitation_of_address",
  `select 1, i.invited_by from invitations i where ${isOpenOf}`,
).first(([, maker = null]) => ({ maker }));

/** Accepts it, if it is still that maker's. Returns its role. */
export const acceptInvitationOfAddress = stepQuery<OfAddress & { by: string; maker: string | null }>(
  "accept_invitation_of_address",
  `update invitations i set accepted_at = now(), changed_by = :by, updated_at = moment_after(i.updated_at)
  where ${isOpenOf} and i.invited_by is not distinct from :maker returning i.role`,
).value();

const findMaker = stepQuery<Opening>(
  "maker_of_invitation",
  `select i.invited_by, i.for_user from invitations i where ${isOpen}`,
).first(([maker = null, forUser = null]) => ({ maker, forUser }));

const accept = stepQuery<Opening & { by: string }>(
  "accept_invitation",
  `update invitations i set accepted_at = now(), changed_by = :by, updated_at = moment_after(i.updated_at)
  where ${isOpen} returning i.email, i.role`,
).first(([email, role]) => ({ email: String(email), role: String(role) }));

const choosePassword = stepQuery<[id: string, hash: string, email: string]>(
  "choose_password",
  `update users set password_hash = $3, session_epoch = session_epoch + 1
  where tenant_id = $1 and id = $2 and deactivated_at is null and lower(email) = lower($4)
    and ${mayUsePassword("users")} returning id`,
).exists();

/**
 * Makes a user of an invitation, or gives its user the new password and ends the user's sessions. Returns null if the
 * invitation was used meanwhile, if its maker is no active admin, or if its user is deactivated or has another address.
 * Returns `taken` if the address of a new user has a user. The maker is locked first, as in a removal of the maker's
 * rights.
 * @param name of a new user
 */
export async function acceptOpenInvitation(
  tenant: TenantId,
  database: Database,
  opening: Opening,
  { name, passwordHash }: { name: string | null; passwordHash: string },
): Promise<"accepted" | "taken" | null> {
  return await database.transaction(tenant, async (run) => {
    const open = await findMaker(run, opening);
    if (open === null) return null;
    const { maker, forUser } = open;
    if (maker !== null && !(await lockInviter(run, maker))) return null;
    if (forUser !== null) await run(droppingForgotten({ user: forUser, unless: null }));
    const accepted = await accept(run, { ...opening, by: forUser === null ? BY_INVITATION : `user:${forUser}` });
    if (accepted === null) return null;
    if (forUser !== null) return (await choosePassword(run, forUser, passwordHash, accepted.email)) ? "accepted" : null;
    const created = await run(insertingUser({ ...accepted, name, passwordHash, by: BY_INVITATION }));
    return created.length === 1 ? "accepted" : "taken";
  });
}
