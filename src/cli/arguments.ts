import type { Command } from "commander";
import type { Deps, OpenDeps } from "../kit/deps.ts";
import { findStandingByNumber } from "../orders/wms/sending/push-queries.ts";
import { findTenant, type Tenant } from "../people/tenants/tenant-queries.ts";
import { isSlug } from "../people/tenants/tenant.ts";
import { fieldMessages } from "../platform/fields/field-reasons.ts";
import type { FieldTable } from "../platform/fields/fields.ts";
import { validate, type Values } from "../platform/fields/validation.ts";
import { isId } from "../platform/ids.ts";
import { Refusal } from "../platform/refusal.ts";
import { trim } from "../platform/text.ts";
import { runs, type Invocation, type Output } from "./run-command.ts";

/** The work of a command for one tenant. */
export type TenantWork = (deps: OpenDeps, tenant: Tenant, invocation: Invocation) => Promise<Output>;

/** Completes a command that works for one tenant, which `--tenant` names. */
export function runsFor(command: Command, work: TenantWork): void {
  command.requiredOption("--tenant <slug>", "the tenant, by its slug");
  runs(command, async (deps, invocation) => {
    return await work(deps, await tenantNamed(deps, invocation.options.tenant), invocation);
  });
}

/** The tenant that a command names. Throws Refusal if it does not exist. */
export async function tenantNamed({ database }: Pick<Deps, "database">, slug: unknown): Promise<Tenant> {
  const named = trim(String(slug));
  const tenant = await findTenant(database, named);
  if (tenant === null) throw new Refusal(`There is no tenant "${named}".`);
  return tenant;
}

/** The number of an invoice, checked. Throws Refusal if the tenant has no such invoice. */
export async function invoiceNumbered({ database }: Deps, { id, slug }: Tenant, text: unknown): Promise<string> {
  const number = trim(String(text));
  if ((await findStandingByNumber(id, database, number)) === null) {
    throw new Refusal(`The tenant "${slug}" has no invoice "${number}".`);
  }
  return number;
}

/** The options as values of a create, checked like a body sent to the API. Throws Refusal with every message. */
export function checkedValues(fields: FieldTable, options: Record<string, unknown>): Values {
  const { values, errors } = validate(fields, options, "create");
  if (errors !== null) throw new Refusal(Object.values(fieldMessages(errors)).flat().join(" "));
  return values;
}

/** A slug, checked. Throws Refusal for a text that is none. */
export function slugArgument(text: string): string {
  const slug = trim(text);
  if (isSlug(slug)) return slug;
  throw new Refusal(`"${slug}" is not a slug: a-z, 0-9 and single hyphens inside, at most 63 characters.`);
}

/** An id, checked. Throws Refusal for a text that cannot be one. */
export function idArgument(what: string, text: unknown): string {
  const id = trim(String(text));
  if (!isId(id)) throw new Refusal(`"${id}" is not the id of ${what}.`);
  return id;
}
