import type { OpenDeps } from "../../../kit/deps.ts";
import type { Tenant } from "../../../people/tenants/tenant-queries.ts";
import { gathered } from "../../../platform/postgres/copy-lines.ts";
import { onSnapshot, type Snapshot } from "../../../platform/postgres/snapshot.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { Refusal } from "../../../platform/refusal.ts";
import { backupOrigin, type TenantHeader, type Trailer } from "../backup-format.ts";
import { withConditions } from "../left-out-of-backup.ts";
import { jsonLine, partLines, writeBackup } from "../write-backup.ts";
import { adjustRows, type RowValues } from "./adjust-rows.ts";
import { refuseIncomplete } from "./adjustments.ts";
import { decryptRows } from "./crypt-rows.ts";
import { tenantTables } from "./tenant-tables.ts";

export type TenantBackupOptions = { file: string; passphrase: string | null; signal: AbortSignal };

/** Writes all rows of one tenant to a file, with decrypted values; returns the number of rows. */
export async function takeTenantBackup(
  { connection, keyring }: OpenDeps,
  tenant: Tenant,
  { file, passphrase, signal }: TenantBackupOptions,
): Promise<number> {
  return await onSnapshot(connection, async (snapshot) => {
    const total = { rows: 0, tables: 0 };
    await writeBackup(file, contentOf(snapshot, { keyring, tenant: tenant.id }, tenant, total), signal, passphrase);
    return total.rows;
  });
}

async function* contentOf(
  snapshot: Snapshot,
  secrets: { keyring: OpenDeps["keyring"]; tenant: TenantId },
  { id, slug, suspendedAt }: Tenant,
  total: { rows: number; tables: number },
): AsyncGenerator<Buffer | string> {
  const header: TenantHeader = {
    liaison: "tenant",
    ...backupOrigin(snapshot),
    tenant: { slug, was_suspended: suspendedAt !== null },
  };
  yield jsonLine(header);
  const wanted = tenantTables(snapshot.tables, await snapshot.references());
  total.tables = wanted.length;
  for await (const { table, pieces } of snapshot.rowsOfTenant(withConditions(wanted), id)) {
    const refuse = (row: RowValues) => refuseIncomplete(row, "it cannot be backed up.");
    const clear = decryptRows(secrets, table, pieces);
    const ours = adjustRows(table, clear, table.name === "tenants" ? refuse : undefined);
    total.rows += yield* partLines({ table, pieces: gathered(ours) });
  }
  // The tenant was deleted before the snapshot.
  if (total.rows === 0) throw new Refusal(`There is no tenant "${slug}".`);
  yield jsonLine({ sequences: [], ...total } satisfies Trailer);
}
