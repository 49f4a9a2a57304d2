import type { Secrets } from "../../platform/encryption/keyring.ts";
import { customWithout, METADATA, sortedCustom } from "../../platform/fields/custom.ts";
import { externalIdsOf } from "../../platform/fields/external-ids.ts";
import { encryptedFields } from "../../platform/fields/fields.ts";
import { namesOf } from "../../platform/fields/sql.ts";
import { valueColumns, type FormerId, type MergeableTable, type Whole } from "./merge-queries.ts";
import { isSameId } from "./merged-values.ts";

const COLUMN = "merges.before";

type Noun = Pick<MergeableTable, "table" | "fields">;

type Difference = [before: string | null, after: string | null];

/** The changes of the kept one: values and external ids, each before and after, and new former ids. */
export type MergeRecord = {
  values: Record<string, Difference>;
  external: Record<string, Difference>;
  formerIds: FormerId[];
};

/** Phones are in clear text, so that they stay usable when the encryption keys change: the record is encrypted. */
export function mergeRecord(noun: Noun, before: Whole, after: Whole, secrets: Secrets): MergeRecord {
  const valueOf = readerOf(noun, secrets);
  const values = valueColumns(noun.fields).flatMap((name) => {
    const difference: Difference = [valueOf(before, name), valueOf(after, name)];
    return difference[0] === difference[1] ? [] : [[name, difference] as const];
  });
  const [had, has] = [idsOf(before), idsOf(after)];
  const external = [...has].flatMap(([source, id]) =>
    had.has(source) ? [] : [[source, [null, id] as Difference] as const],
  );
  const formerIds = after.formerIds.filter((one) => !before.formerIds.some((other) => isSameId(one, other)));
  return { values: Object.fromEntries(values), external: Object.fromEntries(external), formerIds };
}

/**
 * The kept one without the changes of a merge, where nobody changed it since.
 * @param ignored the keys of custom fields that were deleted or defined since
 * @returns also the number of values that go back, and of those that somebody changed
 */
export function withoutChanges(
  noun: Noun,
  kept: Whole,
  { values, external, formerIds }: MergeRecord,
  ignored: readonly string[],
  secrets: Secrets,
): { kept: Whole; restored: number; left: number } {
  const { [METADATA]: changedCustom, ...plain } = values;
  const custom = customWithout(kept.values[METADATA] ?? null, changedCustom ?? [null, null], new Set(ignored));
  const entries = Object.entries(plain);
  const ids = idsOf(kept);
  const valueOf = readerOf(noun, secrets);
  const unchanged = entries.filter(([name, [, after]]) => valueOf(kept, name) === after);
  const unchangedIds = Object.entries(external).filter(([source, [, after]]) => (ids.get(source) ?? null) === after);
  const stored: Whole["values"] = { ...kept.values, [METADATA]: custom.stored };
  const encrypted = encryptedNames(noun);
  for (const [name, [before]] of unchanged) {
    stored[name] =
      encrypted.has(name) && before !== null
        ? secrets.keyring.encryptPhone(secrets.tenant, `${noun.table}.${name}`, before)
        : before;
  }
  for (const [source, [before]] of unchangedIds) {
    if (before === null) ids.delete(source);
    else ids.set(source, before);
  }
  const restored = unchanged.length + unchangedIds.length;
  return {
    kept: {
      ...kept,
      values: stored,
      external: ids.size === 0 ? null : JSON.stringify(Object.fromEntries(ids)),
      formerIds: kept.formerIds.filter((one) => !formerIds.some((other) => isSameId(one, other))),
    },
    restored: restored + custom.restored,
    left: entries.length + Object.keys(external).length - restored + custom.left,
  };
}

/** Values as they are compared. */
function readerOf(noun: Noun, { keyring, tenant }: Secrets): (of: Whole, name: string) => string | null {
  const encrypted = encryptedNames(noun);
  return ({ values }, name) => {
    const value = values[name] ?? null;
    if (value === null) return null;
    // PostgreSQL writes JSON with other blanks, and in another order.
    if (name === METADATA) return sortedCustom(value);
    return encrypted.has(name) ? (keyring.reveal(tenant, `${noun.table}.${name}`, value) ?? value) : value;
  };
}

/** All of them are phones. */
function encryptedNames({ fields }: Noun): ReadonlySet<string> {
  return new Set(namesOf(encryptedFields(fields)));
}

function idsOf({ external }: Whole): Map<string, string> {
  return new Map(externalIdsOf(external).map(({ source, externalId }) => [source, externalId]));
}

export function sealedRecord(record: MergeRecord, { keyring, tenant }: Secrets): string {
  return keyring.encrypt(tenant, COLUMN, JSON.stringify(record));
}

/** Throws UndecryptableValue. */
export function openedRecord(stored: string, { keyring, tenant }: Secrets): MergeRecord {
  return JSON.parse(keyring.decrypt(tenant, COLUMN, stored)) as MergeRecord;
}
