import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import { exportCsv } from "../exchange/exports/command-export.ts";
import { kindOf } from "../exchange/imports/kinds.ts";
import { exportContact } from "../exchange/personal-data/export-contact.ts";
import type { Deps } from "../kit/deps.ts";
import type { Tenant } from "../people/tenants/tenant-queries.ts";
import { errorCode } from "../platform/error-code.ts";
import { Refusal } from "../platform/refusal.ts";
import { idArgument, runsFor, type TenantWork } from "./arguments.ts";

/** `export <kind>` (docs/operations.md 3.2): CSV on standard output; and `export contact <id>`, which is JSON. */
export function registerExport(program: Command): void {
  const command = program
    .command("export")
    .description(
      "Write rows to standard output as CSV that import reads: companies, contacts, addresses, invoices, invoice_lines, payments, offers, " +
        "deals, tickets, subscriptions. `export contact <id>` writes all stored data about a person, as JSON.",
    )
    .argument("<kind>", "the kind of the rows")
    .argument("[id]", "the id of the contact, only for `export contact`");
  runsFor(command, exportRows);
}

const exportRows: TenantWork = async (deps, tenant, { operands: [kind = "", id], signal }) => {
  if (kind !== "contact" && id !== undefined) throw new Refusal("Only `export contact` takes an id.");
  const parts = kind === "contact" ? await person(deps, tenant, id) : exportCsv(deps, tenant.id, kindOf(kind));
  try {
    await pipeline(parts, process.stdout, { end: false, signal });
  } catch (error) {
    // The reader has closed the pipe: `| head`.
    if (errorCode(error) !== "EPIPE") throw error;
  }
  return null;
};

/** Exports all stored data about a contact. */
async function person(deps: Deps, { id: tenant, slug }: Tenant, argument: string | undefined) {
  const id = idArgument("a contact", argument ?? "");
  const parts = await exportContact(deps, tenant, id);
  if (parts === null) throw new Refusal(`The tenant "${slug}" has no contact ${id}.`);
  return parts;
}
