import { idOf, ok, type Endpoint } from "../../endpoint.ts";
import { errors } from "../../errors.ts";
import { isoOrNull } from "../../platform/dates.ts";
import { parsePage } from "../../platform/http/lists/pagination.ts";
import { listWmsOrders, type Correlation } from "./wms-order-queries.ts";

/** The most memory that an order of a list takes. */
const ORDER_BYTES = 4 * 1024;

/** GET /api/v1/companies/{company}/wms-orders: the invoices that became warehouse orders (docs/contract.md 9.1). */
export const listWmsOrdersEndpoint: Endpoint = async ({ database }, request) => {
  const companyId = idOf("Company", request, "company");
  const page = parsePage(request.query);
  await request.reserve(page.perPage * ORDER_BYTES);
  const found = await listWmsOrders(request.actor.tenant, database, companyId, page);
  if (found === null) throw errors.resourceMissing("Company", companyId);
  const company = `{"id":${companyId},"tax_id":${JSON.stringify(found.taxId)}}`;
  const items = found.correlations.map((correlation) => correlationJson(correlation, company));
  return ok(
    `{"current_page":${page.page},"data":[${items.join(",")}],"per_page":${page.perPage},"total":${found.total}}`,
  );
};

/** One correlation (docs/contract.md 9.2). */
function correlationJson(correlation: Correlation, company: string): string {
  const { invoiceId, invoiceNumber, instance, orderId, orderNumber, status, syncedAt } = correlation;
  const text = (value: string | null) => JSON.stringify(value);
  const synced = text(isoOrNull(syncedAt));
  const wms =
    `{"instance":${text(instance)},"order_id":${orderId},"order_number":${text(orderNumber)},` +
    `"status":${text(status)},"synced_at":${synced}}`;
  return `{"crm_invoice_id":${invoiceId},"crm_invoice_number":${text(invoiceNumber)},"company":${company},"wms":${wms}}`;
}
