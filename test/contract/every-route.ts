import assert from "node:assert/strict";
import type { ErrorName } from "../../src/openapi/reference.ts";
import type { Route } from "../../src/routes.ts";
import type { TestServer, TestTenant } from "../harness.ts";
import { idIn, make, remove, type Made, type Model } from "./resources.ts";

/**
 * What each endpoint is to do, written down a second time and on purpose: the tests of capabilities, tenancy and
 * conformance run over this table, and fail where src/routes.ts has an endpoint that is not here.
 */
export type EveryRoute = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  capability: string;
  /** `none`: the route takes no body. Else one that passes validation, and one that does not. */
  body: "none" | { passes: object; fails?: object };
  /** What a request that is let through answers. */
  status: number;
  /** What there must be beside the resource for the answer to have something to show. */
  prepare?: Preparation;
  /** How those errors come about that only this route has: prepares them, and gives the body that is answered so. */
  refusals?: Partial<Record<ErrorName, Refusal>>;
  /** Promises of the tests that the route cannot keep, each with the reason. */
  exceptions?: Partial<Record<Exception, string>>;
} & (
  | { on: "none"; models: readonly [] }
  /**
   * The state that the path's resource is in when the route does its work, and the models whose ids the path names, in
   * its order. The last of them is the resource.
   */
  | { on: "live" | "deleted"; models: readonly [Model, ...Model[]] }
);

type Preparation = (server: TestServer, tenant: TestTenant, made: Made) => Promise<unknown>;
type Refusal = (server: TestServer, tenant: TestTenant, made: Made) => Promise<object | undefined>;

/**
 * - answersDeleted: a route on live resources answers on a deleted one too, as on a live one.
 * - neverDeleted: nothing deletes the resource.
 * - everyBodyPasses: no body fails validation, so the row has no `fails`.
 */
type Exception = "answersDeleted" | "neverDeleted" | "everyBodyPasses";

const person = { passes: { first_name: "Ana", last_name: "Pop" }, fails: { first_name: 5 } };
const taxIdTaken: Refusal = async (_server, tenant) => {
  await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO1" });
  return { name: "B", tax_id: "ro1" };
};

export const everyRoute: readonly EveryRoute[] = [
  {
    method: "GET",
    path: "/api/v1/companies",
    capability: "companies:read",
    on: "none",
    models: [],
    body: "none",
    status: 200,
    prepare: having("Company"),
  },
  {
    method: "POST",
    path: "/api/v1/companies",
    capability: "companies:write",
    on: "none",
    models: [],
    body: { passes: { name: "A" }, fails: { name: 5 } },
    status: 201,
    refusals: { taxIdTaken },
  },
  {
    method: "GET",
    path: "/api/v1/companies/{id}",
    capability: "companies:read",
    on: "live",
    models: ["Company"],
    body: "none",
    status: 200,
  },
  {
    method: "PUT",
    path: "/api/v1/companies/{id}",
    capability: "companies:write",
    on: "live",
    models: ["Company"],
    body: { passes: { name: "B" }, fails: { name: 5 } },
    status: 200,
    refusals: { taxIdTaken },
  },
  {
    method: "DELETE",
    path: "/api/v1/companies/{id}",
    capability: "companies:write",
    on: "live",
    models: ["Company"],
    body: "none",
    status: 200,
    refusals: { deletionBlocked: correlateInvoices },
  },
  {
    method: "GET",
    path: "/api/v1/companies/{id}/history",
    capability: "companies:read",
    on: "live",
    models: ["Company"],
    body: "none",
    status: 200,
  },
  {
    method: "GET",
    path: "/api/v1/companies/{company}/contacts",
    capability: "contacts:read",
    on: "live",
    models: ["Company"],
    body: "none",
    status: 200,
    prepare: having("Contact"),
  },
  {
    method: "POST",
    path: "/api/v1/companies/{company}/contacts",
    capability: "contacts:write",
    on: "live",
    models: ["Company"],
    body: person,
    status: 201,
  },
  {
    method: "GET",
    path: "/api/v1/contacts/{id}",
    capability: "contacts:read",
    on: "live",
    models: ["Contact"],
    body: "none",
    status: 200,
  },
  {
    method: "PUT",
    path: "/api/v1/contacts/{id}",
    capability: "contacts:write",
    on: "live",
    models: ["Contact"],
    body: person,
    status: 200,
  },
  {
    method: "DELETE",
    path: "/api/v1/contacts/{id}",
    capability: "contacts:write",
    on: "live",
    models: ["Contact"],
    body: "none",
    status: 200,
  },
  {
    method: "GET",
    path: "/api/v1/contacts/{id}/history",
    capability: "contacts:read",
    on: "live",
    models: ["Contact"],
    body: "none",
    status: 200,
  },
  {
    method: "GET",
    path: "/api/v1/companies/{company}/addresses",
    capability: "addresses:read",
    on: "live",
    models: ["Company"],
    body: "none",
    status: 200,
    prepare: having("Address"),
  },
  {
    method: "POST",
    path: "/api/v1/companies/{company}/addresses",
    capability: "addresses:write",
    on: "live",
    models: ["Company"],
    body: { passes: { address: "Strada Lungă 1" }, fails: { address: 5 } },
    status: 201,
  },
  {
    method: "GET",
    path: "/api/v1/addresses/{id}",
    capability: "addresses:read",
    on: "live",
    models: ["Address"],
    body: "none",
    status: 200,
  },
  {
    method: "PUT",
    path: "/api/v1/addresses/{id}",
    capability: "addresses:write",
    on: "live",
    models: ["Address"],
    body: { passes: { city: "Turda" }, fails: { address: 5 } },
    status: 200,
  },
  {
    method: "DELETE",
    path: "/api/v1/addresses/{id}",
    capability: "addresses:write",
    on: "live",
    models: ["Address"],
    body: "none",
    status: 200,
  },
  {
    method: "GET",
    path: "/api/v1/addresses/{id}/history",
    capability: "addresses:read",
    on: "live",
    models: ["Address"],
    body: "none",
    status: 200,
  },
  {
    method: "GET",
    path: "/api/v1/companies/{company}/wms-orders",
    capability: "wms-orders:read",
    on: "live",
    models: ["Company"],
    body: "none",
    status: 200,
    prepare: correlateInvoices,
  },
];

