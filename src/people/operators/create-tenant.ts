import type { Deps } from "../../kit/deps.ts";
import { mailing } from "../../kit/mail/mailing.ts";
import { now } from "../../platform/clock.ts";
import type { FieldTable } from "../../platform/fields/fields.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { normalized } from "../../platform/text.ts";
import { generateToken, hashToken } from "../../platform/token.ts";
import { SLUG_MAX, tenantFields } from "../tenants/tenant.ts";
import { INVITATION_MS } from "../users/invitation.ts";
import { EMAIL_MAX } from "../users/user.ts";
import { insertTenantWithAdmin, replaceFirstInvitation, type NewTenant } from "./new-tenant-queries.ts";

/** The fields of a new tenant whose first admin is invited. An empty slug is made from the name. */
export const newTenantFields: FieldTable = [
  ...tenantFields.filter(({ name }) => name === "name"),
  { name: "slug", kind: "string", max: SLUG_MAX },
  { name: "email", kind: "email", max: EMAIL_MAX, required: true },
  ...tenantFields.filter(({ name }) => name !== "name"),
];

type MailDeps = Pick<Deps, "database" | "config" | "keyring">;

/**
 * Creates a tenant and the invitation of its first admin, both or neither, and mails it if mail is configured. Returns
 * the tenant's id and the token of the link, `/invitations/{token}`; null if the slug is taken.
 * @param invitedBy the operator's name; null: a command
 */
export async function createTenantWithAdmin(
  deps: MailDeps,
  tenant: NewTenant,
  invitedBy: string | null,
): Promise<{ id: string; token: string } | null> {
  const { token, invitation, mailsOf } = newInvitation(deps, tenant.email, invitedBy);
  const id = await insertTenantWithAdmin(deps.database, tenant, invitation, mailsOf);
  return id === null ? null : { id, token };
}

/** Invites the first admin of a tenant again, who never came. Returns the token; null if somebody did. */
export async function inviteFirstAdmin(
  deps: MailDeps,
  tenant: TenantId,
  email: string,
  invitedBy: string,
): Promise<string | null> {
  const { token, invitation, mailsOf } = newInvitation(deps, email, invitedBy);
  const first = { email, by: "operator" } as const;
  const isMade = await replaceFirstInvitation(tenant, deps.database, first, invitation, mailsOf(tenant));
  return isMade ? token : null;
}

function newInvitation(deps: MailDeps, email: string, invitedBy: string | null) {
  const token = generateToken();
  const createdAt = now();
  const invitation = { hash: hashToken(token), createdAt, expiresAt: createdAt + INVITATION_MS };
  // The operator's language says nothing of the person's, but the tenant's country does.
  const details = { path: `/invitations/${token}`, language: null, invitedBy };
  const mailsOf = (tenant: TenantId) => mailing(deps, tenant, { email }, { kind: "invitation", details });
  return { token, invitation, mailsOf };
}

/** The field of the first admin's address. */
export const adminFields = newTenantFields.filter(({ name }) => name === "email");

/** The slug that a name suggests, such as `carpat-lemn` for "Carpat Lemn SRL"; empty if it suggests none. */
export function proposedSlug(name: string): string {
  const text = (normalized(name, 255, "NFD") ?? "").toLowerCase().replaceAll(/\p{M}/gu, "");
  const words = text.split(/[^a-z0-9]+/).filter((word) => word !== "");
  // The form of a company is not what people call it.
  const last = words.at(-1) ?? "";
  if (words.length > 1 && /^(?:srl|sa|pfa|ltd|gmbh|inc|llc)$/.test(last)) words.pop();
  return words.join("-").slice(0, SLUG_MAX).replace(/-$/, "");
}
