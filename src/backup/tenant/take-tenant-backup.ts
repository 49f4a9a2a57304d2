import type { OpenDeps } from "../../deps.ts";
import { gathered } from "../../platform/postgres/copy-lines.ts";
import { onSnapshot, type Snapshot } from "../../platform/postgres/snapshot.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import type { Tenant } from "../../tenants/tenant-queries.ts";
import { originOf, type TenantHeader, type Trailer } from "../backup-format.ts";
import { withConditions } from "../left-out.ts";
import { jsonLine, partLines, writeBackup } from "../write-backup.ts";
import { decrypted } from "./clear-values.ts";
import { tenantTables } from "./tenant-tables.ts";

export type TenantBackupOptions = { file: string; passphrase: string | null; signal: AbortSignal };

/** Writes everything of one tenant into a file, its encrypted values in clear; returns the number of rows. */
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
    ...originOf(snapshot),
    tenant: { slug, was_suspended: suspendedAt !== null },
  };
  yield jsonLine(header);
  const { columns = [] } = snapshot.tables.find(({ name }) => name === "tenants") ?? {};
  const wanted = tenantTables(snapshot.tables, await snapshot.references());
  total.tables = 1 + wanted.length;
  const parts = [
    snapshot.rows([{ name: "tenants", columns, condition: `id = ${BigInt(id)}` }]),
    snapshot.rowsOfTenant(withConditions(wanted), id),
  ];
  for (const some of parts) {
    for await (const { table, pieces } of some) {
      total.rows += yield* partLines({ table, pieces: gathered(decrypted(secrets, table, pieces)) });
    }
  }
  yield jsonLine({ sequences: [], ...total } satisfies Trailer);
}
