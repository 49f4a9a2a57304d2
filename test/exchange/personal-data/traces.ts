import { encryptedTables } from "../../../src/operation/encryption/encrypted-tables.ts";
import { UndecryptableValue, type ColumnName } from "../../../src/platform/encryption/keyring.ts";
import type { TestServer, TestTenant } from "../../harness.ts";

/** Texts that stand for a person, and digits that a phone of the person ends with. */
export type Marks = { texts: readonly string[]; phones: readonly string[] };

const CIPHERTEXT = /[\w-]+:[A-Za-z0-9+/]{40,}={0,2}/g;
const columns = encryptedTables.flatMap(({ name, columns }) =>
  columns.map((column): ColumnName => `${name}.${column}`),
);

/**
 * The tables of which some row has a person: as the database has it as text, with what is encrypted there decrypted, or
 * as a digest.
 */
export async function tracesOf(server: TestServer, tenant: TestTenant, { texts, phones }: Marks): Promise<string[]> {
  const digests = phones.flatMap((digits) => server.deps.keyring.phonePrefixes(tenant.id, digits));
  const sought = [...texts, ...phones, ...digests];
  const tables = await server.sql(
    "select oid::regclass::text as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace",
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await server.sql(`select t::text as row from ${String(name)} t`);
    const has = rows.some(({ row }) => {
      const text = String(row);
      const clear = [...text.matchAll(CIPHERTEXT)].map(([ciphertext]) => decrypted(server, tenant, ciphertext));
      return sought.some((mark) => [text, ...clear].some((each) => each.includes(mark)));
    });
    if (has) found.push(String(name));
  }
  return found.toSorted();
}

/** Whichever column a ciphertext is of. */
function decrypted({ deps: { keyring } }: TestServer, { id }: TestTenant, ciphertext: string): string {
  for (const column of columns) {
    try {
      return keyring.decrypt(id, column, ciphertext);
    } catch (error) {
      if (!(error instanceof UndecryptableValue)) throw error;
    }
  }
  return "";
}
