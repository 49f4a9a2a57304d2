import { having } from "../../doors/api/route-preparations.ts";
import type { EveryRoute, Refusal } from "../../doors/api/route-row.ts";

const webhookInactive: Refusal = async (_server, tenant, { Webhook }) => {
  await tenant.put(`/api/v1/webhooks/${Webhook}`, { active: false });
  return undefined;
};

const webhookSecretsTooMany: Refusal = async (_server, tenant, { Webhook }) => {
  for (let replaced = 0; replaced < 10; replaced++) await tenant.post(`/api/v1/webhooks/${Webhook}/rotate-secret`);
  return undefined;
};

const neverDeleted = { neverDeleted: "A delivery goes with its webhook, or after 30 days." };

/** What the endpoints of webhooks are to do (every-route.ts). */
export const webhookRoutes: readonly EveryRoute[] = [
  {
    method: "GET",
    path: "/api/v1/webhooks",
    capability: "webhooks:read",
    on: "none",
    models: [],
    body: "none",
    status: 200,
    prepare: having("Webhook"),
  },
  {
    method: "POST",
    path: "/api/v1/webhooks",
    capability: "webhooks:write",
    on: "none",
    models: [],
    body: { passes: { url: "https://hooks.example/a" }, fails: { url: 5 } },
    status: 201,
  },
  {
    method: "GET",
    path: "/api/v1/webhooks/{id}",
    capability: "webhooks:read",
    on: "live",
    models: ["Webhook"],
    body: "none",
    status: 200,
  },
  {
    method: "PUT",
    path: "/api/v1/webhooks/{id}",
    capability: "webhooks:write",
    on: "live",
    models: ["Webhook"],
    body: { passes: { description: "B" }, fails: { types: ["a"] } },
    status: 200,
  },
  {
    method: "DELETE",
    path: "/api/v1/webhooks/{id}",
    capability: "webhooks:write",
    on: "live",
    models: ["Webhook"],
    body: "none",
    status: 200,
  },
  {
    method: "POST",
    path: "/api/v1/webhooks/{id}/rotate-secret",
    capability: "webhooks:write",
    on: "live",
    models: ["Webhook"],
    body: "none",
    status: 200,
    refusals: { webhookSecretsTooMany },
  },
  {
    method: "POST",
    path: "/api/v1/webhooks/{id}/test",
    capability: "webhooks:write",
    on: "live",
    models: ["Webhook"],
    body: "none",
    status: 202,
    refusals: { webhookInactive },
  },
  {
    method: "GET",
    path: "/api/v1/webhooks/{id}/deliveries",
    capability: "webhooks:read",
    on: "live",
    models: ["Webhook"],
    body: "none",
    status: 200,
    prepare: having("Delivery"),
  },
  {
    method: "POST",
    path: "/api/v1/webhooks/{id}/deliveries/{delivery}/redeliver",
    capability: "webhooks:write",
    on: "live",
    models: ["Webhook", "Delivery"],
    body: "none",
    status: 202,
    refusals: { webhookInactive },
    exceptions: neverDeleted,
  },
];
