import { randomUUID } from "node:crypto";
import type { TestServer, TestTenant } from "../../harness.ts";
import { make } from "./resources.ts";
import {
  correlateInvoices,
  cursorInvalid,
  having,
  numberTaken,
  externalTaken,
  tooManyIds,
} from "./route-preparations.ts";
import type { EveryRoute } from "./route-row.ts";

/** The rows of every-route.ts that are about invoices and their orders. */
const externalIdTaken = externalTaken("/api/v1/companies/{company}/invoices", { number: "FIRST" });

const queue = async (server: TestServer, tenant: TestTenant, id: unknown) =>
  await server.sql("update invoices set wms_state = 'queued' where tenant_id = $1 and id = $2", [tenant.id, id]);

export const invoiceRoutes: readonly EveryRoute[] = [
  {
    method: "GET",
    path: "/api/v1/companies/{company}/invoices",
    capability: "invoices:read",
    on: "live",
    models: ["Company"],
    body: "none",
    status: 200,
    prepare: having("Invoice"),
    refusals: { cursorInvalid, validationFailed: tooManyIds },
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
    refusals: { invoiceNumberTaken: numberTaken, externalIdTaken },
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
      externalIdTaken,
      async invoiceSent(server, tenant, { Invoice }) {
        await queue(server, tenant, Invoice);
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
    method: "POST",
    path: "/api/v1/invoices/{id}/wms-order/cancel",
    capability: "wms-orders:write",
    on: "live",
    models: ["Invoice"],
    body: "none",
    status: 202,
    again: 200,
    prepare: async (server, tenant, { Invoice }) => {
      await server.sql("update companies set wms_subdomain = 'north', wms_api_key = 'k' where tenant_id = $1", [
        tenant.id,
      ]);
      await server.sql(
        `update invoices set status = 'cancelled', wms_order_id = id, wms_instance = $2, wms_status = 'picking', wms_cancel = null
         where id = $1`,
        [Invoice, server.deps.warehouse?.instanceOf("north")],
      );
    },
    refusals: {
      async orderNotCancellable(_server, tenant, { Invoice }) {
        await tenant.put(`/api/v1/invoices/${Invoice}`, { status: "issued" });
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
  {
    method: "GET",
    path: "/api/v1/payments",
    capability: "payments:read",
    on: "none",
    models: [],
    body: "none",
    status: 200,
    prepare: having("Payment"),
    refusals: { cursorInvalid, validationFailed: tooManyIds },
  },
  {
    method: "GET",
    path: "/api/v1/invoices/{invoice}/payments",
    capability: "payments:read",
    on: "live",
    models: ["Invoice"],
    body: "none",
    status: 200,
    prepare: having("Payment"),
    refusals: { cursorInvalid, validationFailed: tooManyIds },
    exceptions: { neverDeleted: "an invoice is cancelled, and stays" },
  },
  {
    method: "POST",
    path: "/api/v1/invoices/{invoice}/payments",
    capability: "payments:write",
    on: "live",
    models: ["Invoice"],
    body: { passes: { amount: "1" }, fails: { amount: "x" } },
    status: 201,
    refusals: {
      async externalIdTaken(_server, tenant) {
        const { Invoice } = await make(tenant, ["Invoice"]);
        const taken = { amount: "1", external: { erp: "TAKEN" } };
        await tenant.post(`/api/v1/invoices/${Invoice}/payments`, taken);
        return { ...taken, amount: "2" };
      },
      async paymentRefused(server, tenant, { Invoice }) {
        await server.sql("update invoices set status = 'draft' where tenant_id = $1 and id = $2", [tenant.id, Invoice]);
        return { amount: "1" };
      },
    },
    exceptions: { neverDeleted: "an invoice is cancelled, and stays" },
  },
  {
    method: "GET",
    path: "/api/v1/payments/{id}",
    capability: "payments:read",
    on: "live",
    models: ["Payment"],
    body: "none",
    status: 200,
  },
  {
    method: "DELETE",
    path: "/api/v1/payments/{id}",
    capability: "payments:write",
    on: "live",
    models: ["Payment"],
    body: "none",
    status: 200,
  },
  {
    method: "GET",
    path: "/api/v1/reports/receivables",
    capability: "reports:read",
    on: "none",
    models: [],
    body: "none",
    status: 200,
    prepare: having("Invoice"),
  },
  {
    method: "GET",
    path: "/api/v1/reports/sales",
    capability: "reports:read",
    on: "none",
    models: [],
    body: "none",
    status: 200,
    prepare: having("Invoice"),
  },
];
