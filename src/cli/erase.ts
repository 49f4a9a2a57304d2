import type { Command } from "commander";
import { eraseContact, type Receipt } from "../exchange/personal-data/erase-contact-queries.ts";
import { Refusal } from "../platform/refusal.ts";
import { idArgument, runsFor, type TenantWork } from "./arguments.ts";

/** `erase contact` (docs/operations.md 3.2). */
export function registerErase(program: Command): void {
  const erase = program.command("erase").description("Erase all data of a person.");
  const contact = erase
    .command("contact")
    .description(
      "Erase a contact, deleted or not, and what its history, activities, imports and stored answers say of the person, for good.",
    )
    .argument("<id>", "the contact's id");
  runsFor(contact, erasePerson);
}

const erasePerson: TenantWork = async (deps, tenant, { operands }) => {
  const id = idArgument("a contact", operands[0]);
  const receipt = await eraseContact(tenant.id, deps.database, id, "command");
  if (receipt === null) throw new Refusal(`The tenant "${tenant.slug}" has no contact ${id}.`);
  return { json: receipt, text: textOf(id, receipt) };
};

function textOf(id: string, { erased, merged, files }: Receipt): string {
  const rows = Object.entries(erased).map(([table, count]) => `${table}: ${count}`);
  const others = merged.length === 0 ? "" : ` and those that were merged into it (${merged.join(", ")})`;
  return [
    `Erased the contact ${id}${others}. Rows: ${rows.join(", ")}.`,
    ...files.map(
      (file) =>
        `Import ${file.import_id} keeps its file "${file.file_name}", which may name the person, until ${file.kept_until}.`,
    ),
    "No answer has the data of the person any more. The disk overwrites it later, and older backups still have it (docs/operations.md 7.5).",
  ].join("\n");
}
