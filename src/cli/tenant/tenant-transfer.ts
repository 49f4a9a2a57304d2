import type { Command } from "commander";
import { slugArgument, tenantNamed } from "../arguments.ts";
import { passphraseOf, passphraseOption, reportOf } from "../backup.ts";
import { runs, type Work } from "../run-command.ts";

/**
 * `tenant backup` and `tenant restore` (docs/operations.md 7.4). Their code is loaded when they run: it is larger than
 * that of all other commands for tenants.
 */
export function registerTransfer(tenant: Command): void {
  const backup = tenant
    .command("backup")
    .description(
      "Write one tenant into a file that another instance of the same release can restore. The file contains its encrypted values in clear.",
    )
    .argument("<slug>", "the tenant")
    .argument("<file>", "the backup; it is replaced when the new one is whole. - is standard output")
    .option(...passphraseOption);
  runs(backup, backUp);
  const restore = tenant
    .command("restore")
    .description(
      "Restore a tenant's backup beside the existing tenants. Under another slug, or if it was not suspended before the backup, it sends nothing.",
    )
    .argument("<file>", "the backup")
    .option("--as <slug>", "a slug other than its own; the tenant then has no API keys")
    .option(...passphraseOption);
  runs(restore, putBack);
}

const backUp: Work = async (deps, { operands: [slug, file = ""], options, signal }) => {
  const tenant = await tenantNamed(deps, slug);
  const passphrase = passphraseOf(options);
  const { takeTenantBackup } = await import("../../operation/backup/tenant/take-tenant-backup.ts");
  const rows = await takeTenantBackup(deps, tenant, { file, passphrase, signal });
  const secrecy =
    passphrase === null
      ? "Phones, keys of warehouses and all other values that the database encrypts are in clear in it."
      : "It is encrypted with the passphrase.";
  return reportOf(file, options, {
    json: { tenant: tenant.slug, rows },
    text: `${file}: ${rows} rows of the tenant "${tenant.slug}". ${secrecy}`,
  });
};

const putBack: Work = async (deps, { operands: [file = ""], options, signal }) => {
  const as = options.as === undefined ? null : slugArgument(String(options.as));
  const { jobKinds, webhookKinds } = await import("../../worker.ts");
  const { restoreTenant } = await import("../../operation/backup/tenant/restore-tenant.ts");
  const callingKinds = Object.entries({ ...jobKinds, ...webhookKinds }).flatMap(([kind, { calls }]) =>
    calls ? kind : [],
  );
  const restored = await restoreTenant(deps, { file, passphrase: passphraseOf(options), as, callingKinds, signal });
  const { slug, rows, sends } = restored;
  const calls = sends
    ? "Its invoices are looked up in their warehouses before they are sent."
    : "It sends nothing by itself: its connections do not send automatically, invoices on their way have failed, waiting mails are given up, and its webhooks and daily mails are off.";
  return { json: { tenant: slug, rows }, text: `${rows} rows of the tenant "${slug}" are restored. ${calls}` };
};
