import { customSecrets } from "../../customers/custom-fields/defined-fields.ts";
import { idOf, ok, type Endpoint } from "../../kit/endpoint.ts";
import { errors } from "../../kit/errors.ts";
import { isoOrNull } from "../../platform/dates.ts";
import { parsePage } from "../../platform/http/lists/pagination.ts";
import { invoiceAnswer } from "../invoices/invoice-json.ts";
import { findInvoice } from "../invoices/invoice-queries.ts";
import { invoice } from "../invoices/invoice.ts";
import { sendSentence } from "../invoices/wms-error.ts";
import { askToCancelThere, whyNotCancelled } from "./cancelling/cancel-order.ts";
import { findCancellable } from "./cancelling/cancel-queries.ts";
import { listWmsOrders, type Correlation } from "./following/wms-order-queries.ts";
import { whyNotSent } from "./may-be-sent.ts";
import { findStanding } from "./sending/push-queries.ts";
import { queueInvoice } from "./sending/sending-queries.ts";

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

/**
 * POST /api/v1/invoices/{id}/wms-order: queues the invoice for its company's warehouse, once (docs/contract.md 14.8).
 */
export const sendInvoiceEndpoint: Endpoint = async (deps, request) => {
  const { database, warehouse } = deps;
  const { tenant } = request.actor;
  const id = idOf("Invoice", request);
  const secrets = await customSecrets(deps, tenant, invoice);
  const queued = warehouse === null ? null : await queueInvoice(tenant, database, id, request.trace);
  if (queued !== null) return invoiceAnswer(202, queued, secrets);
  const standing = await findStanding(tenant, database, id);
  if (standing === null) throw errors.resourceMissing("Invoice", id);
  const why = whyNotSent(standing, warehouse !== null);
  if (why !== null) throw errors.invoiceNotSendable(sendSentence(why));
  const row = await findInvoice(tenant, database, id);
  if (row === null) throw errors.resourceMissing("Invoice", id);
  return invoiceAnswer(200, row, secrets);
};

/**
 * POST /api/v1/invoices/{id}/wms-order/cancel: has the warehouse asked, once, to cancel the order of a cancelled
 * invoice (docs/contract.md 14.11).
 */
export const cancelOrderEndpoint: Endpoint = async (deps, { actor, ...request }) => {
  const { tenant } = actor;
  const id = idOf("Invoice", request);
  const isQueued = await askToCancelThere(deps, actor, id);
  if (!isQueued) {
    const found = await findCancellable(tenant, deps.database, id);
    if (found === null) throw errors.resourceMissing("Invoice", id);
    const why = whyNotCancelled(deps, found);
    if (why !== null) throw errors.orderNotCancellable(sendSentence(why));
  }
  const row = await findInvoice(tenant, deps.database, id);
  if (row === null) throw errors.resourceMissing("Invoice", id);
  return invoiceAnswer(isQueued ? 202 : 200, row, await customSecrets(deps, tenant, invoice));
};
