import type { Deps } from "../deps.ts";
import type { FieldTable } from "../platform/fields/fields.ts";
import { validate, type Values } from "../platform/fields/validation.ts";
import { isId } from "../platform/ids.ts";
import { Refusal } from "../platform/refusal.ts";
import { trim } from "../platform/text.ts";
import { findTenant, type Tenant } from "../tenants/tenant-queries.ts";
import { findByNumber } from "../wms/sending/push-queries.ts";

/** The option of each command that works for one tenant, which `tenantNamed` looks up. */
export const OF_TENANT = ["--tenant <slug>", "the tenant, by its slug"] as const;

/** The tenant that a command names. Throws Refusal where there is none. */
export async function tenantNamed({ database }: Pick<Deps, "database">, slug: unknown): Promise<Tenant> {
  const named = trim(String(slug));
  const tenant = await findTenant(database, named);
  if (tenant === null) throw new Refusal(`There is no tenant "${named}".`);
  return tenant;
}

/** The number of an invoice, checked. Throws Refusal where the tenant has none of it. */
export async function invoiceNumbered({ database }: Deps, { id, slug }: Tenant, text: unknown): Promise<string> {
  const number = trim(String(text));
  if ((await findByNumber(id, database, number)) === null) {
    throw new Refusal(`The tenant "${slug}" has no invoice "${number}".`);
  }
  return number;
}

/** The options as a create takes them, checked like a body sent to the API. Throws Refusal with every message. */
export function checkedValues(fields: FieldTable, options: Record<string, unknown>): Values {
  const { values, errors } = validate(fields, options, "create");
  if (errors !== null) throw new Refusal(Object.values(errors).flat().join(" "));
  return values;
}

/** An id, checked. Throws Refusal for a text that cannot be one. */
export function idArgument(what: string, text: unknown): string {
  const id = trim(String(text));
  if (!isId(id)) throw new Refusal(`"${id}" is not the id of ${what}.`);
  return id;
}
