import { usesWorkspaces } from "../../../customers/companies/warehouse-of-company.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import { runAll, slowQuery, writeQuery } from "../../../platform/postgres/query.ts";
import { type Statement } from "../../../platform/postgres/statement.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { isUnderWay } from "../../invoices/shown-queries.ts";
import { afterConnecting } from "./after-connecting-queries.ts";
import type { NewConnection } from "./connection-queries.ts";

const saveWithKeyStatement: Statement = {
  name: "save_connection_of_workspace_with_key",
  text: `insert into workspace_warehouses as w
    (tenant_id, wms_subdomain, wms_send_automatically, changed_by, wms_api_key, wms_key_set_at, wms_key_set_by)
  values ($1, $2, $3, $4, $5, now(), $4)
  on conflict (tenant_id) do update set wms_subdomain = excluded.wms_subdomain, wms_send_automatically = excluded.wms_send_automatically,
    changed_by = excluded.changed_by, wms_api_key = excluded.wms_api_key, wms_key_set_at = excluded.wms_key_set_at,
    wms_key_set_by = excluded.wms_key_set_by, wms_key_refused_at = null, updated_at = moment_after(w.updated_at)
    where w.wms_subdomain is not distinct from $6
  returning w.id`,
};

const saveStatement: Statement = {
  name: "save_connection_of_workspace",
  // A key belongs to its subdomain: another one must not receive it.
  text: `update workspace_warehouses w set wms_send_automatically = $3, changed_by = $4, updated_at = moment_after(w.updated_at)
  where w.tenant_id = $1 and w.wms_subdomain = $2 returning w.id`,
};

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
    const parameters = [subdomain, sendsAutomatically, by];
    const saved =
      key === null
        ? await run(saveStatement, parameters)
        : await run(saveWithKeyStatement, [...parameters, key, replaced]);
    if (saved.length === 0) return false;
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
