import type { Secrets } from "../../../platform/encryption/keyring.ts";
import { encryptedFields } from "../../../platform/fields/fields.ts";
import type { UndoRow } from "../import-run-queries.ts";
import type { Kind, WrittenRow } from "../kind.ts";

const COLUMN = "import_rows.before";

/** A row's columns before the import: in clear text, or as stored if they could not be decrypted. */
type Before = { columns: Record<string, string | null>; clear: Record<string, string> };

/** The undo record of a row that an import wrote. */
export function undoRowOf(
  { bulk }: Kind,
  { id, version, stored, isPerson = false }: WrittenRow,
  { keyring, tenant }: Secrets,
): UndoRow {
  const row = { id, is_person: isPerson, version };
  if (stored === null) return { ...row, is_created: true, version_before: null, before: null };
  const before: Before = { columns: { ...stored.columns }, clear: {} };
  // Clear text stays usable when the encryption keys change; the record itself is encrypted as a whole.
  for (const { name } of encryptedFields(bulk.fields)) {
    const ciphertext = stored.columns[name];
    if (ciphertext == null) continue;
    const clear = keyring.clear(tenant, `${bulk.table}.${name}`, ciphertext);
    if (clear === null) continue;
    before.clear[name] = clear;
    delete before.columns[name];
  }
  const sealed = keyring.encrypt(tenant, COLUMN, JSON.stringify(before));
  return { ...row, is_created: false, version_before: stored.version, before: sealed };
}

/** The columns of an undo record, encrypted for storage again. Throws UndecryptableValue. */
export function storedAgain(
  { bulk }: Kind,
  sealed: string,
  { keyring, tenant }: Secrets,
): Record<string, string | null> {
  const { columns, clear } = JSON.parse(keyring.decrypt(tenant, COLUMN, sealed)) as Before;
  const encrypted = Object.entries(clear).map(([name, value]) => [
    name,
    keyring.encryptPhone(tenant, `${bulk.table}.${name}`, value),
  ]);
  return { ...columns, ...Object.fromEntries(encrypted) };
}
