import type { Deps } from "../../kit/deps.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { Input } from "../../platform/fields/fields.ts";
import { textOrNull, validate } from "../../platform/fields/validation.ts";
import { isId } from "../../platform/ids.ts";
import type { Call } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { changeProfile, changeRole, type MemberChanged } from "./member-queries.ts";
import { identityFields, membershipFields, profileFields } from "./user.ts";

type Invalid = { outcome: "invalid"; messages: FieldErrors };

/** Changes those of a user's own name, language and theme that were sent. */
export async function updateProfile(
  { database }: Pick<Deps, "database">,
  tenant: TenantId,
  user: string,
  input: Input,
): Promise<{ outcome: "written" } | Invalid> {
  const { values, errors } = validate(profileFields, input, "update");
  if (errors !== null) return { outcome: "invalid", messages: errors };
  const language = values.language === undefined ? undefined : textOrNull(values.language);
  await changeProfile(tenant, database, user, {
    name: textOrNull(values.name),
    language,
    theme: textOrNull(values.theme),
  });
  return { outcome: "written" };
}

/**
 * Gives a user those of a role, the right to export or not, a name and an address that are sent; `by` as
 * changes.changed_by has it. The last active admin keeps that role.
 * @param mails the calls that notify the user of another address
 */
export async function updateRole(
  { database }: Pick<Deps, "database">,
  tenant: TenantId,
  user: string,
  input: Input,
  by: string,
  mails: readonly Call[] = [],
): Promise<MemberChanged | Invalid> {
  const identity = validate(identityFields, input, "update");
  const membership = validate(membershipFields, input, "update");
  if (identity.errors !== null || membership.errors !== null)
    return { outcome: "invalid", messages: { ...identity.errors, ...membership.errors } };
  if (!isId(user)) return { outcome: "missing" };
  const { role, may_export: mayExport } = membership.values;
  const { name, email } = identity.values;
  const change = {
    role: role === undefined ? null : role === "admin" ? ("admin" as const) : ("member" as const),
    mayExport: textOrNull(mayExport),
    name: textOrNull(name),
    email: textOrNull(email),
    mails,
  };
  return await changeRole(tenant, database, user, change, by);
}
