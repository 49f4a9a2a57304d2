import assert from "node:assert/strict";
import path from "node:path";
import { after, test } from "node:test";
import type pg from "pg";
import { startSimulator } from "../../../wms-simulator/simulator.ts";
import { requester } from "../../cli/installation.ts";
import { scrape } from "../../metrics-text.ts";
import { administer } from "../../orders/wms/instance-calls.ts";
import type { SimulatedOrder } from "../../orders/wms/warehouse.ts";
import { poll, serve } from "../../program.ts";
import { createEmptyDatabase } from "./databases.ts";
import { connectedInvoices, createSeeded } from "./seeded.ts";

/**
 * A slow warehouse, which makes a second order of a pair that it has: a sender that does not look it up first orders
 * goods twice.
 */
const FAULTS = { slow: 1, duplicates: 1 };
const simulator = await startSimulator({ faults: FAULTS, slowMs: 200 });
after(async () => await simulator.close());
const source = await createSeeded({
  LIAISON_WMS_URL: simulator.template,
  LIAISON_WMS_PRIVATE_NETWORKS: "127.0.0.0/8",
  LIAISON_WMS_TIMEOUT: "1",
  LIAISON_WMS_SETTLE: "1",
  LIAISON_WMS_RETRY_MS: "10",
});
const { json, run, api, dataDir } = source;
const invoices = await connectedInvoices(source, "north");

async function ordersByPair(): Promise<Map<string, SimulatedOrder[]>> {
  const { instances } = (await administer(simulator, "GET", "/ledger")) as {
    instances: Record<string, { orders: SimulatedOrder[] }>;
  };
  return Map.groupBy(instances.north?.orders ?? [], ({ external_order_id: id }) => id);
}

async function ordersOf(number: string): Promise<number[]> {
  const orders = [...(await ordersByPair()).values()].flat();
  return orders.filter(({ sent }) => sent.invoice_reference === number).map(({ order_id }) => order_id);
}

async function countOrders(): Promise<number> {
  return [...(await ordersByPair()).values()].flat().length;
}

async function statesOf(client: pg.Client): Promise<Record<string, unknown>[]> {
  const { rows } = await client.query(
    `select i.id, i.number, i.wms_state as state, i.wms_order_id as "orderId" from invoices i
     join companies c on c.tenant_id = i.tenant_id and c.id = i.company_id where c.wms_subdomain is not null order by i.id`,
  );
  return rows as Record<string, unknown>[];
}

test("a restored instance calls nobody until it resumes; after a loss it orders nothing twice and gives no id out twice", async () => {
  const file = path.join(dataDir, "sending.backup");
  const given = new Set<number>();
  const issue = async (send: typeof api, number: string) => {
    const { status, body } = await send("POST", invoices, { number, total: "10.00", currency: "RON" });
    assert.equal(status, 201, JSON.stringify(body));
    assert.ok(!given.has(body.data.id), `${body.data.id} is given out twice`);
    given.add(body.data.id);
  };
  const issueAll = (async () => {
    for (let n = 0; n < 60; n++) await issue(api, `S-${n}`);
  })();
  await poll("the first orders", async () => (await countOrders()) > 5);
  // However long the backup takes: meanwhile orders are made of which nobody here hears.
  await administer(simulator, "PUT", "/faults", { ...FAULTS, "500-after": 1 });
  await json(["backup", file]);
  await administer(simulator, "PUT", "/faults", FAULTS);
  await issueAll;
  const owner = await source.client();
  await poll("every order", async () => (await statesOf(owner)).every(({ state }) => state === "sent"));
  const sent = await countOrders();
  assert.equal(sent, 60);

  const target = await createEmptyDatabase();
  const environment = { ...source.environment, DATABASE_URL: target.url };
  assert.match(
    (await run(["restore", file], { environment })).stdout,
    / otherwise `liaison resume`\. Until then no calls are made\.\n$/,
  );
  const restored = await statesOf(target.client);
  assert.ok(
    restored.some(({ state }) => state !== "sent"),
    "the backup is of the middle of sending",
  );
  const server = await serve(environment);
  assert.match(server.output(), /Calls to others are held/);
  const there = requester(server.url, source.tokens[0] ?? "");
  assert.match((await run(["wms", "sync", "--tenant", "acme"], { environment })).stderr, /held/);
  await poll("a look at the queue", async () => (await target.client.query("select from lane_news")).rows.length === 0);
  assert.equal(await countOrders(), sent);
  assert.match((await run(["resume"])).stderr, /^Calls are not held/);
  const resumed = await run(["resume", "--after-loss", "--json"], { environment });
  assert.deepEqual(JSON.parse(resumed.stdout), { resumed: true, after_loss: true });
  for (let n = 0; n < 10; n++) await issue(there, `N-${n}`);
  await poll("every order", async () => (await statesOf(target.client)).every(({ state }) => state === "sent"), 60);
  const orders = await ordersByPair();
  const several = [...orders.values()].filter((ofOne) => ofOne.length > 1);
  assert.deepEqual(several, []);
  for (const { id, orderId } of await statesOf(target.client)) {
    assert.equal(String(orders.get(String(id))?.[0]?.order_id), String(orderId));
  }
});

