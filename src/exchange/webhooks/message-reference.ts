import { changeSchema } from "../../kit/changes/change-reference.ts";
import { childEventMeanings, eventMeanings } from "../../kit/changes/change.ts";
import type { EventReference } from "../../kit/openapi/reference.ts";
import {
  definitionOf,
  idSchema,
  named,
  nullable,
  objectSchema,
  timestampSchema,
  type Schema,
} from "../../kit/openapi/schema.ts";
import { orderEventMeanings } from "./order-events.ts";
import { TEST_TYPE } from "./webhook.ts";

const text = { type: "string" };
const change = definitionOf(changeSchema) as { properties: Record<string, Schema>; required: string[] };

const resource: Schema = {
  type: ["object", "null"],
  description: "With `body: full`: the resource as GET answered it when the message was sent; null if it was gone.",
  additionalProperties: true,
};

const orderSchema = named(
  "EventOrder",
  objectSchema({
    instance: nullable({ ...text, description: "The warehouse." }),
    order_id: nullable(idSchema),
    order_number: nullable(text),
    status: nullable({ ...text, description: "The status that the change left." }),
    previous: nullable({ ...text, description: "The status before the change." }),
  }),
);

const changeMessage = named(
  "ChangeMessage",
  objectSchema({ type: text, timestamp: timestampSchema, data: named("ChangeOfMessage", withResource({})) }),
);

const orderMessage = named(
  "OrderMessage",
  objectSchema({
    type: text,
    timestamp: timestampSchema,
    data: named("OrderChange", withResource({ order: orderSchema })),
  }),
);

const testMessage = named(
  "TestMessage",
  objectSchema({
    type: text,
    timestamp: { type: "string", format: "date-time" },
    data: named("TestMessageData", objectSchema({ webhook_id: idSchema })),
  }),
);

/** A change with these members, and perhaps its resource. */
function withResource(members: Record<string, Schema>): Schema {
  return objectSchema({ ...change.properties, ...members, resource }, [...change.required, ...Object.keys(members)]);
}

/** Every event that a webhook receives, with the schema of its message. */
export const eventReferences: readonly EventReference[] = [
  ...Object.entries(eventMeanings).map(([name, description]) => ({ name, description, message: changeMessage })),
  ...Object.entries(childEventMeanings).map(([name, description]) => ({ name, description, message: changeMessage })),
  ...Object.entries(orderEventMeanings).map(([name, description]) => ({ name, description, message: orderMessage })),
  { name: TEST_TYPE, description: "A test that somebody requested.", message: testMessage },
];
