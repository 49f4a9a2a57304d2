import type { Secrets } from "../../platform/encryption/keyring.ts";
import { METADATA, sortedCustom } from "../../platform/fields/custom.ts";
import { externalIdsOf } from "../../platform/fields/external-ids.ts";
import { VALUE_COLUMNS, type FormerId, type WholeCompany } from "./merge-queries.ts";
import { isSameId } from "./merged-values.ts";

const COLUMN = "merges.before";
const PHONE = "companies.phone";

type Difference = [before: string | null, after: string | null];

/** The changes of the kept company: values and external ids, each before and after, and new former ids. */
export type MergeRecord = {
  values: Record<string, Difference>;
  external: Record<string, Difference>;
  formerIds: FormerId[];
};

/** Phones are in clear text, so that they stay usable when the encryption keys change: the record is encrypted. */
export function mergeRecord(before: WholeCompany, after: WholeCompany, secrets: Secrets): MergeRecord {
  const values = VALUE_COLUMNS.flatMap((name) => {
    const difference: Difference = [valueOf(before, name, secrets), valueOf(after, name, secrets)];
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
 * A company without the changes of a merge, where nobody changed it since.
 * @returns also the number of values that go back, and of those that somebody changed
 */
export function withoutChanges(
  company: WholeCompany,
  { values, external, formerIds }: MergeRecord,
  secrets: Secrets,
): { company: WholeCompany; restored: number; left: number } {
  const entries = Object.entries(values);
  const ids = idsOf(company);
  const unchanged = entries.filter(([name, [, after]]) => valueOf(company, name, secrets) === after);
  const unchangedIds = Object.entries(external).filter(([source, [, after]]) => (ids.get(source) ?? null) === after);
  const stored = { ...company.values };
  for (const [name, [before]] of unchanged) {
    stored[name] =
      name === "phone" && before !== null ? secrets.keyring.encryptPhone(secrets.tenant, PHONE, before) : before;
  }
  for (const [source, [before]] of unchangedIds) {
    if (before === null) ids.delete(source);
    else ids.set(source, before);
  }
  const restored = unchanged.length + unchangedIds.length;
  return {
    company: {
      ...company,
      values: stored,
      external: ids.size === 0 ? null : JSON.stringify(Object.fromEntries(ids)),
      formerIds: company.formerIds.filter((one) => !formerIds.some((other) => isSameId(one, other))),
    },
    restored,
    left: entries.length + Object.keys(external).length - restored,
  };
}

function valueOf({ values }: WholeCompany, name: string, { keyring, tenant }: Secrets): string | null {
  const value = values[name] ?? null;
  // PostgreSQL writes JSON with other blanks, and in another order.
  if (name === METADATA) return value === null ? null : sortedCustom(value);
  return name === "phone" && value !== null ? (keyring.reveal(tenant, PHONE, value) ?? value) : value;
}

function idsOf({ external }: WholeCompany): Map<string, string> {
  return new Map(externalIdsOf(external).map(({ source, externalId }) => [source, externalId]));
}

export function sealedRecord(record: MergeRecord, { keyring, tenant }: Secrets): string {
  return keyring.encrypt(tenant, COLUMN, JSON.stringify(record));
}

/** Throws UndecryptableValue. */
export function openedRecord(stored: string, { keyring, tenant }: Secrets): MergeRecord {
  return JSON.parse(keyring.decrypt(tenant, COLUMN, stored)) as MergeRecord;
}
