import { isOrderEvent, orderEventMeanings, type OrderEvent } from "../../exchange/webhooks/order-events.ts";
import { messageHeaders } from "../../exchange/webhooks/signature.ts";
import { TEST_TYPE } from "../../exchange/webhooks/webhook.ts";
import { childEventMeanings, eventMeanings, type ChangeAction, type ChangeType } from "../../kit/changes/change.ts";
import type { DescribedRoute } from "../../kit/openapi/reference.ts";
import { minimalExample, resourceExample } from "../../kit/openapi/resource-examples.ts";
import type { Resource } from "../../kit/openapi/resource.ts";
import { heading, jsonCode, links, paragraph, type Block } from "./blocks.ts";

/** The secret of the example messages; their signatures are genuine. */
export const EXAMPLE_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw9bm1HkB1kqE=";
const SENT_AT = "2026-11-21T14:02:31.000250Z";

/** The page of all events: when each happens, and its message as a webhook receives it. */
export function eventBlocks(routes: readonly DescribedRoute[]): Block[] {
  const resources = new Map(
    routes.flatMap(({ reference: { resource } }) => (resource ? [[resource.singular, resource]] : [])),
  );
  const named = Object.entries({ ...eventMeanings, ...childEventMeanings });
  return [
    paragraph(
      "A webhook receives each event as a POST, in the format of [Standard Webhooks](https://www.standardwebhooks.com). " +
        "The signatures below are genuine, with the secret `" +
        EXAMPLE_SECRET +
        "`; a body is sent without spaces and line breaks. The feed returns the same changes: there `data` is an entry of the list. " +
        "[Feed, webhook or poll?](/docs/guides/following) compares the two.",
    ),
    links(
      [...named, ...Object.entries(orderEventMeanings)].map(([name, words]) => ({
        title: `\`${name}\``,
        path: `#${name}`,
        summary: words,
      })),
    ),
    ...named.flatMap(([name, words]) => {
      const [type, action] = name.split(".") as [ChangeType, ChangeAction];
      return eventBlock(name, words, changeOf(resources.get(type), type, action));
    }),
    ...Object.entries(orderEventMeanings).flatMap(([name, words]) =>
      eventBlock(name, `${words} Only webhooks have this event, beside \`invoice.updated\` of the same change.`, {
        ...changeOf(undefined, "invoice", "updated"),
        ...orderExamples[name as OrderEvent],
      }),
    ),
    ...eventBlock(
      TEST_TYPE,
      "A test that somebody requested. It is sent whatever the `types` of the webhook are, and is not in the feed.",
      { webhook_id: 1 },
    ),
  ];
}

const order = { instance: "nord.wms.example", order_id: 50001, order_number: "WO-50001" };
const toStatus = (from: string | null, to: string) => ({
  changed: { wms_status: { from, to } },
  by: { kind: "worker", id: null, name: null },
  order: { ...order, status: to, previous: from },
});

/** The members of an order event in addition to those of an invoice's change. */
const orderExamples: Readonly<Record<OrderEvent, object>> = {
  "invoice.order_created": {
    ...toStatus(null, "New"),
    changed: {
      wms_instance: { from: null, to: order.instance },
      wms_order_id: { from: null, to: order.order_id },
      wms_order_number: { from: null, to: order.order_number },
      wms_status: { from: null, to: "New" },
    },
  },
  "invoice.order_moved": toStatus("New", "Picking"),
  "invoice.order_final": toStatus("Picking", "Shipped"),
  "invoice.order_cancelled": toStatus("New", "Cancelled"),
  "invoice.order_lost": {
    ...toStatus("Picking", "Picking"),
    changed: { wms_gone_at: { from: null, to: SENT_AT } },
  },
};

function eventBlock(name: string, words: string, data: object): Block[] {
  const ofChange = isOrderEvent(name) ? `230.${name}` : "230";
  const id = name === TEST_TYPE ? "test_5f0c3b7d9a1e4c2b8d6f0a1c" : ofChange;
  const body = JSON.stringify({ type: name, timestamp: SENT_AT, data });
  const seconds = Math.floor(Date.parse(SENT_AT) / 1_000);
  const sent = messageHeaders([EXAMPLE_SECRET], { id, seconds, body });
  const headers = Object.entries(sent).map((entry) => entry.join(": "));
  return [
    {
      kind: "beside",
      words: [heading(2, `\`${name}\``, name), paragraph(words)],
      code: [{ kind: "code", language: "http", text: headers.join("\n") }, jsonCode(JSON.parse(body))],
    },
  ];
}

/** A change as the feed has it. */
function changeOf(resource: Resource | undefined, type: ChangeType, action: ChangeAction): object {
  return {
    id: 230,
    at: SENT_AT,
    type,
    resource_id: 1,
    company_id: 1,
    action,
    changed: resource === undefined ? {} : differencesOf(resource, action),
    by: { kind: "key", id: 3, name: "ERP" },
  };
}

/** The differences of a creation with the required fields, or of the example update. */
function differencesOf(resource: Resource, action: ChangeAction): Record<string, object> {
  const [before, made] = [resourceExample(resource), minimalExample(resource)];
  if (action !== "created" && action !== "updated") return {};
  const isWritten = (name: string) => (action === "created" ? (made[name] ?? null) !== null : name in resource.change);
  const differences = resource.fields
    .filter(({ name }) => isWritten(name))
    .map(({ name, kind, encrypted }) => {
      const from = action === "created" ? null : before[name];
      const to = action === "created" ? made[name] : resource.change[name];
      return [name, encrypted || kind === "list" ? { changed: true } : { from, to }] as const;
    });
  return Object.fromEntries(differences);
}
