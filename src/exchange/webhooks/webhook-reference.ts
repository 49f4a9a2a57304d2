import { errors } from "../../kit/errors.ts";
import { pagingParameters } from "../../kit/openapi/parameters.ts";
import type { ErrorReference, Reference, Success } from "../../kit/openapi/reference.ts";
import { detailedErrorSchema, errorSchema, resourceMissing } from "../../kit/openapi/request-errors.ts";
import { resourceExample } from "../../kit/openapi/resource-examples.ts";
import {
  creating,
  deleting,
  sentTwice,
  showing,
  successWithPage,
  updating,
} from "../../kit/openapi/resource-references.ts";
import { answerSchema, resourceSchema } from "../../kit/openapi/resource-schemas.ts";
import { CREATED_AT, everyonesMembers, type Resource } from "../../kit/openapi/resource.ts";
import {
  dataOf,
  idSchema,
  integerSchema,
  named,
  nullable,
  objectSchema,
  timestampSchema,
} from "../../kit/openapi/schema.ts";
import { sometimesMembers, webhookMembers } from "./webhook-json.ts";
import { DELIVERY_MODEL, eventTypes, MODEL, switchedOffWords, TEST_TYPE, webhookFields } from "./webhook.ts";

const SECRET_EXAMPLE = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw9bm1HkB1kqE=";

const resource: Resource = {
  tag: {
    name: "Webhooks",
    description: "Addresses that changes are sent to by POST, signed according to Standard Webhooks 1.0.0.",
  },
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
      schema: nullable({ ...timestampSchema, description: "The first failure since the last success." }),
      example: null,
    },
    switched_off: {
      schema: nullable({
        ...named("WebhookSwitchedOff", { type: "string", enum: switchedOffWords }),
        description:
          "Why Liaison switched it off: its receiver answered 410 (`gone`), or failed for five days (`failing`).",
      }),
      example: null,
    },
    secret: {
      schema: {
        type: "string",
        pattern: "^whsec_",
        description: "The secret that signs the messages. Only this answer shows it.",
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
    change_id: nullable({
      ...idSchema,
      description: "The change. Its id is in the message's `webhook-id`. Null for a test.",
    }),
    type: named("WebhookDeliveryType", { type: "string", enum: [TEST_TYPE, ...eventTypes] }),
    attempts: { ...integerSchema(0, 10), description: "Attempts so far." },
    last_status: nullable({
      ...integerSchema(100, 999),
      description: "The status of the receiver's last answer.",
      examples: [503],
    }),
    last_error: nullable({
      type: "string",
      description: "Why the last attempt failed, as a sentence.",
      examples: ["The answer was 503."],
    }),
    delivered_at: nullable(timestampSchema),
    next_at: nullable({
      ...timestampSchema,
      description: "When the next attempt is made. Null if the message is delivered or given up.",
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
    success: successWithPage(resourceSchema(resource), resourceExample(resource)),
    errors: [],
  },
  create: {
    ...creating(resource),
    description:
      "Required: `url`. From now on, each change is sent there; those of one resource arrive in their order. The answer has the secret that " +
      `signs it, this once. ${sentTwice("creates two webhooks")}`,
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
      "A partial update: fields that are not sent stay as they are. If you switch it off, pending messages are given up. If you switch it on, " +
      "it begins with the next change. A new `url` applies to pending messages too.",
  },
  delete: deleting(resource),
  rotate: {
    operationId: "rotateWebhookSecret",
    resource,
    tag: resource.tag,
    summary: "Give a webhook a new secret",
    description:
      "Makes a new secret, which only this answer shows. For 24 hours, messages are signed with the old one too, so that receivers can " +
      "change. A secret can be replaced up to ten times in 24 hours.",
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
    description: "Sends a message of the type `webhook.test`, which belongs to no change.",
    success: queued("A test", { ...waiting, change_id: null, type: TEST_TYPE }),
    errors: [missing, inactive],
  },
  deliveries: {
    operationId: "listWebhookDeliveries",
    tag: resource.tag,
    summary: "List what was sent to a webhook",
    description: "A page of the last 30 days, newest first, with the exact total.",
    query: pagingParameters,
    success: successWithPage(delivery, delivered),
    errors: [missing],
  },
  redeliver: {
    operationId: "redeliverWebhookDelivery",
    tag: resource.tag,
    summary: "Send a delivery again",
    description:
      "Sends a delivery again, whether it was delivered or given up, with as many attempts as a new one. It waits for earlier messages of its resource.",
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
