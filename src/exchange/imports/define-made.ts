import { tableOfNoun } from "../../customers/custom-fields/custom-field.ts";
import { findDefined } from "../../customers/custom-fields/defined-field-queries.ts";
import { createDefinition, updateDefinition } from "../../customers/custom-fields/write-custom-field.ts";
import type { Actor } from "../../kit/actor.ts";
import type { Store } from "../../kit/deps.ts";
import { customName } from "../../platform/fields/custom.ts";
import { listItems } from "../../platform/fields/list-items.ts";
import { storeReading, type ClaimedImport } from "./import-run-queries.ts";
import { kindOf } from "./kinds.ts";
import type { MadeField } from "./reading/reading.ts";

/** The made fields that a column still has. */
export function usedFields({ kind, reading: { columns, made } }: Pick<ClaimedImport, "kind" | "reading">): MadeField[] {
  const { table } = kindOf(kind).bulk;
  return made.filter(({ noun, key }) => tableOfNoun[noun] === table && columns?.includes(customName(key)) === true);
}

/**
 * Defines the fields that a person has made of columns, each once: its id is stored with it. A field of others that is
 * the same is filled, and stays theirs. Returns false if one cannot be defined, because others were meanwhile.
 */
export async function defineMade(store: Store, actor: Actor, claimed: ClaimedImport): Promise<boolean> {
  for (const field of usedFields(claimed).filter(({ id }) => id === null)) {
    const { noun, key, label, kind, options } = field;
    const body = { noun, key, label, kind, ...(kind === "choice" && { options: options.map((value) => ({ value })) }) };
    let { made } = claimed.reading;
    const written = await createDefinition(store, actor, body, async (run, row) => {
      made = claimed.reading.made.map((one) => (one === field ? { ...one, id: String(row[0]) } : one));
      await storeReading(run, { ...claimed, reading: { ...claimed.reading, made } });
    });
    if (written.outcome === "written") claimed.reading.made = made;
    else if (!(await isDefined(store, actor, field))) return false;
  }
  return true;
}

/** Whether there is a field that takes the same values under the same names. */
async function isDefined({ database }: Store, { tenant }: Actor, made: MadeField): Promise<boolean> {
  return (await findDefined(tenant, database)).some(({ noun, key, label, kind, options, isShown }) => {
    const isSame = isShown && noun === made.noun && key === made.key && label === made.label && kind === made.kind;
    if (!isSame) return false;
    const taken = new Set(listItems(options).flatMap(({ value, archived }) => (archived === true ? [] : [value])));
    return made.options.every((option) => taken.has(option));
  });
}

/** Archives the fields that an import made, once its rows are undone. Their values stay with them. */
export async function archiveMade(store: Store, actor: Actor, { reading }: ClaimedImport): Promise<void> {
  for (const { id } of reading.made) {
    if (id !== null) await updateDefinition(store, actor, id, { archived: true });
  }
}
