import { idOf, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { deliveryAnswer } from "./delivery-json.ts";
import { findDelivery, sendAgain } from "./delivery-queries.ts";
import { findWebhook } from "./webhook-queries.ts";
import { DELIVERY_MODEL, MODEL } from "./webhook.ts";

/** POST /api/v1/webhooks/{id}/deliveries/{delivery}/redeliver (docs/contract.md 19.4). */
export const redeliverEndpoint: Endpoint = async ({ database, keyring }, request) => {
  const { tenant } = request.actor;
  const webhookId = idOf(MODEL, request);
  if ((await findWebhook(tenant, database, webhookId)) === null) throw errors.resourceMissing(MODEL, webhookId);
  const id = idOf(DELIVERY_MODEL, request, "delivery");
  const row = await sendAgain(tenant, database, webhookId, id);
  if (row !== null) return deliveryAnswer(202, row, { keyring, tenant });
  throw (await findDelivery(tenant, database, webhookId, id)) === null
    ? errors.resourceMissing(DELIVERY_MODEL, id)
    : errors.webhookInactive();
};