test("what is entered before a restored instance is resumed has no id that was given out before", async () => {
  const file = path.join(dataDir, "given-out.backup");
  await json(["backup", file]);
  const lost = await api("POST", invoices, { number: "GIVEN-OUT", total: "10.00", currency: "RON" });
  const target = await createEmptyDatabase();
  const environment = { ...source.environment, DATABASE_URL: target.url };
  await run(["restore", file], { environment });
  const server = await serve(environment);
  const draft = { number: "BEFORE-RESUME", total: "10.00", status: "draft" };
  const entered = await requester(server.url, source.tokens[0] ?? "")("POST", invoices, draft);
  assert.equal(entered.status, 201);
  assert.ok(entered.body.data.id > lost.body.data.id, `${entered.body.data.id} beside ${lost.body.data.id}`);
});

test("what is entered again after a loss becomes no second order: it is linked with the one of before", async () => {
  const file = path.join(dataDir, "before.backup");
  await json(["backup", file]);
  const lost = { number: "LOST", total: "10.00", currency: "RON" };
  assert.equal((await api("POST", invoices, lost)).status, 201);
  await poll("its order", async () => (await ordersOf("LOST")).length > 0);
  const target = await createEmptyDatabase();
  const environment = { ...source.environment, DATABASE_URL: target.url };
  await run(["restore", file], { environment });
  await run(["resume", "--after-loss"], { environment });
  const server = await serve(environment);
  const entered = await requester(server.url, source.tokens[0] ?? "")("POST", invoices, lost);
  assert.equal(entered.status, 201);
  const again = async () => (await statesOf(target.client)).find(({ number }) => number === "LOST");
  await poll("its being sent", async () => (await again())?.state === "sent");
  assert.deepEqual(await ordersOf("LOST"), [Number((await again())?.orderId)]);
});

test("a copy under another slug is linked with the orders that the tenant made meanwhile", async () => {
  const file = path.join(dataDir, "acme.tenant");
  const { body } = await api("POST", invoices, { number: "MEANWHILE", total: "10.00", status: "draft" });
  await json(["tenant", "backup", "acme", file]);
  assert.equal((await api("PUT", `/api/v1/invoices/${body.data.id}`, { status: "issued" })).status, 200);
  await poll("its order", async () => (await ordersOf("MEANWHILE")).length > 0);
  await json(["tenant", "restore", file, "--as", "copy"]);
  const key = [
    "key",
    "create",
    "--tenant",
    "copy",
    "--name",
    "Copy",
    "--capabilities",
    "invoices:write,wms-orders:write",
  ];
  const copy = requester(source.url, (await json(key)).token);
  const at = `/api/v1/invoices/${body.data.id}`;
  await copy("PUT", at, { status: "issued" });
  assert.equal((await copy("POST", `${at}/wms-order`)).status, 202);
  await poll("its being sent", async () => (await copy("GET", at)).body.data.wms.state === "sent");
  assert.deepEqual(await ordersOf("MEANWHILE"), [(await copy("GET", at)).body.data.wms.order_id]);
});

test("a move resumes by itself: what waited is sent by the new instance alone", async () => {
  const file = path.join(dataDir, "moved.backup");
  await json(["backup", file]);
  const target = await createEmptyDatabase();
  const environment = { DATABASE_URL: target.url };
  const restored = await run(["restore", "--resume", file], { environment });
  assert.doesNotMatch(restored.stdout, /resume/);
  assert.match((await run(["resume"], { environment })).stderr, /^Calls are not held/);
  const server = await serve({ ...source.environment, ...environment, LIAISON_METRICS_PORT: "0" });
  const [, metrics = ""] = /^Metrics are at (\S+)\.$/m.exec(server.output()) ?? [];
  const areHeld = async () => (await scrape(metrics)).value("liaison_calls_held") === 1;
  assert.equal(await areHeld(), false);
  // As where a database is restored in the place of the one that the server began with.
  assert.equal((await run(["hold"], { environment })).code, 0);
  await poll("the server's hearing that calls are held", areHeld);
  const issued = { number: "WHILE-HELD", total: "10.00", currency: "RON" };
  assert.equal((await requester(server.url, source.tokens[0] ?? "")("POST", invoices, issued)).status, 201);
  await poll("a look at the queue", async () => (await target.client.query("select from lane_news")).rows.length === 0);
  assert.deepEqual(await ordersOf("WHILE-HELD"), []);
  assert.equal((await run(["resume"], { environment })).code, 0);
  await poll("its order", async () => (await ordersOf("WHILE-HELD")).length === 1);
});
