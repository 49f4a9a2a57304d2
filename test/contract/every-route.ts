import { randomUUID } from "node:crypto";
import type { TestServer, TestTenant } from "../harness.ts";
import { make, type Made, type Model } from "./resources.ts";
import type { EveryRoute, Preparation, Refusal } from "./route-row.ts";

const person = { passes: { first_name: "Ana", last_name: "Pop" }, fails: { first_name: 5 } };
const cursorInvalid: Refusal = async () => ({ cursor: "x" });
const taxIdTaken: Refusal = async (_server, tenant) => {
  await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO1" });
  return { name: "B", tax_id: "ro1" };
};

const numberTaken: Refusal = async (_server, tenant) => {
  const { Company } = await make(tenant, ["Company"]);
  await tenant.post(`/api/v1/companies/${Company}/invoices`, { number: "TAKEN" });
  return { number: "TAKEN" };
};

/**
 * What each endpoint is to do, written down a second time and on purpose: the tests of capabilities, tenancy and
 * conformance run over this table, and fail where src/doors/routes.ts has an endpoint that is not here.
 */
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
    refusals: { cursorInvalid },
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
    refusals: { cursorInvalid },
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
    refusals: { cursorInvalid },
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
    path: "/api/v1/companies/{company}/invoices",
    capability: "invoices:read",
    on: "live",
    models: ["Company"],
    body: "none",
    status: 200,
    prepare: having("Invoice"),
    refusals: { cursorInvalid },
  },
  {
    method: "POST",
    path: "/api/v1/companies/{company}/invoices",
    capability: "invoices:write",
    on: "live",
    models: ["Company"],
    body: {
      get passes() {
        return { number: randomUUID(), lines: [{ description: "A", quantity: 1, unit_price: "2.50" }] };
      },
      fails: { number: "A", lines: [{}] },
    },
    status: 201,
    refusals: { invoiceNumberTaken: numberTaken },
  },
  {
    method: "GET",
    path: "/api/v1/invoices/{id}",
    capability: "invoices:read",
    on: "live",
    models: ["Invoice"],
    body: "none",
    status: 200,
    exceptions: { neverDeleted: "an invoice is cancelled, and stays" },
  },
  {
    method: "PUT",
    path: "/api/v1/invoices/{id}",
    capability: "invoices:write",
    on: "live",
    models: ["Invoice"],
    body: { passes: { status: "paid", lines: [] }, fails: { total: "x" } },
    status: 200,
    refusals: {
      invoiceNumberTaken: numberTaken,
      async invoiceSent(server, tenant, { Invoice }) {
        await server.sql("update invoices set wms_state = 'queued' where tenant_id = $1 and id = $2", [
          tenant.id,
          Invoice,
        ]);
        return { total: "99" };
      },
    },
    exceptions: { neverDeleted: "an invoice is cancelled, and stays" },
  },
  {
    method: "GET",
    path: "/api/v1/invoices/{id}/history",
    capability: "invoices:read",
    on: "live",
    models: ["Invoice"],
    body: "none",
    status: 200,
    exceptions: { neverDeleted: "an invoice is cancelled, and stays" },
  },
  {
    method: "POST",
    path: "/api/v1/invoices/{id}/wms-order",
    capability: "wms-orders:write",
    on: "live",
    models: ["Invoice"],
    body: "none",
    status: 202,
    again: 200,
    prepare: async (server, tenant) => {
      await server.sql("update companies set wms_subdomain = 'north', wms_api_key = 'k' where tenant_id = $1", [
        tenant.id,
      ]);
      // One that was queued before is sent again.
      await server.sql("update invoices set wms_state = 'not_sent' where tenant_id = $1", [tenant.id]);
    },
    refusals: {
      async invoiceNotSendable(server, tenant) {
        await server.sql("update companies set wms_subdomain = null where tenant_id = $1", [tenant.id]);
        return undefined;
      },
    },
    exceptions: { neverDeleted: "an invoice is cancelled, and stays" },
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
