import { bindingOf, encryptedTables } from "../../encryption/encrypted-tables.ts";
import type { ColumnName, Keyring } from "../../platform/encryption/keyring.ts";
import { lineOf, linesOf, valuesOf } from "../../platform/postgres/copy-lines.ts";
import type { StoredTable } from "../../platform/postgres/stored-tables.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

/** Another value in the place of one of an encrypted column. @param column to which its ciphertext is bound */
type Change = (value: string, column: ColumnName, isPhone: boolean) => string | null;

/** Rows with their encrypted values in clear; null where one does not decrypt, which is logged. */
export function decrypted(
  { keyring, tenant }: { keyring: Keyring; tenant: TenantId },
  table: StoredTable,
  rows: AsyncIterable<Buffer>,
): AsyncIterable<Buffer> {
  return changed(table, rows, (value, column) => keyring.reveal(tenant, column, value));
}

/** Rows with their clear values encrypted for a tenant. */
export function encrypted(
  { keyring, tenant }: { keyring: Keyring; tenant: TenantId },
  table: StoredTable,
  rows: AsyncIterable<Buffer>,
): AsyncIterable<Buffer> {
  return changed(table, rows, (value, column, isPhone) =>
    isPhone ? keyring.encryptPhone(tenant, column, value) : keyring.encrypt(tenant, column, value),
  );
}

/** The rows themselves, where nothing in their table is encrypted. */
function changed({ name, columns }: StoredTable, rows: AsyncIterable<Buffer>, change: Change): AsyncIterable<Buffer> {
  const table = encryptedTables.find((each) => each.name === name);
  if (table === undefined) return rows;
  const kindAt = table.copiedFrom === undefined ? -1 : columns.indexOf("kind");
  const places = table.columns.map((column) => ({
    column,
    at: columns.indexOf(column),
    isPhone: table.phones?.includes(column) === true,
  }));
  return (async function* () {
    for await (const line of linesOf(rows)) {
      const values = valuesOf(line);
      for (const { column, at, isPhone } of places) {
        const value = values[at] ?? null;
        if (value !== null) values[at] = change(value, bindingOf(table, values[kindAt] ?? null, column), isPhone);
      }
      yield lineOf(values);
    }
  })();
}
