import type { Database } from "../platform/postgres/database.ts";
import type { Page } from "../platform/http/pagination.ts";
import type { Row, Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";

const countStatement: Statement = {
  name: "count_wms_orders",
  text: `select c.tax_id, (
    select count(*) from invoices i where i.tenant_id = $1 and i.company_id = $2 and i.wms_order_id is not null
  ) from companies c where c.tenant_id = $1 and c.id = $2 and c.deleted_at is null`,
};

const listStatement: Statement = {
  name: "list_wms_orders",
  text: `select id, number, wms_instance, wms_order_id, wms_order_number, wms_status, wms_synced_at
  from invoices where tenant_id = $1 and company_id = $2 and wms_order_id is not null
  order by wms_synced_at desc nulls last, id limit $3 offset $4`,
};

export type WmsOrders = { taxId: string | null; total: number; rows: Row[] };

/**
 * One page of a company's invoices that have a warehouse order, newest synchronized first; null where there is no such
 * company. Rows: id, number, and the five WMS columns.
 */
export async function listWmsOrders(
  tenant: TenantId,
  database: Database,
  companyId: string,
  { perPage, offset }: Page,
): Promise<WmsOrders | null> {
  const [company, rows] = await database.quick.readAll(tenant, [
    { statement: countStatement, parameters: [companyId] },
    { statement: listStatement, parameters: [companyId, perPage, offset] },
  ]);
  const [taxId, total] = company?.[0] ?? [];
  return total === undefined ? null : { taxId: taxId ?? null, total: Number(total), rows: rows ?? [] };
}
