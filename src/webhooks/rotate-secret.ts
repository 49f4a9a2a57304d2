import { idOf, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { answerWithSecret } from "./webhook-json.ts";
import { MODEL } from "./webhook.ts";
import { rotateSecret } from "./write-webhook.ts";

/** POST /api/v1/webhooks/{id}/rotate-secret: only this answer has the new secret (docs/contract.md 19.3). */
export const rotateSecretEndpoint: Endpoint = async (deps, request) => {
  const id = idOf(MODEL, request);
  const { keyring } = deps;
  const { tenant } = request.actor;
  const rotated = await rotateSecret(deps, request.actor, id);
  if (rotated.outcome === "written") return answerWithSecret(200, rotated.row, rotated.secret, { keyring, tenant });
  throw rotated.outcome === "missing" ? errors.resourceMissing(MODEL, id) : errors.webhookSecretsTooMany();
};
