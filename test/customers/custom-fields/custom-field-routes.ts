import { randomUUID } from "node:crypto";
import { having } from "../../doors/api/route-preparations.ts";
import type { EveryRoute, Preparation, Refusal } from "../../doors/api/route-row.ts";

const archived: Preparation = async (_server, tenant, { "Custom field": id }) => {
  await tenant.put(`/api/v1/custom-fields/${id}`, { archived: true });
};

const customFieldInUse: Refusal = async (_server, tenant, { "Custom field": id }) => {
  await tenant.put(`/api/v1/custom-fields/${id}`, { archived: false });
  return undefined;
};

const of = { on: "live", models: ["Custom field"], status: 200 } as const;

/** What the endpoints of custom fields are to do (every-route.ts). */
export const customFieldRoutes: readonly EveryRoute[] = [
  {
    method: "GET",
    path: "/api/v1/custom-fields",
    capability: "custom-fields:read",
    on: "none",
    models: [],
    body: "none",
    status: 200,
    prepare: having("Custom field"),
  },
  {
    method: "POST",
    path: "/api/v1/custom-fields",
    capability: "custom-fields:write",
    on: "none",
    models: [],
    body: {
      get passes() {
        const key = `f${randomUUID().replaceAll("-", "")}`;
        return { noun: "company", label: key, key, kind: "text", archived: true };
      },
      fails: { label: 5 },
    },
    status: 201,
  },
  { method: "GET", path: "/api/v1/custom-fields/{id}", capability: "custom-fields:read", body: "none", ...of },
  {
    method: "PUT",
    path: "/api/v1/custom-fields/{id}",
    capability: "custom-fields:write",
    body: { passes: { help: "B" }, fails: { label: 5 } },
    ...of,
  },
  {
    method: "DELETE",
    path: "/api/v1/custom-fields/{id}",
    capability: "custom-fields:write",
    body: "none",
    prepare: archived,
    refusals: { customFieldInUse },
    ...of,
  },
  { method: "GET", path: "/api/v1/custom-fields/{id}/history", capability: "custom-fields:read", body: "none", ...of },
];
