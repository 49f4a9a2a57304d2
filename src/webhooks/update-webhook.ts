import { idOf, refuseUnwritten, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { expectedVersions } from "../platform/http/entity-tag.ts";
import { webhookAnswer } from "./webhook-json.ts";
import { allowedTypes, MODEL } from "./webhook.ts";
import { updateWebhook } from "./write-webhook.ts";

/** PUT /api/v1/webhooks/{id}: a partial update (docs/contract.md 19.1). */
export const updateWebhookEndpoint: Endpoint = async (deps, request) => {
  const { actor, input } = request;
  const id = idOf(MODEL, request);
  const written = await updateWebhook(deps, actor, id, input, expectedVersions(request.ifMatch, id));
  if (written.outcome === "invalid") throw errors.validationFailed(written.messages, allowedTypes(written.messages));
  refuseUnwritten(written, MODEL, id);
  return webhookAnswer(200, written.row, { keyring: deps.keyring, tenant: actor.tenant });
};
