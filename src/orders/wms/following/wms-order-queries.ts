import { selectCompany } from "../../../customers/companies/live-company-queries.ts";
import type { PageQuery } from "../../../platform/http/lists/pagination.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import { callsOf } from "../../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../../platform/postgres/statement.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";

const parent = selectList({
  taxId: "c.tax_id",
  total: column.number(`(select count(*) from invoices i
    where i.tenant_id = $1 and i.company_id = $2 and i.wms_order_id is not null)`),
});

const counting = callsOf<[companyId: string]>("count_wms_orders", selectCompany(parent.sql));

const correlation = selectList({
  invoiceId: "id",
  invoiceNumber: "number",
  instance: "wms_instance",
  orderId: "wms_order_id",
  orderNumber: "wms_order_number",
  status: "wms_status",
  syncedAt: "wms_synced_at",
});

const listing = callsOf<[companyId: string, limit: number, offset: number]>(
  "list_wms_orders",
  `select ${correlation.sql} from invoices
  where tenant_id = $1 and company_id = $2 and wms_order_id is not null
  order by wms_synced_at desc nulls last, id limit $3 offset $4`,
);

/** An invoice and its warehouse order, as PostgreSQL's text. */
export type Correlation = Selected<typeof correlation>;

export type WmsOrders = Selected<typeof parent> & { correlations: Correlation[] };

/**
 * One page of a company's invoices that have a warehouse order, newest synchronized first; null if there is no such
 * company.
 */
export async function listWmsOrders(
  tenant: TenantId,
  database: Database,
  companyId: string,
  { perPage, offset }: PageQuery,
): Promise<WmsOrders | null> {
  const [company, rows] = await database.quick.readAll(tenant, [
    counting(companyId),
    listing(companyId, perPage, offset),
  ]);
  const found = parent.first(company);
  return found === null ? null : { ...found, correlations: (rows ?? []).map(correlation.read) };
}
