import type { Database } from "../platform/postgres/database.ts";
import type { FieldTable } from "../platform/fields/fields.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import {
  inFieldOrder,
  selectedIsInvalid,
  type FieldErrors,
  type Validated,
  type Values,
} from "../platform/fields/validation.ts";
import { activeUsersAmong } from "./user-queries.ts";

/**
 * Adds the rule that only the database can check: a field of kind `user` names an active user of the tenant. It is asked
 * only where the field has no message yet (decisions 2); a foreign id and a missing one get the same answer.
 */
export async function checkUsers(
  tenant: TenantId,
  database: Database,
  fields: FieldTable,
  { values, errors }: Validated,
): Promise<{ values: Values; messages: FieldErrors | null }> {
  const named = fields.filter(({ name, kind }) => kind === "user" && typeof values[name] === "number");
  if (named.length === 0) return { values, messages: errors };
  const ids = named.map(({ name }) => Number(values[name]));
  const active = await activeUsersAmong(tenant, database, ids);
  const unknown = named.filter(({ name }) => !active.has(Number(values[name])));
  const rejected = Object.fromEntries(unknown.map(({ name }) => [name, [selectedIsInvalid(name)]]));
  const messages = inFieldOrder(fields, { ...errors, ...rejected });
  return { values, messages: Object.keys(messages).length === 0 ? null : messages };
}
