import type { Deps } from "../../kit/deps.ts";
import { mailing } from "../../kit/mail/mailing.ts";
import type { MailCompletions } from "../../kit/mail/send-mail.ts";
import type { Language } from "../../kit/web/language.ts";
import { now } from "../../platform/clock.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { Input } from "../../platform/fields/fields.ts";
import { textOrNull, validate } from "../../platform/fields/validation.ts";
import { isId } from "../../platform/ids.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { Call } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { generateToken, hashToken, isToken } from "../../platform/token.ts";
import {
  acceptOpenInvitation,
  findOpenInvitation,
  listOpenInvitations,
  locateInvitation,
  revokeOpenInvitation,
  upsertInvitation,
  upsertPasswordLink,
  type Invitation,
  type NewInvitation,
  type OpenInvitation,
} from "./invitation-queries.ts";
import { findMember, type WorkspaceMember } from "./member-queries.ts";
import { inPasswordTurn, knownTurn } from "./password-turns.ts";
import { passwordComplaint } from "./password.ts";
import { findByEmail } from "./sign-in-queries.ts";
import { acceptanceFields, invitationFields } from "./user.ts";

/** The validity of an invitation. */
export const INVITATION_MS = 7 * 24 * 60 * 60_000;
/** The validity of a link by which a user chooses a new password. */
const PASSWORD_LINK_MS = 30 * 60_000;

/** `token` is for the link, `/invitations/{token}`, which is shown once. */
export type LinkMade = { outcome: "invited"; id: string; token: string; email: string } | { outcome: "not-admin" };
export type Invited = LinkMade | { outcome: "invalid"; messages: FieldErrors } | { outcome: "taken" };

/** The name of the admin who made a link, and the language of the admin's pages. */
export type LinkMaker = { name: string; language: Language };

type LinkDeps = Pick<Deps, "database" | "config" | "keyring">;

/**
 * Invites an address to a workspace, for seven days and while the inviter is an admin. An address with an open
 * invitation gets a new link; one of a user is `taken`.
 * @param maker null: no mail is sent, whether it is configured or not
 */
export async function inviteUser(
  deps: LinkDeps,
  tenant: TenantId,
  invitedBy: string,
  input: Input,
  maker: LinkMaker | null = null,
): Promise<Invited> {
  const { values, errors } = validate(invitationFields, input, "create");
  if (errors !== null) return { outcome: "invalid", messages: errors };
  const email = String(values.email);
  if ((await findByEmail(tenant, deps.database, email)) !== null) return { outcome: "taken" };
  const person = { email, role: String(values.role ?? "member"), forUser: null };
  return await insertLink({ tenant, database: deps.database, invitedBy }, person, INVITATION_MS, (path) => {
    if (maker === null) return [];
    const details = { path, language: maker.language, invitedBy: maker.name };
    return mailing(deps, tenant, { email }, { kind: "invitation", details });
  });
}

/**
 * Makes a link by which a user chooses a new password, once and within 30 minutes. Earlier links of the user end. The
 * password stays as it is until then.
 */
export async function makePasswordLink(
  deps: LinkDeps,
  tenant: TenantId,
  invitedBy: string,
  { id, email, role }: Pick<WorkspaceMember, "id" | "email" | "role">,
  maker: LinkMaker,
): Promise<LinkMade> {
  const person = { email, role, forUser: id };
  return await insertLink({ tenant, database: deps.database, invitedBy }, person, PASSWORD_LINK_MS, (path) =>
    mailing(deps, tenant, { user: id }, { kind: "password-link", details: { path, madeBy: maker.name } }),
  );
}

/** The parts of mails with a link that are known when they are sent. */
export const linkMails = {
  invitation: async ({ database }, { details }) => ((await isOpen(database, details.path)) ? details : null),
  "password-link": async ({ database }, { details }) => ((await isOpen(database, details.path)) ? details : null),
  /** The link is made now, because its 30 minutes begin with the mail. */
  "forgotten-password": async ({ database }, { tenant, id, userId, details }) => {
    const user = userId === null ? null : await findMember(tenant, database, userId);
    // A link would not work where single sign-on is the only way.
    if (user === null || !user.mayUsePassword) return null;
    const token = generateToken();
    const times = { createdAt: now(), expiresAt: now() + PASSWORD_LINK_MS };
    const person = { email: user.email, role: user.role, forUser: user.id };
    const isMade = await upsertPasswordLink(tenant, database, id, { ...person, ...times, hash: hashToken(token) });
    return isMade ? { ...details, path: pathOf(token) } : null;
  },
} satisfies MailCompletions;

