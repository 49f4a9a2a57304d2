import type { Deps } from "../../kit/deps.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { Input } from "../../platform/fields/fields.ts";
import { textOrNull, validate } from "../../platform/fields/validation.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { changeWorkspace } from "./tenant-queries.ts";
import { workspaceFields } from "./tenant.ts";
import { saveDetails } from "./workspace-details-queries.ts";
import { detailFields, storedDetails } from "./workspace-details.ts";

export type WorkspaceChanged = { outcome: "written" } | { outcome: "invalid"; messages: FieldErrors };

/** Changes the fields of a workspace that were sent, and no others. */
export async function updateWorkspace(
  { database }: Pick<Deps, "database">,
  tenant: TenantId,
  input: Input,
  by: string,
): Promise<WorkspaceChanged> {
  const { values, errors } = validate(workspaceFields, input, "update");
  const details = validate(detailFields, input, "update");
  const stored = storedDetails(details.values);
  const wrong = { ...errors, ...details.errors, ...("errors" in stored && stored.errors) };
  if (Object.keys(wrong).length > 0 || "errors" in stored) return { outcome: "invalid", messages: wrong };
  if (Object.keys(stored.values).length > 0) await saveDetails(tenant, database, stored.values, by);
  const { name, country, time_zone: timeZone } = values;
  const change = { name: textOrNull(name), country: textOrNull(country), timeZone: textOrNull(timeZone) };
  await changeWorkspace(tenant, database, change, by);
  return { outcome: "written" };
}
