import { UndecryptableValue, type ColumnName, type Keyring } from "../platform/encryption/keyring.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { listTenants } from "../tenants/tenant-queries.ts";
import { bindingOf, encryptedTables, encryptedTablesOfNobody, type EncryptedTable } from "./encrypted-tables.ts";
import { staleRows } from "./encrypted-value-queries.ts";

/** The number of stored values that no encryption key at hand decrypts, by the column that they are in. Reads all there are. */
export async function countUndecryptable(database: Database, keyring: Keyring): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const count = async (tenant: TenantId | "", table: EncryptedTable): Promise<void> => {
    // No value is under the key without a name.
    for await (const rows of staleRows(tenant, database, table, "")) {
      for (const row of rows) {
        for (const [name, stored] of Object.entries(row.ciphertexts)) {
          if (stored === null || isReadable(keyring, tenant, bindingOf(table, row.kind, name), stored)) continue;
          const place = `${table.name}.${name}`;
          counts.set(place, (counts.get(place) ?? 0) + 1);
        }
      }
    }
  };
  for (const { id } of await listTenants(database)) for (const table of encryptedTables) await count(id, table);
  for (const table of encryptedTablesOfNobody) await count("", table);
  return counts;
}

function isReadable(keyring: Keyring, tenant: TenantId | "", column: ColumnName, stored: string): boolean {
  try {
    keyring.decrypt(tenant, column, stored);
    return true;
  } catch (error) {
    if (!(error instanceof UndecryptableValue)) throw error;
    return false;
  }
}
