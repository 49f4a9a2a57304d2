import { tableOfNoun } from "../../customers/custom-fields/custom-field.ts";
import { customTable } from "../../customers/custom-fields/defined-fields.ts";
import { createDefinition, updateDefinition } from "../../customers/custom-fields/write-custom-field.ts";
import type { Actor } from "../../kit/actor.ts";
import type { Store } from "../../kit/deps.ts";
import { customName } from "../../platform/fields/custom.ts";
import { storeReading, type ClaimedImport } from "./import-run-queries.ts";
import { kindOf } from "./kinds.ts";
import type { MadeField } from "./reading/reading.ts";

/** The made fields that a column still has. */
export function usedFields({ kind, reading: { columns, made } }: Pick<ClaimedImport, "kind" | "reading">): MadeField[] {
  const { table } = kindOf(kind).bulk;
  return made.filter(({ noun, key }) => tableOfNoun[noun] === table && columns?.includes(customName(key)) === true);
}

/**
 * Defines the fields that a person has made of columns, each once: a later attempt finds the one that an earlier one
 * made. Returns false if one cannot be defined, because others were meanwhile.
 */
export async function defineMade(store: Store, actor: Actor, claimed: ClaimedImport): Promise<boolean> {
  const { reading } = claimed;
  for (const field of usedFields(claimed).filter(({ id }) => id === null)) {
    const { noun, key, label, kind, options } = field;
    const body = { noun, key, label, kind, ...(kind === "choice" && { options: options.map((value) => ({ value })) }) };
    const written = await createDefinition(store, actor, body);
    if (written.outcome === "invalid") {
      const { fields } = await customTable(actor.tenant, store.database, noun);
      if (!fields.some((one) => one.key === key && one.label === label)) return false;
    }
    const id = written.outcome === "written" ? String(written.row[0]) : null;
    reading.made = reading.made.map((one) => (one === field ? Object.assign(one, { id }) : one));
    await store.database.transaction(actor.tenant, async (run) => storeReading(run, claimed));
  }
  return true;
}

/** Archives the fields that an import made, once its rows are undone. Their values stay with them. */
export async function archiveMade(store: Store, actor: Actor, { reading }: ClaimedImport): Promise<void> {
  for (const { id } of reading.made) {
    if (id !== null) await updateDefinition(store, actor, id, { archived: true });
  }
}
