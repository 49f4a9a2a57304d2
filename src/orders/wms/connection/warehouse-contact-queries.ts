import { quickQuery, writeQuery } from "../../../platform/postgres/query.ts";

/** The person to ask at the workspace's warehouse, with a phone number; null if nobody is named. */
export const findWarehouseContact = quickQuery(
  "find_warehouse_contact",
  "select d.warehouse_contact from workspace_details d where d.tenant_id = $1",
).first(([contact]) => contact ?? null);

/** The same at the warehouse that a company uses: its own, or the workspace's. */
export const findContactOfCompany = quickQuery<[companyId: string]>(
  "find_contact_of_company",
  `select case when c.wms_subdomain is not null then c.wms_contact
    when not c.wms_never then (select d.warehouse_contact from workspace_details d where d.tenant_id = $1) end
  from companies c where c.tenant_id = $1 and c.id = $2`,
).first(([contact]) => contact ?? null);

/** The history does not have it, so it is no update of the company. */
export const saveContactOfCompany = writeQuery<[companyId: string, contact: string | null]>(
  "save_contact_of_company",
  `update companies set wms_contact = $3
  where tenant_id = $1 and id = $2 and wms_subdomain is not null and wms_contact is distinct from $3 returning id`,
).exists();

export const saveWarehouseContact = writeQuery<[contact: string | null, by: string]>(
  "save_warehouse_contact",
  `insert into workspace_details (tenant_id, warehouse_contact, changed_by) values ($1, $2, $3)
  on conflict (tenant_id) do update
    set warehouse_contact = excluded.warehouse_contact, changed_by = excluded.changed_by,
      updated_at = moment_after(workspace_details.updated_at)
    where workspace_details.warehouse_contact is distinct from excluded.warehouse_contact
  returning id`,
).exists();
