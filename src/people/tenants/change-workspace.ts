import type { Deps } from "../../kit/deps.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { Input } from "../../platform/fields/fields.ts";
import { textOrNull, validate } from "../../platform/fields/validation.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { changeWorkspace } from "./tenant-queries.ts";
import { workspaceFields } from "./tenant.ts";

export type WorkspaceChanged = { outcome: "written" } | { outcome: "invalid"; messages: FieldErrors };

/** Changes the fields of a workspace that were sent, and no others. */
export async function updateWorkspace(
  { database }: Pick<Deps, "database">,
  tenant: TenantId,
  input: Input,
  by: string,
): Promise<WorkspaceChanged> {
  const { values, errors } = validate(workspaceFields, input, "update");
  if (errors !== null) return { outcome: "invalid", messages: errors };
  const { name, country, time_zone: timeZone } = values;
  const change = { name: textOrNull(name), country: textOrNull(country), timeZone: textOrNull(timeZone) };
  await changeWorkspace(tenant, database, change, by);
  return { outcome: "written" };
}
