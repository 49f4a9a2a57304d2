import type { Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { answerWithSecret } from "./webhook-json.ts";
import { allowedTypes } from "./webhook.ts";
import { createWebhook } from "./write-webhook.ts";

/** POST /api/v1/webhooks: only this answer has the secret (docs/contract.md 19.1). */
export const createWebhookEndpoint: Endpoint = async (deps, { actor, input }) => {
  const written = await createWebhook(deps, actor, input);
  if (written.outcome === "invalid") throw errors.validationFailed(written.messages, allowedTypes(written.messages));
  return answerWithSecret(201, written.row, written.secret, { keyring: deps.keyring, tenant: actor.tenant });
};
