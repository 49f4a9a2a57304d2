import { idOf, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { deliveryAnswer } from "./delivery-json.ts";
import { insertTest } from "./delivery-queries.ts";
import { generateTestId } from "./signature.ts";
import { findWebhook } from "./webhook-queries.ts";
import { MODEL } from "./webhook.ts";

/** POST /api/v1/webhooks/{id}/test: queues an event without a resource (docs/contract.md 19.3). */
export const testWebhookEndpoint: Endpoint = async ({ database, keyring }, request) => {
  const { tenant } = request.actor;
  const id = idOf(MODEL, request);
  const row = await insertTest(tenant, database, id, generateTestId());
  if (row !== null) return deliveryAnswer(202, row, { keyring, tenant });
  throw (await findWebhook(tenant, database, id)) === null
    ? errors.resourceMissing(MODEL, id)
    : errors.webhookInactive();
};
