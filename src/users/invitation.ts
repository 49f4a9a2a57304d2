import type { Deps } from "../deps.ts";
import { now } from "../platform/clock.ts";
import type { FieldErrors } from "../platform/fields/field-reasons.ts";
import type { Input } from "../platform/fields/fields.ts";
import { validate } from "../platform/fields/validation.ts";
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
  type OpenInvitation,
} from "./invitation-queries.ts";
import { inPasswordTurn, knownTurn } from "./password-turns.ts";
import { passwordComplaint } from "./password.ts";
import { findByEmail } from "./sign-in-queries.ts";
import { acceptanceFields, invitationFields } from "./user.ts";

/** The validity of an invitation. */
export const INVITATION_MS = 7 * 24 * 60 * 60_000;

/** `token` is for the link, `/invitations/{token}`, which nobody can be shown again. */
export type Invited =
  | { outcome: "invited"; id: string; token: string; email: string }
  | { outcome: "invalid"; messages: FieldErrors }
  | { outcome: "taken" }
  | { outcome: "not-admin" };

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
  const token = generateToken();
  const createdAt = now();
  const id = await upsertInvitation(tenant, database, {
    email,
    role: String(values.role ?? "member"),
    hash: hashToken(token),
    invitedBy,
    createdAt,
    expiresAt: createdAt + INVITATION_MS,
  });
  return id === null ? { outcome: "not-admin" } : { outcome: "invited", id, token, email };
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

/** Makes a user of an invited person, once. `taken`: the address got a user in another way meanwhile. */
export async function acceptInvitation(
  { database, passwords, sharing }: Pick<Deps, "database" | "passwords" | "sharing">,
  token: string,
  input: Input & { password: string },
): Promise<Accepted> {
  const open = await openOf(database, token);
  if (open === null) return { outcome: "gone" };
  const { email, workspace } = open.invitation;
  const { values, errors } = validate(acceptanceFields, input, "create");
  const complaint = passwordComplaint(input.password, { email, workspace });
  if (errors !== null || complaint !== null) {
    return { outcome: "invalid", messages: { ...errors, ...(complaint === null ? {} : { password: [complaint] }) } };
  }
  const turn = knownTurn(workspace);
  const passwordHash = await inPasswordTurn({ sharing }, turn, async () => await passwords.hash(input.password));
  if (passwordHash === null) return { outcome: "busy" };
  const user = { name: String(values.name), passwordHash };
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
