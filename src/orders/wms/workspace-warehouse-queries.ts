import { quickQuery, stepQuery } from "../../platform/postgres/query.ts";
import { column, selectList } from "../../platform/postgres/statement.ts";

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

const select = `select ${workspaceColumns.sql} from workspace_warehouses w where w.tenant_id = $1`;

/**
 * As it is stored, with an encrypted `key`. Null if there never was one. A removed one has neither subdomain nor key.
 */
export const findWorkspaceConnection = quickQuery("find_workspace_connection", select).first(workspaceColumns.read);

/** Locks the workspace's connection against changes, before a company is locked. */
export const lockWorkspace = stepQuery("lock_connection_of_workspace", `${select} for share of w`).first(
  workspaceColumns.read,
);
