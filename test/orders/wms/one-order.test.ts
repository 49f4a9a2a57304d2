import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { poll } from "../../program.ts";
import { administer } from "./instance-calls.ts";
import { startWithWarehouse, type Wms } from "./warehouse.ts";

/** An invoice is one order, whatever a person does while nobody knows what became of an attempt to send it. */
const server = await startWithWarehouse();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant, { role: "admin" });
const HAS_FAILED = ({ state }: Wms) => state === "failed";
const IS_SENT = ({ state }: Wms) => state === "sent";
let instances = 0;

test("an import that is undone and imported again while its order may be elsewhere makes no second order", async () => {
  const [here, elsewhere] = [freshInstance(), freshInstance()];
  const company = await server.connect(tenant, here, { automatically: true });
  await cutAnswers(here);
  const file = `company_id,number,total\n${company},AGAIN,10.00\n`;
  const path = await imported(file);
  const { id } = (await tenant.get(`/api/v1/companies/${company}/invoices`)).body.data[0];
  await server.until(tenant, id, ({ state }) => state === "unknown");
  await connect(company, elsewhere);
  await server.until(tenant, id, HAS_FAILED);
  await member.post(`${path}/undo`);
  const page = await settled(path);
  assert.match(page, />AGAIN<\/a>: the warehouse has it, or may have it/);
  await administer(server.simulator, "PUT", `/faults?instance=${here}`, { duplicates: 1 });
  await connect(company, here);
  await imported(file);
  await tenant.post(`/api/v1/invoices/${id}/wms-order`);
  const { order_id } = await server.until(tenant, id, IS_SENT);
  const orders = [...(await server.orders(here)), ...(await server.orders(elsewhere))];
  assert.deepEqual(
    orders.map((order) => order.order_id),
    [order_id],
  );
});

for (const [name, interfere] of [
  ["the key expires", async () => await administer(server.simulator, "PUT", "/keys", ["another"])],
  ["the connection is removed", async (company: string) => await member.post(`/companies/${company}/warehouse/remove`)],
  ["the company is connected elsewhere", async (company: string) => await connect(company, freshInstance())],
] as const) {
  test(`an invoice that failed because ${name}, and that the warehouse may have, stays as it is`, async () => {
    const instance = freshInstance();
    const company = await server.connect(tenant, instance);
    const { body } = await tenant.post(`/api/v1/companies/${company}/invoices`, { number: name, total: "10.00" });
    const at = `/api/v1/invoices/${body.data.id}`;
    await cutAnswers(instance);
    await tenant.post(`${at}/wms-order`);
    await server.until(tenant, body.data.id, ({ state }) => state === "unknown");
    await interfere(company);
    await server.until(tenant, body.data.id, HAS_FAILED);
    for (const change of [
      { number: "X" },
      { total: "9999" },
      { lines: [{ description: "A", quantity: "1", unit_price: "1" }] },
    ]) {
      assert.equal((await tenant.put(at, change)).status, 422, JSON.stringify(change));
    }
    await administer(server.simulator, "PUT", "/keys", null);
    await administer(server.simulator, "PUT", `/faults?instance=${instance}`, { duplicates: 1 });
    await connect(company, instance);
    await tenant.post(`${at}/wms-order`);
    const { order_id } = await server.until(tenant, body.data.id, IS_SENT);
    assert.deepEqual(
      (await server.orders(instance)).map((order) => [order.order_id, order.sent.total]),
      [[order_id, "10.00"]],
    );
  });
}

test("after a loss of data an invoice stays as it is where a warehouse was connected before, and nowhere else", async () => {
  const own = await server.createTenant();
  const another = await signedIn(server, own);
  const { id: never } = (await own.post("/api/v1/companies", { name: "Never" })).body.data;
  const [connected, former] = [await server.connect(own, freshInstance()), await server.connect(own, freshInstance())];
  await another.post(`/companies/${former}/warehouse/remove`);
  const invoices: string[] = [];
  for (const company of [never, connected, former]) {
    const { body } = await own.post(`/api/v1/companies/${company}/invoices`, { number: `L${company}`, total: "10.00" });
    invoices.push(`/api/v1/invoices/${body.data.id}`);
  }
  await server.sql("update tenants set orders_lost_at = now() where id = $1", [own.id]);
  const statuses: number[] = [];
  for (const at of invoices) statuses.push((await own.put(at, { total: "20.00" })).status);
  assert.deepEqual(statuses, [200, 422, 422]);
});

