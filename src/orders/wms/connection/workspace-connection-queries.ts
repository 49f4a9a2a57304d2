import { usesWorkspaces } from "../../../customers/companies/warehouse-of-company.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import { runAll, slowQuery, stepQuery, writeQuery } from "../../../platform/postgres/query.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { isUnderWay } from "../../invoices/shown-queries.ts";
import { afterConnecting } from "./after-connecting-queries.ts";
import type { NewConnection, SavedConnection } from "./connection-queries.ts";

const saveWithKey = stepQuery<SavedConnection & { key: string; replaced: string | null }>(
  "save_connection_of_workspace_with_key",
  `insert into workspace_warehouses as w
    (tenant_id, wms_subdomain, wms_send_automatically, changed_by, wms_api_key, wms_key_set_at, wms_key_set_by)
  values ($1, :subdomain, :sendsAutomatically, :by, :key, now(), :by)
  on conflict (tenant_id) do update set wms_subdomain = excluded.wms_subdomain, wms_send_automatically = excluded.wms_send_automatically,
    changed_by = excluded.changed_by, wms_api_key = excluded.wms_api_key, wms_key_set_at = excluded.wms_key_set_at,
    wms_key_set_by = excluded.wms_key_set_by, wms_key_refused_at = null, updated_at = moment_after(w.updated_at)
    where w.wms_subdomain is not distinct from :replaced
  returning w.id`,
).exists();

const save = stepQuery<SavedConnection>(
  "save_connection_of_workspace",
  // A key belongs to its subdomain: another one must not receive it.
  `update workspace_warehouses w set wms_send_automatically = :sendsAutomatically, changed_by = :by, updated_at = moment_after(w.updated_at)
  where w.tenant_id = $1 and w.wms_subdomain = :subdomain returning w.id`,
).exists();

/**
 * Stores the workspace's connection, and applies it to every company that uses it (`afterConnecting`). Returns false if
 * there is neither a new key nor a stored one for the subdomain, or if the connection is not with `replaced` any more.
 * @param replaced the subdomain that the person saw; null: there was none
 */
export async function saveWorkspaceConnection(
  tenant: TenantId,
  database: Database,
  { subdomain, instance, key, sendsAutomatically, by }: NewConnection,
  replaced: string | null,
): Promise<boolean> {
  return await database.transaction(tenant, async (run) => {
    const saved = { subdomain, sendsAutomatically, by };
    const isSaved = await (key === null ? save(run, saved) : saveWithKey(run, { ...saved, key, replaced }));
    if (!isSaved) return false;
    await runAll(run, afterConnecting(null, { subdomain, instance }));
    return true;
  });
}

/** Forgets the workspace's connection, and its key. */
export const removeWorkspaceConnection = writeQuery<[by: string]>(
  "remove_workspace_connection",
  `update workspace_warehouses w set wms_subdomain = null, wms_api_key = null, wms_send_automatically = false,
    wms_key_set_at = null, wms_key_set_by = null, wms_key_refused_at = null, changed_by = $2, updated_at = moment_after(w.updated_at)
  where w.tenant_id = $1 and w.wms_subdomain is not null`,
).nothing();

/** The orders under way of all companies that use the workspace's connection. */
export const countUnderWayOfWorkspace = slowQuery(
  "count_under_way_of_workspace",
  `select count(*) from invoices i cross join lateral (
    select from companies where tenant_id = $1 and id = i.company_id and deleted_at is null and ${usesWorkspaces("companies")} offset 0
  ) c
  where i.tenant_id = $1 and ${isUnderWay}`,
).number();
