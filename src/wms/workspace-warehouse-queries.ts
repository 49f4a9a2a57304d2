import type { Database } from "../platform/postgres/database.ts";
import { column, selectList, type Selected, type Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";

/** The workspace's own connection (docs/decisions/0074-one-warehouse.md). */
export const workspaceColumns = selectList({
  asOf: "w.updated_at",
  subdomain: "w.wms_subdomain",
  key: "w.wms_api_key",
  sendsAutomatically: column.flag("w.wms_send_automatically"),
  keySetAt: "w.wms_key_set_at",
  keyRefusedAt: "w.wms_key_refused_at",
  /** The name of the user who wrote the key. */
  keySetBy: `case when w.wms_key_set_by like 'user:%'
    then (select u.name from users u where u.tenant_id = $1 and u.id = substr(w.wms_key_set_by, 6)::bigint) end`,
});

/** As it is stored; `key` is encrypted. */
export type StoredWorkspaceConnection = Selected<typeof workspaceColumns>;

const select = `select ${workspaceColumns.sql} from workspace_warehouses w where w.tenant_id = $1`;

const findStatement: Statement = { name: "find_connection_of_workspace", text: select };

/** Null where there never was one; without a subdomain and a key where it was removed. */
export async function findWorkspaceConnection(
  tenant: TenantId,
  database: Database,
): Promise<StoredWorkspaceConnection | null> {
  return workspaceColumns.first(await database.quick.read(tenant, findStatement, []));
}

/** Locks the workspace's connection against changes, before a company is locked. */
export const lockWorkspaceStatement: Statement = {
  name: "lock_connection_of_workspace",
  text: `${select} for share of w`,
};
