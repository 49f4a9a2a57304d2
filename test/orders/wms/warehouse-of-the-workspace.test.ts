import assert from "node:assert/strict";
import { test } from "node:test";
import { hasWarehouse, subdomainOf } from "../../../src/customers/companies/warehouse-of-company.ts";
import { signedIn, type Form, type Visitor } from "../../doors/pages/visitor.ts";
import type { TestTenant } from "../../harness.ts";
import { poll } from "../../program.ts";
import { administer } from "./instance-calls.ts";
import { startWithWarehouse } from "./warehouse.ts";

/** One connection for all companies without their own: every rule of a connection holds for the one that is used. */
const server = await startWithWarehouse();
const KEY = "key-of-the-workspace-7Qz9";
let serial = 0;

type Workspace = { tenant: TestTenant; admin: Visitor; nord: string; sud: string };

/** Each has warehouses of its own, because they keep their orders. */
async function workspace(): Promise<Workspace> {
  const tenant = await server.createTenant();
  serial++;
  const admin = await signedIn(server, tenant, { role: "admin", name: "Ana Pop" });
  return { tenant, admin, nord: `nord${serial}`, sud: `sud${serial}` };
}

const connect = async ({ admin }: Workspace, subdomain: string, form: Form = {}) =>
  await admin.post("/workspace/warehouses", { wms_subdomain: subdomain, wms_api_key: KEY, ...form });

async function companyOf({ tenant }: Workspace): Promise<number> {
  const taxId = `RO${1_000_000 + ++serial}`;
  return (await tenant.post("/api/v1/companies", { name: `Firm ${serial}`, tax_id: taxId })).body.data.id;
}

async function invoiceOf({ tenant }: Workspace, company: number | string): Promise<number> {
  const number = `W-${++serial}`;
  return (await tenant.post(`/api/v1/companies/${company}/invoices`, { number, total: "12.50" })).body.data.id;
}

const send = async ({ tenant }: Workspace, id: number) => await tenant.post(`/api/v1/invoices/${id}/wms-order`);
const wmsOf = async ({ tenant }: Workspace, id: number) => (await tenant.get(`/api/v1/invoices/${id}`)).body.data.wms;
const choose = async ({ admin }: Workspace, company: number, form: Form) =>
  await admin.post(`/companies/${company}/warehouse`, form);

test("a company without a connection of its own is sent by the workspace's; one with its own keeps it; never is never", async () => {
  const at = await workspace();
  const [plain, own, never] = [await companyOf(at), await companyOf(at), await companyOf(at)];
  const early = await invoiceOf(at, plain);
  const refused = await send(at, early);
  assert.equal(refused.status, 422);
  assert.match(refused.text, /The company has no warehouse connection/);
  await choose(at, own, { connection: "own", wms_subdomain: at.sud, wms_api_key: KEY });
  await choose(at, never, { connection: "never" });
  await connect(at, at.nord);
  assert.equal((await wmsOf(at, early)).state, "not_sent", "it is offered, and not sent by itself");

  for (const [company, instance] of [
    [plain, at.nord],
    [own, at.sud],
  ] as const) {
    const id = company === plain ? early : await invoiceOf(at, company);
    assert.equal((await send(at, id)).status, 202);
    const { instance: where } = await server.until(at.tenant, id, ({ state }) => state === "sent");
    assert.equal(where, `${instance}.localhost`);
  }
  const answer = await send(at, await invoiceOf(at, never));
  assert.equal(answer.status, 422);
  assert.match(answer.text, /The company has no warehouse connection/);
  const subdomains = [];
  for (const company of [plain, own, never])
    subdomains.push((await at.tenant.get(`/api/v1/companies/${company}`)).body.data.wms_subdomain);
  assert.deepEqual(subdomains, [null, at.sud, null], "the API returns a company's own");
  assert.deepEqual([(await server.orders(at.nord)).length, (await server.orders(at.sud)).length], [1, 1]);
});

test("orders of the workspace's warehouse are followed", async () => {
  const at = await workspace();
  await connect(at, at.nord);
  const id = await invoiceOf(at, await companyOf(at));
  await send(at, id);
  const { order_id } = await server.until(at.tenant, id, ({ state }) => state === "sent");
  await administer(server.simulator, "PUT", `/orders/${at.nord}/${order_id}`, { status: "shipped" });
  await server.sql("update invoices set wms_poll_at = now() where id = $1", [id]);
  await server.until(at.tenant, id, ({ status }) => status === "shipped");
});

test("by itself only what is issued from then on is sent, and by the connection that holds for its company", async () => {
  const at = await workspace();
  const [plain, own, never] = [await companyOf(at), await companyOf(at), await companyOf(at)];
  const early = await invoiceOf(at, plain);
  await choose(at, own, { connection: "own", wms_subdomain: at.sud, wms_api_key: KEY });
  await choose(at, never, { connection: "never" });
  await connect(at, at.nord, { send_automatically: "1" });
  const sent = await invoiceOf(at, plain);
  await server.until(at.tenant, sent, ({ state }) => state === "sent");
  const others = [early, await invoiceOf(at, own), await invoiceOf(at, never)];
  for (const id of others) assert.equal((await wmsOf(at, id)).state, "not_sent");
});

