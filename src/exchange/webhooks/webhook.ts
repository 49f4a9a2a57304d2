import { childEventMeanings, events } from "../../kit/changes/change.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import { fieldTable } from "../../platform/fields/fields.ts";
import { orderEvents } from "./order-events.ts";

/** The entry of a webhook's `types` for all events. */
export const EVERY_TYPE = "*";

/** The event that only tests send. */
export const TEST_TYPE = "webhook.test";

/** The events that a webhook can subscribe to: a resource type and an action, and an order's way. */
export const eventTypes: readonly string[] = [
  ...Object.entries(events).flatMap(([type, actions]) => actions.map((action) => `${type}.${action}`)),
  ...Object.keys(childEventMeanings),
  ...orderEvents,
];

/** The webhook's writable fields, in the order of docs/contract.md 19.2. */
export const webhookFields = fieldTable([
  {
    name: "url",
    kind: "url",
    max: 2_000,
    required: true,
    description:
      "The address that messages are sent to: `http` or `https`, without a user name. Stored as a URL parser writes it.",
    example: "https://erp.example/hooks/liaison",
  },
  {
    name: "types",
    kind: "enums",
    values: [EVERY_TYPE, ...eventTypes],
    max: 100,
    default: JSON.stringify([EVERY_TYPE]),
    description: "The events that it receives; `*` means all of them.",
    example: ["company.created", "company.updated"],
  },
  { name: "active", kind: "boolean", default: true, description: "Whether messages are sent.", example: true },
  {
    name: "description",
    kind: "string",
    max: 255,
    description: "A name for people, such as the program that receives the messages.",
    example: "ERP",
  },
  {
    name: "body",
    kind: "enum",
    values: ["change", "full"],
    default: "change",
    description:
      "`full` adds the resource to each change, as GET answers it when the message is sent. It needs the capabilities to read " +
      "companies, contacts, addresses and invoices.",
    example: "change",
  },
  {
    name: "children",
    kind: "boolean",
    default: false,
    description: "Whether it receives events of contacts and addresses that are hidden or shown with their company.",
    example: true,
  },
]);

/** The parts of a webhook that writing needs. */
export const webhook = { table: "webhooks", fields: webhookFields } as const;

/** Names in messages. */
export const MODEL = "Webhook";
export const DELIVERY_MODEL = "Delivery";

/** Reasons why Liaison deactivates a webhook by itself. */
export const switchedOffWords = ["gone", "failing"] as const;
export type SwitchedOff = (typeof switchedOffWords)[number];

/** The available events as a sentence, for a request with an unknown one; undefined if the types are valid. */
export function allowedTypes(messages: FieldErrors): string | undefined {
  const isWrong = Object.keys(messages).some((at) => at.startsWith("types."));
  return isWrong ? `Events are ${[EVERY_TYPE, ...eventTypes].join(", ")}.` : undefined;
}

/** The types of a webhook from their stored text. */
export function typesOf(stored: string): string[] {
  return JSON.parse(stored) as string[];
}
