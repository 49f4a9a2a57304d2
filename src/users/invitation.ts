import type { Deps } from "../deps.ts";
import { now } from "../platform/clock.ts";
import type { FieldErrors } from "../platform/fields/field-reasons.ts";
import type { Input } from "../platform/fields/fields.ts";
import { textOrNull, validate } from "../platform/fields/validation.ts";
import { isId } from "../platform/ids.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { generateToken, hashToken, isToken } from "../platform/token.ts";
import {
  acceptOpenInvitation,
  findOpenInvitation,
  listOpenInvitations,
  placeOfInvitation,
  revokeOpenInvitation,
  upsertInvitation,
  type Invitation,
  type NewInvitation,
  type OpenInvitation,
} from "./invitation-queries.ts";
import type { WorkspaceMember } from "./member-queries.ts";
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

/**
 * Invites an address to a workspace for seven days, and no longer than who invites is an admin. One that was invited before gets a new link in place of the old one;
 * one that has a user already is taken.
 */
export async function inviteUser(
  { database }: Pick<Deps, "database">,
  tenant: TenantId,
  invitedBy: string,
  input: Input,
): Promise<Invited> {
  const { values, errors } = validate(invitationFields, input, "create");
  if (errors !== null) return { outcome: "invalid", messages: errors };
  const email = String(values.email);
  if ((await findByEmail(tenant, database, email)) !== null) return { outcome: "taken" };
  const role = String(values.role ?? "member");
  return await insertLink({ tenant, database, invitedBy }, { email, role, forUser: null }, INVITATION_MS);
}

/**
 * Makes a link by which a user chooses a new password, once and within 30 minutes. Earlier links of the user end. The
 * password stays as it is until then.
 */
export async function makePasswordLink(
  { database }: Pick<Deps, "database">,
  tenant: TenantId,
  invitedBy: string,
  { id, email, role }: Pick<WorkspaceMember, "id" | "email" | "role">,
): Promise<LinkMade> {
  return await insertLink({ tenant, database, invitedBy }, { email, role, forUser: id }, PASSWORD_LINK_MS);
}

async function insertLink(
  { tenant, database, invitedBy }: { tenant: TenantId; database: Database; invitedBy: string },
  person: Pick<NewInvitation, "email" | "role" | "forUser">,
  validMs: number,
): Promise<LinkMade> {
  const token = generateToken();
  const createdAt = now();
  const times = { createdAt, expiresAt: createdAt + validMs };
  const id = await upsertInvitation(tenant, database, { ...person, ...times, hash: hashToken(token), invitedBy });
  return id === null ? { outcome: "not-admin" } : { outcome: "invited", id, token, email: person.email };
}

/** The invitations that are not accepted or revoked, the newest first; expired ones are among them. */
export async function listInvitations(tenant: TenantId, database: Database): Promise<OpenInvitation[]> {
  return await listOpenInvitations(tenant, database, now());
}

/** False where the tenant has no such open invitation. */
export async function revokeInvitation(tenant: TenantId, database: Database, id: string, by: string): Promise<boolean> {
  return isId(id) && (await revokeOpenInvitation(tenant, database, id, by));
}

/** The invitation of a link; null where it is unknown, used, revoked or expired, its maker no admin any more, or its workspace suspended. */
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
  const { email, workspace, userName } = open.invitation;
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
  const place = await placeOfInvitation(database, hash);
  if (place === null) return null;
  const invitation = await findOpenInvitation(place.tenant, database, place.id, hash, now());
  return invitation === null ? null : { ...place, hash, invitation };
}
