import { bindingOf, encryptedTables } from "../../encryption/encrypted-tables.ts";
import { UndecryptableValue, type ColumnName, type Keyring } from "../../platform/encryption/keyring.ts";
import { lineOf, linesOf, valuesOf } from "../../platform/postgres/copy-lines.ts";
import type { StoredTable } from "../../platform/postgres/stored-tables.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { Refusal } from "../../platform/refusal.ts";

/** Another value in the place of one of an encrypted column. @param column to which its ciphertext is bound */
type Change = (value: string, column: ColumnName, isPhone: boolean) => string;

/** Rows with their encrypted values in clear. Throws Refusal where one does not decrypt: without it a row may not be restorable, and would not say what it lost. */
export function decrypted(
  { keyring, tenant }: { keyring: Keyring; tenant: TenantId },
  table: StoredTable,
  rows: AsyncIterable<Buffer>,
): AsyncIterable<Buffer> {
  return changed(table, rows, (value, column) => keyring.decrypt(tenant, column, value));
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
  const idAt = columns.indexOf("id");
  const places = table.columns.map((column) => ({
    column,
    at: columns.indexOf(column),
    isPhone: table.phones?.includes(column) === true,
  }));
  return (async function* () {
    for await (const line of linesOf(name, rows)) {
      const values = valuesOf(line);
      for (const { column, at, isPhone } of places) {
        const value = values[at] ?? null;
        if (value === null) continue;
        try {
          values[at] = change(value, bindingOf(table, column), isPhone);
        } catch (error) {
          throw error instanceof UndecryptableValue ? unreadable(name, column, String(values[idAt])) : error;
        }
      }
      yield lineOf(values);
    }
  })();
}

function unreadable(table: string, column: string, id: string): Refusal {
  return new Refusal(
    `The ${column} of row ${id} of ${table} does not decrypt with the keys at hand: put back the key that is missing, or have the value replaced or taken away (docs/operations.md 14.3); liaison doctor names all such rows.`,
  );
}