function having(model: Model): Preparation {
  return async (_server, tenant, made) => await make(tenant, [model], { ...made });
}

/** An invoice with everything that a warehouse order can have, and one with as little. */
async function correlateInvoices(server: TestServer, tenant: TestTenant, { Company }: Made): Promise<undefined> {
  await server.sql(
    `insert into invoices
      (tenant_id, company_id, number, wms_instance, wms_order_id, wms_order_number, wms_status, wms_synced_at)
    values ($1, $2, $3 || '-1', 'a.wms.example', 1, 'SO-1', 'shipped', now()), ($1, $2, $3 || '-2', null, 2, null, null, null)`,
    [tenant.id, Company, String(Company)],
  );
}

/** Fails where the program's routes and the table's rows are not the same, and says what to do about it. */
export function assertEveryRouteHasItsRow(routes: readonly Route[]): void {
  const rows = new Map(everyRoute.map((row) => [nameOf(row), row]));
  const complaints = routes.flatMap((route) => {
    const { method, path, capability, reference } = route;
    const row = rows.get(nameOf(route));
    if (row === undefined) {
      const models =
        (path.match(/\{\w+\}/g) ?? []).length === 0 ? `on: "none", models: []` : `on: "live", models: [...]`;
      const body = reference.body === null ? `"none"` : "{ passes: {...}, fails: {...} }";
      return `add a row to test/contract/every-route.ts with { method: "${method}", path: "${path}", capability: "${capability}", ${models}, body: ${body}, status: ${reference.success.status} }`;
    }
    if (row.capability !== capability)
      return `${nameOf(row)}: the route asks for ${capability}, its row for ${row.capability}`;
    return [];
  });
  const named = new Set(routes.map(nameOf));
  const left = [...rows.keys()].filter((name) => !named.has(name));
  complaints.push(
    ...left.map((name) => `${name} has a row in test/contract/every-route.ts, but no line in src/routes.ts`),
  );
  assert.deepEqual(complaints, []);
}

export function nameOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`;
}

/** New resources in the state that the route works on, for one successful request. */
export async function situationFor(row: EveryRoute, server: TestServer, tenant: TestTenant): Promise<Made> {
  const made = await make(tenant, row.models);
  await row.prepare?.(server, tenant, made);
  if (row.on === "deleted") await remove(tenant, resourceOf(row), made);
  return made;
}

/** The model of the resource that the route acts on: the last that its path names. */
export function resourceOf({ path, models }: EveryRoute): Model {
  const model = models.at(-1);
  assert.ok(model !== undefined, `${path} names no resource`);
  return model;
}

/** The path with its ids filled in, in order. */
export function pathWith({ path }: EveryRoute, ids: readonly (number | string)[]): string {
  let place = 0;
  return path.replaceAll(/\{\w+\}/g, () => String(ids[place++]));
}

export function pathOf(row: EveryRoute, made: Made): string {
  return pathWith(row, idsOf(row, made));
}

/** The ids that the path names, in its order. */
export function idsOf({ models }: EveryRoute, made: Made): number[] {
  return models.map((model) => idIn(made, model));
}
