import type { OpenDeps } from "../../kit/deps.ts";
import { asOwner } from "../../platform/postgres/as-owner.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { hasCode } from "../../platform/postgres/failures.ts";
import { removeTenantRows, type Removal } from "../../platform/postgres/remove-tenant-rows.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { beginDeletion, endDeletion } from "./tenant-queries.ts";

/** Rows that were removed, by table. */
export type RemovedRows = Record<string, number>;

/**
 * Deletes a suspended tenant with all its rows; null if it is not suspended. After the beginning it cannot be resumed.
 * If this is interrupted, the next run deletes the remaining rows.
 */
export async function deleteTenant(
  { database, connection }: Pick<OpenDeps, "database" | "connection">,
  tenant: TenantId,
  { signal, onRemoved }: Removal,
): Promise<RemovedRows | null> {
  if (!(await beginDeletion(tenant, database))) return null;
  const deleted: RemovedRows = {};
  const count: Removal["onRemoved"] = (table, rows) => {
    deleted[table] = (deleted[table] ?? 0) + rows;
    onRemoved(table, rows);
  };
  await asOwner(connection, async (client) => {
    do await removeTenantRows(client, tenant, { signal, onRemoved: count });
    while (!(await isGone(database, tenant)));
  });
  count("tenants", 1);
  return deleted;
}

/** Removes the tenant itself; false if a row of it was written meanwhile. */
async function isGone(database: Database, tenant: TenantId): Promise<boolean> {
  try {
    await endDeletion(tenant, database);
    return true;
  } catch (error) {
    if (hasCode(error, "23503")) return false;
    throw error;
  }
}
