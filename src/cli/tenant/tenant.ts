import type { Command } from "commander";
import { createTenantWithAdmin, newTenantFields } from "../../people/operators/create-tenant.ts";
import { allowPasswords } from "../../people/single-sign-on/single-sign-on-queries.ts";
import { deleteTenant } from "../../people/tenants/delete-tenant.ts";
import { insertTenant, listTenants, setSuspended, type Tenant } from "../../people/tenants/tenant-queries.ts";
import { isNewSlug, tenantFields } from "../../people/tenants/tenant.ts";
import { isoOrNull } from "../../platform/dates.ts";
import { Refusal } from "../../platform/refusal.ts";
import { trim } from "../../platform/text.ts";
import { checkedValues, slugArgument, tenantNamed } from "../arguments.ts";
import { showProgress } from "../progress.ts";
import { runs, type Work } from "../run-command.ts";
import { configuredAddress } from "../settings.ts";
import { table } from "../table.ts";
import { registerTransfer } from "./tenant-transfer.ts";

/** The `tenant` commands (docs/operations.md 3.2); `backup` and `restore` are in tenant-transfer.ts. */
export function registerTenant(program: Command): void {
  const tenant = program.command("tenant").description("Create, suspend, resume, delete and list tenants.");
  const create = tenant
    .command("create")
    .description("Create a tenant. With --admin, print the invitation link of its first admin.")
    .argument("<slug>", "its name in API tokens: a-z, 0-9 and single hyphens inside, at most 63")
    .option("--name <name>", "its name for people, which its admins can change (default: the slug)")
    .option("--admin <address>", "the e-mail address of its first admin, who gets an invitation for seven days")
    .option("--country <country>", "the country of companies and addresses without one (default: Romania)");
  runs(create, createTenant);
  const suspend = tenant.command("suspend").description("Refuse every request of a tenant.").argument("<slug>");
  runs(suspend, suspending(true));
  const resume = tenant.command("resume").description("Serve a suspended tenant again.").argument("<slug>");
  runs(resume, suspending(false));
  const remove = tenant
    .command("delete")
    .description(
      "Delete a suspended tenant and all its data, for good, while servers run. If it is interrupted, the next run finishes it.",
    )
    .argument("<slug>")
    .requiredOption("--confirm <slug>", "the slug once more");
  runs(remove, removeTenant);
  const passwords = tenant
    .command("allow-passwords")
    .description("Allow passwords again in a tenant with single sign-on only, for example if its provider is down.")
    .argument("<slug>");
  runs(passwords, letPasswordsIn);
  runs(tenant.command("list").description("List the tenants."), list);
  registerTransfer(tenant);
}

const createTenant: Work = async ({ config, database, keyring }, { operands, options }) => {
  const slug = slugArgument(operands[0] ?? "");
  if (!isNewSlug(slug)) throw new Refusal(`"${slug}" is reserved for the operators' pages. Choose another slug.`);
  const hasAdmin = options.admin !== undefined;
  const input = { name: options.name ?? slug, country: options.country, ...(hasAdmin && { email: options.admin }) };
  const values = checkedValues(hasAdmin ? newTenantFields : tenantFields, input);
  const [name, email] = [String(values.name), String(values.email)];
  const country = values.country === null ? null : String(values.country);
  const isTaken = new Refusal(`There is a tenant "${slug}" already.`);
  if (!hasAdmin) {
    const created = await insertTenant(database, slug, name, country);
    if (created === null) throw isTaken;
    return { json: { id: Number(created.id), slug, name }, text: `Created the tenant "${slug}" (id ${created.id}).` };
  }
  const tenant = { slug, name, country, email, by: "command" } as const;
  const created = await createTenantWithAdmin({ database, config, keyring }, tenant, null);
  if (created === null) throw isTaken;
  const isMailed = config.mail !== null;
  const link = `${configuredAddress(config)}/invitations/${created.token}`;
  return {
    json: { id: Number(created.id), slug, name, admin: { email, link } },
    text: `Created the tenant "${slug}" (id ${created.id}).
${isMailed ? `The invitation goes to ${email} by mail. Its link` : `The link for ${email}`}, shown only now; it works once, within seven days:
${link}`,
  };
};

function suspending(suspended: boolean): Work {
  return async ({ database }, { operands }) => {
    const slug = trim(operands[0] ?? "");
    const changed = await setSuspended(database, slug, suspended);
    if (changed === null) {
      await tenantNamed({ database }, slug);
      throw new Refusal(`The tenant "${slug}" is being deleted: it cannot be resumed.`);
    }
    return {
      json: tenantJson(changed),
      text: `The tenant "${slug}" is ${suspended ? "suspended: its requests are refused" : "active"}.`,
    };
  };
}

const removeTenant: Work = async (deps, { operands, options, signal }) => {
  const { id, slug } = await tenantNamed(deps, operands[0]);
  if (options.confirm !== slug) throw new Refusal(`--confirm has to repeat the slug: ${slug}.`);
  const progress = showProgress();
  let rows = 0;
  const onRemoved = (_table: string, removed: number) => {
    rows += removed;
    progress.show(() => `${rows} rows deleted`);
  };
  const deleted = await deleteTenant(deps, id, { signal, onRemoved }).finally(progress.end);
  if (deleted === null) throw new Refusal(`The tenant "${slug}" is not suspended: suspend it first.`);
  return { json: { tenant: slug, deleted }, text: `Deleted the tenant "${slug}". Rows: ${rows}.` };
};

const letPasswordsIn: Work = async (deps, { operands }) => {
  const { id, slug } = await tenantNamed(deps, operands[0]);
  if (!(await allowPasswords(id, deps.database, "command"))) {
    throw new Refusal(`The tenant "${slug}" already allows passwords. Nothing was changed.`);
  }
  const text = `Passwords work again in the tenant "${slug}". Users without one need a link, or liaison user set-password.`;
  return { json: { tenant: slug, passwords: true }, text };
};

const list: Work = async ({ database }) => {
  const tenants = (await listTenants(database)).map((tenant) =>
    Object.assign(tenantJson(tenant), { deleting_at: isoOrNull(tenant.deletingAt) }),
  );
  const columns = ["id", "slug", "name", "country", "suspended at", "being deleted since"];
  return { json: tenants, text: table(columns, tenants.map(Object.values)) };
};

function tenantJson({ id, slug, name, country, suspendedAt }: Tenant) {
  return {
    id: Number(id),
    slug,
    name,
    country,
    suspended_at: isoOrNull(suspendedAt),
  };
}
