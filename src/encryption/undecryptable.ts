import type { Keyring } from "../platform/encryption/keyring.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { listTenants } from "../tenants/tenant-queries.ts";
import { bindingOf, encryptedTables, encryptedTablesOfNobody, type EncryptedTable } from "./encrypted-tables.ts";
import { staleRows } from "./encrypted-value-queries.ts";

/** Rows of a column that are named: more would be no line that anybody reads. */
const NAMED = 10;

/** Values of a column: how many, and the first rows with one, as people name them. */
type Undecryptable = { values: number; rows: string[] };

/** The stored values that no encryption key at hand decrypts, by the column that they are in. Reads all there are. */
export async function findUndecryptable(database: Database, keyring: Keyring): Promise<Map<string, Undecryptable>> {
  const found = new Map<string, Undecryptable>();
  const look = async (tenant: TenantId | "", table: EncryptedTable, owner: string): Promise<void> => {
    // No value is under the key without a name.
    for await (const rows of staleRows(tenant, database, table, "")) {
      for (const row of rows) {
        for (const [name, stored] of Object.entries(row.ciphertexts)) {
          if (stored === null || keyring.clear(tenant, bindingOf(table, name), stored) !== null) continue;
          const place = `${table.name}.${name}`;
          const { values, rows: named } = found.get(place) ?? { values: 0, rows: [] };
          found.set(place, { values: values + 1, rows: [...named, `${row.id}${owner}`].slice(0, NAMED) });
        }
      }
    }
  };
  for (const { id, slug } of await listTenants(database)) {
    for (const table of encryptedTables) await look(id, table, ` of tenant ${slug}`);
  }
  for (const table of encryptedTablesOfNobody) await look("", table, "");
  return found;
}
