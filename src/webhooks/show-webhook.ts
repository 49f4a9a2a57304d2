import { found, type Endpoint } from "../endpoint.ts";
import { webhookAnswer } from "./webhook-json.ts";
import { findWebhook } from "./webhook-queries.ts";
import { MODEL } from "./webhook.ts";

/** GET /api/v1/webhooks/{id} (docs/contract.md 19.1). */
export const showWebhookEndpoint: Endpoint = async ({ database, keyring }, request) => {
  const { tenant } = request.actor;
  const row = await found(MODEL, request, async (id) => await findWebhook(tenant, database, id));
  return webhookAnswer(200, row, { keyring, tenant });
};
