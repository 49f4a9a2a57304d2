import { quickQuery, writeQuery } from "../../../platform/postgres/query.ts";

/** The person to ask at the workspace's warehouse, with a phone number; null if nobody is named. */
export const findWarehouseContact = quickQuery(
  "find_warehouse_contact",
  "select d.warehouse_contact from workspace_details d where d.tenant_id = $1",
).first(([contact]) => contact ?? null);

export const saveWarehouseContact = writeQuery<[contact: string | null, by: string]>(
  "save_warehouse_contact",
  `insert into workspace_details (tenant_id, warehouse_contact, changed_by) values ($1, $2, $3)
  on conflict (tenant_id) do update
    set warehouse_contact = excluded.warehouse_contact, changed_by = excluded.changed_by,
      updated_at = moment_after(workspace_details.updated_at)
    where workspace_details.warehouse_contact is distinct from excluded.warehouse_contact
  returning id`,
).exists();
