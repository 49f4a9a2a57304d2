import { isoTimestamp } from "../../../platform/dates.ts";
import type { Secrets } from "../../../platform/encryption/keyring.ts";
import { customValues, isCustom, METADATA } from "../../../platform/fields/custom.ts";
import { listItems } from "../../../platform/fields/list-items.ts";
import type { Run } from "../../../platform/postgres/database.ts";
import { shortened } from "../../../platform/text.ts";
import { CONTACT_PERSON } from "../columns/contact-person.ts";
import type { BatchOutcome, ImportTarget } from "../kind.ts";

/** A stored row that an import would change. */
export type ChangedRow = {
  id: string;
  title: string | null;
  /** That of its amounts, if the file has it. */
  currency?: string | null;
  /** Each with its column name in the file and its values before and after. */
  fields: [name: string, before: string | null, after: string | null][];
};

type ByColumn = Readonly<Record<string, string | null>>;

/** Limits of the preview: fields per row, and characters per value. */
const MOST_FIELDS = 50;
const MOST_CHARACTERS = 200;

/**
 * The stored rows that the current transaction has changed.
 * @param created ids of rows that this transaction created to repeat earlier rows
 */
export async function changedRows(
  run: Run,
  target: ImportTarget,
  { written, persons }: BatchOutcome,
  created: ReadonlySet<string>,
): Promise<ChangedRow[]> {
  const { deps, kind, actor } = target;
  const before = new Map(written.flatMap(({ id, stored }) => (stored === null ? [] : [[id, stored.columns]])));
  const isNew = new Set(
    written.flatMap(({ id, stored, isPerson }) => (stored === null && isPerson !== true ? id : [])),
  );
  const ids = [...new Set([...before.keys(), ...(persons?.keys() ?? [])])].filter(
    (id) => !created.has(id) && !isNew.has(id),
  );
  const [first] = ids;
  if (first === undefined) return [];
  const names = Object.keys(before.values().next().value ?? { name: null });
  const after = await kind.writes.stored(names)(run, ids);
  const clear = clearValues(kind, { keyring: deps.keyring, tenant: actor.tenant });
  return ids.map((id): ChangedRow => {
    const now = after.get(id)?.columns ?? {};
    const [was, is] = [clear(before.get(id) ?? now), clear(now)];
    const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((name): ChangedRow["fields"] =>
      was[name] === is[name] ? [] : [[name, short(was[name]), short(is[name])]],
    );
    const added = persons?.get(id)?.join(", ");
    if (added !== undefined) fields.push([CONTACT_PERSON, null, short(added)]);
    const title = is.name ?? is[kind.namedBy[0] ?? ""] ?? null;
    return { id, title: short(title), currency: short(is.currency), fields: fields.slice(0, MOST_FIELDS) };
  });
}

function short(value: string | null | undefined): string | null {
  return value == null ? null : shortened(value, MOST_CHARACTERS);
}

/** Decrypts and formats stored columns. A list's fields are named `lines.3.quantity`, where 3 is the position. */
function clearValues({ bulk }: ImportTarget["kind"], { keyring, tenant }: Secrets): (columns: ByColumn) => ByColumn {
  const fields = new Map(bulk.fields.map((field) => [field.name, field]));
  const custom = { fields: bulk.fields.filter(isCustom), isUsed: true };
  function clear(name: string, value: string): string | null {
    const { kind, encrypted } = fields.get(name) ?? {};
    if (kind === "boolean") return value === "t" ? "true" : "false";
    if (kind === "timestamp") return isoTimestamp(value);
    return encrypted ? keyring.reveal(tenant, `${bulk.table}.${name}`, value) : value;
  }
  return (columns) => {
    const values: Record<string, string | null> = {};
    for (const [name, value] of Object.entries(columns)) {
      if (name === METADATA) Object.assign(values, customValues(custom, value));
      else if (name !== "lines") values[name] = value === null ? null : clear(name, value);
      else
        for (const { position, ...item } of listItems(value)) {
          for (const [field, of] of Object.entries(item)) {
            values[`lines.${position}.${field}`] = of === null ? null : String(of);
          }
        }
    }
    return values;
  };
}
