import { idOf, one, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { webhookJson, webhookState } from "./webhook-json.ts";
import { findWebhook } from "./webhook-queries.ts";
import { MODEL } from "./webhook.ts";

/** GET /api/v1/webhooks/{id} (docs/contract.md 19.1). */
export const showWebhookEndpoint: Endpoint = async ({ database, keyring }, request) => {
  const { tenant } = request.actor;
  const id = idOf(MODEL, request);
  const row = await findWebhook(tenant, database, id);
  if (row === null) throw errors.resourceMissing(MODEL, id);
  return one(200, webhookJson(row, { keyring, tenant }), webhookState(row));
};