/** An invitation may be accepted, revoked or replaced while its mail waits. */
async function isOpen(database: Database, path: string): Promise<boolean> {
  return (await findInvitation(database, path.slice(pathOf("").length))) !== null;
}

function pathOf(token: string): string {
  return `/invitations/${token}`;
}

async function insertLink(
  { tenant, database, invitedBy }: { tenant: TenantId; database: Database; invitedBy: string },
  person: Pick<NewInvitation, "email" | "role" | "forUser">,
  validMs: number,
  mailOf: (path: string) => Call[],
): Promise<LinkMade> {
  const token = generateToken();
  const createdAt = now();
  const times = { createdAt, expiresAt: createdAt + validMs };
  const invitation = { ...person, ...times, hash: hashToken(token), invitedBy };
  const id = await upsertInvitation(tenant, database, invitation, mailOf(pathOf(token)));
  return id === null ? { outcome: "not-admin" } : { outcome: "invited", id, token, email: person.email };
}

/** The invitations that are not accepted or revoked, the newest first; expired ones are among them. */
export async function listInvitations(tenant: TenantId, database: Database): Promise<OpenInvitation[]> {
  return await listOpenInvitations(tenant, database, now());
}

/** False if the tenant has no such open invitation. */
export async function revokeInvitation(tenant: TenantId, database: Database, id: string, by: string): Promise<boolean> {
  return isId(id) && (await revokeOpenInvitation(tenant, database, id, by));
}

/**
 * The invitation of a link; null if it is unknown, used, revoked or expired, its maker no admin any more, or its
 * workspace suspended.
 */
export async function findInvitation(database: Database, token: string): Promise<Invitation | null> {
  return (await openOf(database, token))?.invitation ?? null;
}

export type Accepted =
  | { outcome: "accepted"; workspace: string; email: string }
  | { outcome: "invalid"; messages: FieldErrors }
  | { outcome: "gone" }
  | { outcome: "taken" }
  | { outcome: "busy" };

/**
 * Makes a user of an invited person, or changes the password of the user that the link is for, once.
 * `taken`: a user of the address was created meanwhile.
 */
export async function acceptInvitation(
  { database, passwords, sharing }: Pick<Deps, "database" | "passwords" | "sharing">,
  token: string,
  input: Input & { password: string },
): Promise<Accepted> {
  const open = await openOf(database, token);
  if (open === null) return { outcome: "gone" };
  const { email, workspace, userName, isByProvider } = open.invitation;
  if (userName === null && isByProvider) return { outcome: "gone" };
  const { values, errors } = validate(userName === null ? acceptanceFields : [], input, "create");
  const complaint = passwordComplaint(input.password, { email, workspace });
  if (errors !== null || complaint !== null) {
    return { outcome: "invalid", messages: { ...errors, ...(complaint === null ? {} : { password: [complaint] }) } };
  }
  const turn = knownTurn(workspace);
  const passwordHash = await inPasswordTurn({ sharing }, turn, async () => await passwords.hash(input.password));
  if (passwordHash === null) return { outcome: "busy" };
  const user = { name: textOrNull(values.name), passwordHash };
  const done = await acceptOpenInvitation(open.tenant, database, { ...open, time: now() }, user);
  if (done === "accepted") return { outcome: "accepted", workspace, email };
  return { outcome: done ?? "gone" };
}

async function openOf(database: Database, token: string) {
  if (!isToken(token)) return null;
  const hash = hashToken(token);
  const place = await locateInvitation(database, hash);
  if (place === null) return null;
  const invitation = await findOpenInvitation(place.tenant, database, { id: place.id, hash, time: now() });
  return invitation === null ? null : { ...place, hash, invitation };
}