test("pages show that a key of the workspace was refused, and another one sends what failed in every company", async () => {
  const at = await workspace();
  await connect(at, at.nord);
  const companies = [await companyOf(at), await companyOf(at)];
  await administer(server.simulator, "PUT", "/keys", ["another-key-of-nord"]);
  const ids = [];
  for (const company of companies) ids.push(await invoiceOf(at, company));
  for (const id of ids) {
    await send(at, id);
    await server.until(at.tenant, id, ({ state }) => state === "failed");
  }
  for (const path of ["/workspace/warehouses", `/companies/${companies[0]}/warehouse`, `/companies/${companies[0]}`])
    assert.match((await at.admin.get(path)).text, /Key refused, \d\d:\d\d/, path);
  const [own] = await server.sql("select count(*)::int as refused from companies where wms_key_refused_at is not null");
  assert.equal(own?.refused, 0, "no company has a key");
  await at.admin.post("/workspace/warehouses", { wms_api_key: "another-key-of-nord" });
  for (const id of ids) await server.until(at.tenant, id, ({ state }) => state === "sent");
  await administer(server.simulator, "PUT", "/keys", null);
  assert.doesNotMatch((await at.admin.get("/workspace/warehouses")).text, /Key refused/);
});

test("an order that may be at the workspace's former warehouse is made at no other, and is linked once that is back", async () => {
  const at = await workspace();
  await connect(at, at.nord);
  const id = await invoiceOf(at, await companyOf(at));
  await server.faults({ "cut-after": 1 });
  await send(at, id);
  await poll("its order", async () => (await server.orders(at.nord)).length === 1);
  await server.until(at.tenant, id, ({ state }) => state === "unknown");
  await at.admin.post("/workspace/warehouses/replace", {
    replaced: at.nord,
    wms_subdomain: at.sud,
    wms_api_key: KEY,
  });
  await server.faults({});
  const { error } = await server.until(at.tenant, id, ({ state }) => state === "failed");
  assert.match(String(error), new RegExp(`An order may exist at ${at.nord}\\.localhost`));
  assert.deepEqual(await server.orders(at.sud), []);
  await at.admin.post("/workspace/warehouses/replace", {
    replaced: at.sud,
    wms_subdomain: at.nord,
    wms_api_key: KEY,
  });
  const { instance } = await server.until(at.tenant, id, ({ state }) => state === "sent");
  assert.equal(instance, `${at.nord}.localhost`);
  assert.equal((await server.orders(at.nord)).length, 1);
});

test("a company that leaves its own connection takes the workspace's up: what waited for it is looked up there", async () => {
  const at = await workspace();
  const company = await companyOf(at);
  await choose(at, company, { connection: "own", wms_subdomain: at.nord, wms_api_key: KEY });
  const id = await invoiceOf(at, company);
  await server.faults({ "cut-after": 1 });
  await send(at, id);
  await server.until(at.tenant, id, ({ state }) => state === "unknown");
  await choose(at, company, { connection: "own", wms_subdomain: at.sud, wms_api_key: KEY });
  await server.faults({});
  await server.until(at.tenant, id, ({ state }) => state === "failed");
  await connect(at, at.nord);
  await at.admin.post(`/companies/${company}/warehouse/remove`);
  await server.until(at.tenant, id, ({ state }) => state === "sent");
  assert.equal((await server.orders(at.nord)).length, 1);
});

test("triggers follow the connection that statements follow, whatever a company and its workspace have", async () => {
  const at = await workspace();
  const company = await companyOf(at);
  for (const workspaces of [null, "nord"]) {
    await server.sql(
      `insert into workspace_warehouses as w (tenant_id, wms_subdomain, wms_api_key, wms_send_automatically)
      values ($1, $2, $2, $2::text is not null) on conflict (tenant_id) do update
      set wms_subdomain = excluded.wms_subdomain, wms_api_key = excluded.wms_api_key, wms_send_automatically = excluded.wms_send_automatically`,
      [at.tenant.id, workspaces],
    );
    for (const subdomain of [null, "sud"]) {
      for (const key of [null, "key"]) {
        for (const isNever of [false, true]) {
          await server.sql(
            "update companies set wms_subdomain = $2, wms_api_key = $3, wms_send_automatically = true, wms_never = $4 where id = $1",
            [company, subdomain, key, isNever],
          );
          const ofTenant = (text: string) => text.replaceAll("$1", "c.tenant_id");
          const [row] = await server.sql(
            `select f.subdomain as "ofTriggers", ${ofTenant(subdomainOf("c"))} as "ofStatements",
              f.sends_automatically as sends, ${ofTenant(hasWarehouse("c"))} as connected
            from companies c, warehouse_of_company(c.tenant_id, c.id) f where c.id = $1`,
            [company],
          );
          const state = JSON.stringify({ workspaces, subdomain, key, isNever });
          const expected = isNever ? null : (subdomain ?? workspaces);
          assert.deepEqual([row?.ofTriggers, row?.ofStatements], [expected, expected], state);
          const isConnected = expected !== null && (subdomain === null || key !== null);
          assert.deepEqual([row?.connected, row?.sends], [isConnected, isConnected], state);
        }
      }
    }
  }
});
