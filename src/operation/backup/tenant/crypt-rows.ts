import { UndecryptableValue, type ColumnName, type Keyring } from "../../../platform/encryption/keyring.ts";
import { lineOf, linesOf, valuesOf } from "../../../platform/postgres/copy-lines.ts";
import type { StoredTable } from "../../../platform/postgres/stored-tables.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { Refusal } from "../../../platform/refusal.ts";
import { bindingOf, encryptedTables } from "../../encryption/encrypted-tables.ts";

/** Replaces a value of an encrypted column. @param column that the ciphertext is bound to */
type Change = (value: string, column: ColumnName, isPhone: boolean) => string;

/**
 * Decrypts the rows of a table. Throws Refusal if a value cannot be decrypted: without it the row may not be
 * restorable, and nothing would show the loss.
 */
export function decryptRows(
  { keyring, tenant }: { keyring: Keyring; tenant: TenantId },
  table: StoredTable,
  rows: AsyncIterable<Buffer>,
): AsyncIterable<Buffer> {
  return replaceValues(table, rows, (value, column) => keyring.decrypt(tenant, column, value));
}

/** Encrypts the rows of a table for a tenant. */
export function encryptRows(
  { keyring, tenant }: { keyring: Keyring; tenant: TenantId },
  table: StoredTable,
  rows: AsyncIterable<Buffer>,
): AsyncIterable<Buffer> {
  return replaceValues(table, rows, (value, column, isPhone) =>
    isPhone ? keyring.encryptPhone(tenant, column, value) : keyring.encrypt(tenant, column, value),
  );
}

/** Returns the rows unchanged if their table has no encrypted columns. */
function replaceValues(
  { name, columns }: StoredTable,
  rows: AsyncIterable<Buffer>,
  change: Change,
): AsyncIterable<Buffer> {
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
    `The ${column} of row ${id} of ${table} does not decrypt with the present keys: put back the missing key, or replace or remove the value (docs/operations.md 14.3); liaison doctor names all such rows.`,
  );
}
