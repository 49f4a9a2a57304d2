import { listTenants } from "../../people/tenants/tenant-queries.ts";
import type { Keyring } from "../../platform/encryption/keyring.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { INSTALLATION, type TenantId } from "../../platform/postgres/tenant-id.ts";
import { encryptedTables, encryptedTablesOfInstallation, placeOf, type EncryptedTable } from "./encrypted-tables.ts";
import { staleRows } from "./encrypted-value-queries.ts";

/** Rows listed per column; more would make the line unreadable. */
const NAMED = 10;

/** The number of such values in a column, and the titles of the first rows with one. */
type Undecryptable = { values: number; rows: string[] };

/** The stored values that no available key decrypts, by column. Reads all encrypted values. */
export async function findUndecryptable(database: Database, keyring: Keyring): Promise<Map<string, Undecryptable>> {
  const found = new Map<string, Undecryptable>();
  const look = async (tenant: TenantId, table: EncryptedTable, owner: string): Promise<void> => {
    // No key has an empty name, so this finds every value.
    for await (const rows of staleRows(tenant, database, table, "")) {
      for (const row of rows) {
        for (const [name, stored] of Object.entries(row.ciphertexts)) {
          const bound = placeOf(tenant, table, name);
          if (stored === null || keyring.clear(bound.tenant, bound.column, stored) !== null) continue;
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
  for (const table of encryptedTablesOfInstallation) await look(INSTALLATION, table, " of the operators");
  return found;
}