test("an invoice whose order may be elsewhere is looked for as soon as its company is connected there again", async () => {
  const [here, elsewhere] = [freshInstance(), freshInstance()];
  const company = await server.connect(tenant, here);
  const { body } = await tenant.post(`/api/v1/companies/${company}/invoices`, { number: "BACK", total: "10.00" });
  await cutAnswers(here);
  await tenant.post(`/api/v1/invoices/${body.data.id}/wms-order`);
  await server.until(tenant, body.data.id, ({ state }) => state === "unknown");
  await connect(company, elsewhere);
  await server.until(tenant, body.data.id, HAS_FAILED);
  await connect(company, freshInstance());
  assert.equal((await tenant.get(`/api/v1/invoices/${body.data.id}`)).body.data.wms.state, "failed");
  await administer(server.simulator, "PUT", `/faults?instance=${here}`, { duplicates: 1 });
  await connect(company, here);
  const { order_id } = await server.until(tenant, body.data.id, IS_SENT);
  assert.deepEqual(
    (await server.orders(here)).map((order) => order.order_id),
    [order_id],
  );
});

test("an invoice that the warehouse refuses for good may be changed, and removed by an undo", async () => {
  const instance = freshInstance();
  const company = await server.connect(tenant, instance, { automatically: true });
  await administer(server.simulator, "PUT", `/faults?instance=${instance}`, { "422": 1 });
  const path = await imported(`company_id,number,total\n${company},REFUSED,10.00\n`);
  const { id } = (await tenant.get(`/api/v1/companies/${company}/invoices`)).body.data[0];
  await server.until(tenant, id, HAS_FAILED);
  assert.equal((await tenant.put(`/api/v1/invoices/${id}`, { total: "11.00" })).status, 200);
  await tenant.put(`/api/v1/invoices/${id}`, { total: "10.00" });
  await member.post(`${path}/undo`);
  await settled(path);
  assert.equal((await tenant.get(`/api/v1/invoices/${id}`)).body.data.total, "10.00", "it was changed since");
});

test("an invoice whose order was looked for and is not there may be changed once it is cancelled", async () => {
  const instance = freshInstance();
  const company = await server.connect(tenant, instance);
  const { body } = await tenant.post(`/api/v1/companies/${company}/invoices`, { number: "CANCELLED" });
  const at = `/api/v1/invoices/${body.data.id}`;
  await administer(server.simulator, "PUT", `/faults?instance=${instance}`, { "cut-before": 1 });
  await tenant.post(`${at}/wms-order`);
  await server.until(tenant, body.data.id, ({ state }) => state === "unknown");
  await tenant.put(at, { status: "cancelled" });
  await administer(server.simulator, "PUT", `/faults?instance=${instance}`, {});
  const { error } = await server.until(tenant, body.data.id, ({ state }) => state === "not_sent");
  assert.equal(error, null);
  assert.equal((await tenant.put(at, { total: "2" })).status, 200);
});

function freshInstance(): string {
  return `one-${++instances}`;
}

async function cutAnswers(instance: string): Promise<void> {
  await administer(server.simulator, "PUT", `/faults?instance=${instance}`, { "cut-after": 1 });
}

async function connect(company: string, instance: string): Promise<void> {
  const connection = { wms_subdomain: instance, wms_api_key: "key-of-warehouse" };
  assert.equal((await member.post(`/companies/${company}/warehouse`, connection)).status, 303);
}

/** Brings a file in by the pages; the path of its import. */
async function imported(csv: string): Promise<string> {
  const { location } = await member.upload("/imports", { kind: "invoices" }, { "file.csv": csv });
  const path = String(location);
  await settled(path);
  await member.post(`${path}/start`);
  await settled(path);
  return path;
}

/** The page of an import, once no worker is at it any more. */
async function settled(path: string): Promise<string> {
  let page = "";
  await poll("the end of the import's job", async () => {
    page = (await member.get(path)).text;
    return !page.includes("data-refresh");
  });
  return page;
}
