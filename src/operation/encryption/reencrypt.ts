import { listTenants } from "../../people/tenants/tenant-queries.ts";
import type { Keyring } from "../../platform/encryption/keyring.ts";
import type { Ciphertexts } from "../../platform/fields/stored-values.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { INSTALLATION, type TenantId } from "../../platform/postgres/tenant-id.ts";
import { Refusal } from "../../platform/refusal.ts";
import { encryptedTables, encryptedTablesOfInstallation, placeOf, type EncryptedTable } from "./encrypted-tables.ts";
import { replaceValues, staleRows, type EncryptedRow } from "./encrypted-value-queries.ts";

export type Reencryption = {
  database: Database;
  keyring: Keyring;
  /** Throws its reason between two batches. */
  signal: AbortSignal;
  /** Called after each batch with the number of rows so far. */
  onProgress: (rows: number) => void;
};

export type Reencrypted = {
  rows: number;
  /** Values that no available key decrypts; they stay unchanged. */
  undecryptable: number;
};

/** A server that does not know the new key yet may still write with the old one, but not for this number of passes. */
const MOST_PASSES = 5;

/**
 * Encrypts every value of every tenant, and of the installation, with the current key. It repeats until a pass finds
 * nothing. After an interruption, the next run continues.
 */
export async function reencrypt(work: Reencryption): Promise<Reencrypted> {
  const total: Reencrypted = { rows: 0, undecryptable: 0 };
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    let found = 0;
    total.undecryptable = 0;
    for (const { id } of await listTenants(work.database)) {
      for (const table of encryptedTables) found += await reencryptTable(work, id, table, total);
    }
    for (const table of encryptedTablesOfInstallation) found += await reencryptTable(work, INSTALLATION, table, total);
    if (found === 0) return total;
  }
  throw new Refusal(
    `Rows re-encrypted: ${total.rows}; but values are still being written with an older key: restart every server with the newest key first, then repeat this.`,
  );
}

/**
 * Encrypts the stale values of one tenant's table. Returns the number of rows with such values, and adds to `total`.
 */
export async function reencryptTable(
  { database, keyring, signal, onProgress }: Reencryption,
  tenant: TenantId,
  table: EncryptedTable,
  total: Reencrypted,
): Promise<number> {
  let found = 0;
  for await (const rows of staleRows(tenant, database, table, keyring.currentKeyId)) {
    signal.throwIfAborted();
    const changes = rows
      .map((before) => ({ before, after: renew(keyring, tenant, table, before, total) }))
      .filter(({ before, after }) => table.columns.some((column) => before.ciphertexts[column] !== after[column]));
    if (changes.length === 0) continue;
    found += changes.length;
    total.rows += await replaceValues(tenant, database, table, changes);
    onProgress(total.rows);
  }
  return found;
}

/**
 * The row with stale values encrypted with the current key. A value that cannot be decrypted stays, and is counted.
 */
function renew(
  keyring: Keyring,
  tenant: TenantId,
  table: EncryptedTable,
  { ciphertexts }: EncryptedRow,
  total: Reencrypted,
): Ciphertexts {
  const renewed = Object.entries(ciphertexts).map(([name, stored]) => {
    const isPhone = table.phones?.includes(name) === true;
    const isCurrent = stored?.startsWith(`${keyring.currentKeyId}:`) === true;
    if (stored === null || isCurrent) return [name, stored];
    const { tenant: bound, column } = placeOf(tenant, table, name);
    const clear = keyring.clear(bound, column, stored);
    if (clear !== null) {
      return [name, isPhone ? keyring.encryptPhone(tenant, column, clear) : keyring.encrypt(bound, column, clear)];
    }
    total.undecryptable++;
    return [name, stored];
  });
  return Object.fromEntries(renewed) as Ciphertexts;
}
