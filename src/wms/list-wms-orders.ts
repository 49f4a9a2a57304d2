import { idOf, ok, type Endpoint } from "../endpoint.ts";
import { isoTimestamp } from "../platform/dates.ts";
import { errors } from "../errors.ts";
import { parsePage } from "../platform/http/pagination.ts";
import type { Row } from "../platform/postgres/statement.ts";
import { listWmsOrders } from "./wms-order-queries.ts";

/** GET /api/v1/companies/{company}/wms-orders: the invoices that became warehouse orders (specification 4.3). */
export const listWmsOrdersEndpoint: Endpoint = async ({ database }, request) => {
  const companyId = idOf("Company", request, "company");
  const page = parsePage(request.query);
  const found = await listWmsOrders(request.actor.tenant, database, companyId, page);
  if (found === null) throw errors.resourceMissing("Company", companyId);
  const company = `{"id":${companyId},"tax_id":${JSON.stringify(found.taxId)}}`;
  const items = found.rows.map((row) => correlationJson(row, company));
  return ok(
    `{"current_page":${page.page},"data":[${items.join(",")}],"per_page":${page.perPage},"total":${found.total}}`,
  );
};

/** One correlation (specification 2.3). */
function correlationJson([id, number, instance, orderId, orderNumber, status, syncedAt]: Row, company: string): string {
  const text = (value: string | null | undefined) => JSON.stringify(value ?? null);
  const synced = text(syncedAt == null ? null : isoTimestamp(syncedAt));
  const wms =
    `{"instance":${text(instance)},"order_id":${orderId},"order_number":${text(orderNumber)},` +
    `"status":${text(status)},"synced_at":${synced}}`;
  return `{"crm_invoice_id":${id},"crm_invoice_number":${text(number)},"company":${company},"wms":${wms}}`;
}
