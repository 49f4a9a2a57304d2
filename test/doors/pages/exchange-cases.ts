import { kindNames } from "../../../src/exchange/imports/kinds.ts";
import { dayAfter } from "../../../src/platform/dates.ts";
import type { TestTenant } from "../../harness.ts";
import type { PageCase } from "./page-case.ts";

const webhookIn = async (tenant: TestTenant) =>
  `/webhooks/${(await tenant.post("/api/v1/webhooks", { url: "https://hooks.example/a" })).body.data.id}`;
const webhook = (rest: string) => async (tenant: TestTenant) => `${await webhookIn(tenant)}${rest}`;
const delivery = (rest: string) => async (tenant: TestTenant) => {
  const at = await webhookIn(tenant);
  const { id } = (await tenant.post(`/api/v1${at}/test`)).body.data;
  return `${at}/deliveries/${id}${rest}`;
};
/** The path of a file that waits to be checked, and its rest. */
const uploaded = (rest: string) => async (tenant: TestTenant) => `/imports/${await tenant.createImport()}${rest}`;

/** The rows of the pages of imports, keys and webhooks. */
export const exchangeCases: readonly PageCase[] = [
  { page: "GET /imports" },
  { page: "POST /imports", form: { kind: "companies" }, status: 422 },
  { page: "GET /imports/new" },
  { page: "GET /imports/{id}", of: uploaded("") },
  { page: "POST /imports/{id}/kind", of: uploaded("/kind") },
  { page: "POST /imports/{id}/reading", of: uploaded("/reading") },
  { page: "POST /imports/{id}/corrections", of: uploaded("/corrections") },
  { page: "POST /imports/{id}/start", of: uploaded("/start") },
  { page: "POST /imports/{id}/retry", of: uploaded("/retry") },
  { page: "POST /imports/{id}/cancel", of: uploaded("/cancel") },
  { page: "GET /imports/{id}/undo", of: uploaded("/undo"), status: 303 },
  { page: "POST /imports/{id}/undo", of: uploaded("/undo") },
  { page: "GET /imports/{id}/rejected.csv", of: uploaded("/rejected.csv"), isFile: true },
  { page: "GET /imports/{id}/alike.csv", of: uploaded("/alike.csv"), status: 303 },
  ...kindNames.map((kind): PageCase => ({ page: `GET /export/${kind}.csv`, isFile: true })),
  { page: "GET /keys" },
  { page: "POST /keys", form: { name: "Shop", capabilities: "companies:read" }, status: 200 },
  { page: "GET /keys/new" },
  { page: "GET /keys/assistant" },
  {
    page: "POST /keys/assistant",
    form: { name: "Claude", preset: "read", expires: dayAfter(30, "UTC") },
    status: 200,
  },
  { page: "GET /keys/{id}", of: async (tenant) => `/keys/${(await tenant.createKey()).id}` },
  { page: "GET /keys/{id}/revoke", of: async (tenant) => `/keys/${(await tenant.createKey()).id}/revoke` },
  { page: "POST /keys/{id}/revoke", of: async (tenant) => `/keys/${(await tenant.createKey()).id}/revoke` },
  { page: "POST /keys/{id}", of: async (tenant) => `/keys/${(await tenant.createKey()).id}`, form: { name: "ERP" } },
  {
    page: "POST /keys/{id}/reroll",
    of: async (tenant) => `/keys/${(await tenant.createKey()).id}/reroll`,
    status: 200,
  },
  { page: "GET /webhooks" },
  { page: "POST /webhooks", form: { url: "https://hooks.example", types: "*" }, status: 200 },
  { page: "GET /webhooks/new" },
  { page: "GET /webhooks/{id}", of: webhook("") },
  { page: "GET /webhooks/{id}/edit", of: webhook("/edit") },
  { page: "POST /webhooks/{id}", of: webhook(""), form: { url: "https://hooks.example", types: "*" } },
  { page: "POST /webhooks/{id}/test", of: webhook("/test") },
  { page: "POST /webhooks/{id}/rotate-secret", of: webhook("/rotate-secret"), status: 200 },
  { page: "GET /webhooks/{id}/delete", of: webhook("/delete") },
  { page: "POST /webhooks/{id}/delete", of: webhook("/delete") },
  { page: "GET /webhooks/{id}/deliveries/{delivery}", of: delivery("") },
  { page: "POST /webhooks/{id}/deliveries/{delivery}/redeliver", of: delivery("/redeliver") },
];
