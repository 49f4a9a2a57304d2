import { changeTypes } from "../../kit/changes/change.ts";
import type { Deps } from "../../kit/deps.ts";
import {
  deletionAnswer,
  found,
  idOf,
  ok,
  refuseUnwritten,
  type ApiRequest,
  type Endpoint,
} from "../../kit/endpoint.ts";
import { errors } from "../../kit/errors.ts";
import type { Capability } from "../../people/api-keys/capability.ts";
import { validate } from "../../platform/fields/validation.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import { expectedVersions } from "../../platform/http/entity-tag.ts";
import { pageBody, parsePage } from "../../platform/http/lists/pagination.ts";
import { capabilityToRead } from "../feed/resource-of-change.ts";
import { deliveryAnswer, deliveryJson } from "./delivery-json.ts";
import { findDelivery, insertTest, listDeliveries, sendAgain } from "./delivery-queries.ts";
import { generateTestId } from "./signature.ts";
import { answerWithSecret, isFull, webhookAnswer, webhookJson } from "./webhook-json.ts";
import { deleteWebhook, findWebhook, listWebhooks } from "./webhook-queries.ts";
import { allowedTypes, DELIVERY_MODEL, MODEL, webhookFields } from "./webhook.ts";
import { createWebhook, rotateSecret, updateWebhook } from "./write-webhook.ts";

/** Maximum memory of a webhook in a list: a URL and its types. */
const WEBHOOK_BYTES = 16 * 1024;
/** Maximum memory of a delivery in a list. */
const DELIVERY_BYTES = 1024;

/** GET /api/v1/webhooks (docs/contract.md 19.1). */
export const listWebhooksEndpoint: Endpoint = async ({ database, keyring }, request) => {
  const { tenant } = request.actor;
  const page = parsePage(request.query);
  await request.reserve(page.perPage * WEBHOOK_BYTES);
  const { rows, total } = await listWebhooks(tenant, database, page);
  const items = rows.map((row) => webhookJson(row, { keyring, tenant }));
  return ok(pageBody({ items, count: rows.length, total, page, path: request.url(), query: request.query }));
};

/** POST /api/v1/webhooks: only this answer has the secret (docs/contract.md 19.1). */
export const createWebhookEndpoint: Endpoint = async (deps, request) => {
  const { actor, input } = request;
  await requireReading(deps, request);
  const written = await createWebhook(deps, actor, input);
  if (written.outcome === "invalid") throw errors.validationFailed(written.messages, allowedTypes(written.messages));
  return answerWithSecret(201, written.row, written.secret, { keyring: deps.keyring, tenant: actor.tenant });
};

const bodyFields = webhookFields.filter(({ name }) => name === "body");

/**
 * Throws capabilityMissing if the webhook would send resources that the key may not read. Its new URL or events are a
 * way to them too.
 * @param id of an update
 */
async function requireReading({ database }: Deps, request: ApiRequest, id: string | null = null): Promise<void> {
  const { actor, input } = request;
  const missing = missingToRead(request);
  if (missing === undefined) return;
  const stored = id === null ? null : await findWebhook(actor.tenant, database, id);
  const { values } = validate(bodyFields, input, "update");
  const sendsAll = values.body === undefined ? stored !== null && isFull(stored) : values.body === "full";
  if (sendsAll) throw errors.capabilityMissing(missing);
}

/**
 * A capability that the key lacks to read everything that a webhook may send. The resources of a payment and of a
 * custom field have nothing beside what their changes say.
 */
function missingToRead({ may }: ApiRequest): Capability | undefined {
  const types = changeTypes.filter((type) => type !== "payment" && type !== "custom_field");
  return types.map(capabilityToRead).find((capability) => !may(capability));
}

/** GET /api/v1/webhooks/{id} (docs/contract.md 19.1). */
export const showWebhookEndpoint: Endpoint = async ({ database, keyring }, request) => {
  const { tenant } = request.actor;
  const row = await found(MODEL, request, async (id) => await findWebhook(tenant, database, id));
  return webhookAnswer(200, row, { keyring, tenant });
};

/** PUT /api/v1/webhooks/{id}: a partial update (docs/contract.md 19.1). */
export const updateWebhookEndpoint: Endpoint = async (deps, request) => {
  const { actor, input } = request;
  const id = idOf(MODEL, request);
  await requireReading(deps, request, id);
  const missing = missingToRead(request);
  const expected = expectedVersions(request.ifMatch, id);
  const written = await updateWebhook(deps, actor, id, input, expected, missing === undefined);
  // Another request gave it the bodies meanwhile.
  if (written.outcome === "unreadable") throw errors.capabilityMissing(missing ?? "webhooks:write");
  if (written.outcome === "invalid") throw errors.validationFailed(written.messages, allowedTypes(written.messages));
  refuseUnwritten(written, MODEL, id);
  return webhookAnswer(200, written.row, { keyring: deps.keyring, tenant: actor.tenant });
};

/** DELETE /api/v1/webhooks/{id}: stops all deliveries and removes their records (docs/contract.md 19.1). */
export const deleteWebhookEndpoint: Endpoint = async ({ database }, request) => {
  const { actor, ifMatch } = request;
  const id = idOf(MODEL, request);
  const expected = expectedVersions(ifMatch, id);
  const isDeleted = await deleteWebhook(actor.tenant, database, id, changedBy(actor), expected);
  const exists = async () => (await findWebhook(actor.tenant, database, id)) !== null;
  return await deletionAnswer(isDeleted, { model: MODEL, id, expected }, exists);
};

/** POST /api/v1/webhooks/{id}/rotate-secret: only this answer has the new secret (docs/contract.md 19.3). */
export const rotateSecretEndpoint: Endpoint = async (deps, request) => {
  const id = idOf(MODEL, request);
  const { keyring } = deps;
  const { tenant } = request.actor;
  const missing = missingToRead(request);
  const rotated = await rotateSecret(deps, request.actor, id, missing === undefined);
  if (rotated.outcome === "written") return answerWithSecret(200, rotated.row, rotated.secret, { keyring, tenant });
  if (rotated.outcome === "unreadable" && missing !== undefined) throw errors.capabilityMissing(missing);
  throw rotated.outcome === "missing" ? errors.resourceMissing(MODEL, id) : errors.webhookSecretsTooMany();
};

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

/** GET /api/v1/webhooks/{id}/deliveries: newest first (docs/contract.md 19.4). */
export const listDeliveriesEndpoint: Endpoint = async ({ database, keyring }, request) => {
  const { tenant } = request.actor;
  const id = idOf(MODEL, request);
  const page = parsePage(request.query);
  await request.reserve(page.perPage * DELIVERY_BYTES);
  if ((await findWebhook(tenant, database, id)) === null) throw errors.resourceMissing(MODEL, id);
  const { rows, total } = await listDeliveries(tenant, database, page, { webhook: id });
  const items = rows.map((row) => deliveryJson(row, { keyring, tenant }));
  return ok(pageBody({ items, count: rows.length, total, page, path: request.url(), query: request.query }));
};

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
