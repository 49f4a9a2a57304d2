import { errors } from "../errors.ts";
import { pageSchema } from "../openapi/page-schemas.ts";
import { pagingParameters } from "../openapi/parameters.ts";
import type { ErrorReference, Reference, Success } from "../openapi/reference.ts";
import { detailedErrorSchema, errorSchema, resourceMissing } from "../openapi/request-errors.ts";
import { pageExample, resourceExample } from "../openapi/resource-examples.ts";
import { creating, deleting, sentTwice, showing, updating } from "../openapi/resource-references.ts";
import { answerSchema, resourceSchema } from "../openapi/resource-schemas.ts";
import { CREATED_AT, everyonesMembers, type Resource } from "../openapi/resource.ts";
import { dataOf, idSchema, integerSchema, named, nullable, objectSchema, timestampSchema } from "../openapi/schema.ts";
import { sometimesMembers, webhookMembers } from "./webhook-json.ts";
import { DELIVERY_MODEL, eventTypes, MODEL, switchedOffWords, TEST_TYPE, webhookFields } from "./webhook.ts";

const SECRET_EXAMPLE = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw9bm1HkB1kqE=";

const resource: Resource = {
  tag: { name: "Webhooks", description: "Where changes are posted to, signed as Standard Webhooks 1.0.0 has it." },
  model: MODEL,
  singular: "webhook",
  plural: "webhooks",
  fields: webhookFields,
  members: webhookMembers.map(({ name }) => name),
  sometimes: sometimesMembers,
  membersOfOne: [],
  readOnly: {
    ...everyonesMembers,
    failing_since: {
      schema: nullable({ ...timestampSchema, description: "The first failure since something was delivered last." }),
      example: null,
    },
    switched_off: {
      schema: nullable({
        ...named("WebhookSwitchedOff", { type: "string", enum: switchedOffWords }),
        description: "Why it was switched off, where nobody did it by hand.",
      }),
      example: null,
    },
    secret: {
      schema: {
        type: "string",
        pattern: "^whsec_",
        description: "Signs what is sent. It is shown in this answer only.",
      },
      example: SECRET_EXAMPLE,
    },
  },
  searched: [],
  order: "ascending `id`",
  change: { types: ["invoice.updated"], description: null },
};

const withSecret = named(
  "WebhookWithSecret",
  answerSchema(resource, [...resource.members, "secret"], "A webhook with its secret, which no other answer has."),
);
const exampleWithSecret = { data: { ...resourceExample(resource), secret: SECRET_EXAMPLE } };

const delivery = named("WebhookDelivery", {
  description: "A change on its way to a webhook.",
  ...objectSchema({
    id: idSchema,
    change_id: nullable({ ...idSchema, description: "The change, which is the `webhook-id`; null of a test." }),
    type: named("WebhookDeliveryType", { type: "string", enum: [TEST_TYPE, ...eventTypes] }),
    attempts: { ...integerSchema(0, 10), description: "The tries so far." },
    last_status: nullable({ ...integerSchema(100, 999), description: "Of the last answer.", examples: [503] }),
    last_error: nullable({
      type: "string",
      description: "What was wrong, for people.",
      examples: ["The answer was 503."],
    }),
    delivered_at: nullable(timestampSchema),
    next_at: nullable({
      ...timestampSchema,
      description: "When it is tried next. Null if it was delivered or given up.",
    }),
    created_at: timestampSchema,
  }),
});

const waiting = {
  id: 12,
  change_id: 230,
  type: "company.updated",
  attempts: 0,
  last_status: null,
  last_error: null,
  delivered_at: null,
  next_at: CREATED_AT,
  created_at: CREATED_AT,
};
const delivered = { ...waiting, attempts: 1, last_status: 204, delivered_at: CREATED_AT, next_at: null };

const missing = resourceMissing(MODEL);

const inactive: ErrorReference = {
  name: "webhookInactive",
  summary: "A webhook that is switched off",
  example: errors.webhookInactive(),
  schema: errorSchema,
};

const tooManySecrets: ErrorReference = {
  name: "webhookSecretsTooMany",
  summary: "A webhook of which ten secrets were replaced within a day",
  example: errors.webhookSecretsTooMany(),
  schema: detailedErrorSchema,
};

/** The documentation of the webhook endpoints. */
export const webhookReference = {
  list: {
    operationId: "listWebhooks",
    resource,
    tag: resource.tag,
    summary: "List the webhooks",
    description: `A page, with the exact total. Order: ${resource.order}.`,
    query: pagingParameters,
    success: {
      status: 200,
      description: "The page.",
      schema: pageSchema(resourceSchema(resource)),
      examples: (url) => ({
        page: { summary: "The second of three pages", value: pageExample(resourceExample(resource), url) },
      }),
    },
    errors: [],
  },
  create: {
    ...creating(resource),
    description:
      "Required: `url`. From now on each change is posted there, in the order of its resource. The answer has the secret that " +
      `signs it, this once. ${sentTwice("makes two webhooks")}`,
    success: {
      status: 201,
      tagged: true,
      description: "The new webhook, with its secret.",
      schema: dataOf(withSecret),
      examples: { complete: { summary: "Every field", value: exampleWithSecret } },
    },
  },
  show: showing(resource),
  update: {
    ...updating(resource),
    description:
      "A partial update: fields that are absent stay as they are. Switched off, it is sent nothing, and what is pending is given up; switched " +
      "on, it begins with what happens from then on. A new `url` holds for what is pending.",
  },
  delete: deleting(resource),
  rotate: {
    operationId: "rotateWebhookSecret",
    resource,
    tag: resource.tag,
    summary: "Give a webhook a new secret",
    description:
      "What is sent is signed with the old one too for 24 hours, however often it is replaced meanwhile, up to ten times. The answer has the " +
      "new one, this once.",
    success: {
      status: 200,
      tagged: true,
      description: "The webhook, with its new secret.",
      schema: dataOf(withSecret),
      examples: { rotated: { summary: "A new secret", value: exampleWithSecret } },
    },
    errors: [missing, tooManySecrets],
  },
  test: {
    operationId: "testWebhook",
    tag: resource.tag,
    summary: "Send a webhook a test",
    description: "Queues an event of the type `webhook.test`, which is about nothing.",
    success: queued("A test", { ...waiting, change_id: null, type: TEST_TYPE }),
    errors: [missing, inactive],
  },
  deliveries: {
    operationId: "listWebhookDeliveries",
    tag: resource.tag,
    summary: "List what was sent to a webhook",
    description: "A page of the last 30 days, newest first, with the exact total.",
    query: pagingParameters,
    success: {
      status: 200,
      description: "The page.",
      schema: pageSchema(delivery),
      examples: (url) => ({ page: { summary: "The second of three pages", value: pageExample(delivered, url) } }),
    },
    errors: [missing],
  },
  redeliver: {
    operationId: "redeliverWebhookDelivery",
    tag: resource.tag,
    summary: "Send a delivery again",
    description:
      "At once, and with as many tries as a new one, even after a success. One that waits behind another about its resource stays there.",
    success: queued("Queued again", waiting),
    errors: [missing, resourceMissing(DELIVERY_MODEL), inactive],
  },
} satisfies Record<string, Reference>;

function queued(summary: string, data: object): Success {
  return {
    status: 202,
    tagged: true,
    description: "The delivery, queued.",
    schema: dataOf(delivery),
    examples: { queued: { summary, value: { data } } },
  };
}
