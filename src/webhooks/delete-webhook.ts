import { idOf, ok, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { changedBy } from "../platform/fields/writer.ts";
import { expectedVersions } from "../platform/http/entity-tag.ts";
import { deleteWebhook, findWebhook } from "./webhook-queries.ts";
import { MODEL } from "./webhook.ts";

/** DELETE /api/v1/webhooks/{id}: stops all deliveries and removes their records (docs/contract.md 19.1). */
export const deleteWebhookEndpoint: Endpoint = async ({ database }, request) => {
  const { actor, ifMatch } = request;
  const id = idOf(MODEL, request);
  const expected = expectedVersions(ifMatch, id);
  if (!(await deleteWebhook(actor.tenant, database, id, changedBy(actor), expected))) {
    const isThere = expected !== null && (await findWebhook(actor.tenant, database, id)) !== null;
    throw isThere ? errors.resourceChanged() : errors.resourceMissing(MODEL, id);
  }
  return ok(`{"message":"Webhook deleted."}`);
};
