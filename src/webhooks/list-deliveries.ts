import { idOf, ok, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { pageBody, parsePage } from "../platform/http/lists/pagination.ts";
import { deliveryJson } from "./delivery-json.ts";
import { listDeliveries } from "./delivery-queries.ts";
import { findWebhook } from "./webhook-queries.ts";
import { MODEL } from "./webhook.ts";

/** Maximum memory of a delivery in a list. */
const DELIVERY_BYTES = 1024;

/** GET /api/v1/webhooks/{id}/deliveries: newest first (docs/contract.md 19.4). */
export const listDeliveriesEndpoint: Endpoint = async ({ database, keyring }, request) => {
  const { tenant } = request.actor;
  const id = idOf(MODEL, request);
  const page = parsePage(request.query);
  await request.reserve(page.perPage * DELIVERY_BYTES);
  if ((await findWebhook(tenant, database, id)) === null) throw errors.resourceMissing(MODEL, id);
  const { rows, total } = await listDeliveries(tenant, database, id, page);
  const items = rows.map((row) => deliveryJson(row, { keyring, tenant }));
  return ok(pageBody({ items, count: rows.length, total, page, path: request.url(), query: request.query }));
};
