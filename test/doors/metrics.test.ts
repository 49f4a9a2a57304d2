import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetrics } from "../../src/doors/metrics.ts";
import { expose } from "../../src/platform/metrics/metric.ts";
import { openDatabase } from "../../src/platform/postgres/open-database.ts";
import { startServer, type TestServer } from "../harness.ts";
import { parseMetrics, type Scraped } from "../metrics-text.ts";
import { orderOfNothing } from "../orders/wms/order-of-nothing.ts";
import { startStubWarehouse } from "../orders/wms/stub-warehouse.ts";

const inProcess = await startServer();

/** What a server of the test's own process has measured. */
async function measured(server: TestServer): Promise<Scraped> {
  const metrics = createMetrics(server.deps);
  try {
    return parseMetrics(expose([...metrics.ofProcess(), ...(await metrics.ofInstallation())]));
  } finally {
    metrics.stop();
  }
}

test("the jobs of suspended tenants are not overdue: they wait until those are resumed", async () => {
  const { id } = await inProcess.createTenant();
  await inProcess.sql(
    "insert into jobs (tenant_id, kind, subject, lane, run_at) values ($1, 'a', 1, 'a', now() - interval '1 hour')",
    [id],
  );
  assert.ok((await measured(inProcess)).value("liaison_jobs_overdue_seconds") >= 3_600);
  await inProcess.sql("update tenants set suspended_at = now() where id = $1", [id]);
  const { value } = await measured(inProcess);
  assert.deepEqual([value("liaison_jobs"), value("liaison_jobs_overdue_seconds")], [1, 0]);
});

test("jobs behind a closed lane, or one that a worker is at, are not overdue", async () => {
  const { id } = await inProcess.createTenant();
  const overdue = async () => (await measured(inProcess)).value("liaison_jobs_overdue_seconds", { kind: "b" });
  await inProcess.sql(
    `insert into jobs (tenant_id, kind, subject, lane, run_at) values ($1, 'b', 1, 'wms/b', now() - interval '1 hour')`,
    [id],
  );
  await inProcess.sql(
    "insert into lanes (tenant_id, name, closed_until) values ($1, 'wms/b', now() + interval '1 minute')",
    [id],
  );
  assert.equal(await overdue(), 0, "its lane is closed");
  await inProcess.sql("update lanes set closed_until = now() - interval '1 minute' where tenant_id = $1", [id]);
  const since = await overdue();
  assert.ok(since >= 60 && since < 120, `${since} seconds since its lane was open again`);
  await inProcess.sql(
    `insert into jobs (tenant_id, kind, subject, lane, state, lease_until)
    values ($1, 'b', 2, 'wms/b', 'running', now() + interval '1 minute')`,
    [id],
  );
  assert.equal(await overdue(), 0, "another of its lane runs");
  await inProcess.sql("update jobs set lease_until = now() where tenant_id = $1 and subject = 2", [id]);
  assert.ok((await overdue()) >= 60, "the worker of the other is gone");
});

test("a closed lane of a warehouse is reported, and none of a webhook", async () => {
  const { id } = await inProcess.createTenant();
  await inProcess.sql(
    `insert into lanes (tenant_id, name, closed_until) values ($1, 'wms/a', now() + interval '1 minute'),
    ($1, 'wms/b', now() - interval '1 minute'), ($1, 'webhook/1/1', now() + interval '1 minute')`,
    [id],
  );
  assert.equal((await measured(inProcess)).value("liaison_lanes_closed"), 1);
});

test("who waits for a connection, and who got none in time, is counted", async () => {
  const tenant = await inProcess.createTenant();
  const places = inProcess.deps.sharing.places.longReads;
  const { refused } = places.waited;
  let taken = 0;
  while (places.tryAcquire(tenant.id)) taken++;
  const waiting = places.acquire(tenant.id);
  const full = await measured(inProcess);
  const longReads = { places: "longReads" };
  assert.equal(full.value("liaison_places_taken", longReads), taken);
  assert.equal(full.value("liaison_places_waiting", longReads), 1);
  assert.equal(full.value("liaison_places", longReads), places.size);
  places.release(tenant.id);
  await waiting;
  const { value } = await measured(inProcess);
  assert.equal(value("liaison_places_waiting", longReads), 0);
  assert.equal(value("liaison_place_waits_total", longReads), 1);
  assert.ok(value("liaison_place_wait_seconds_total", longReads) > 0);
  assert.equal(value("liaison_places_refused_total", longReads), refused);
});

test("orders that are delivered are counted by how that ended, and so are the calls", async () => {
  const warehouse = await startStubWarehouse();
  const server = await startServer({
    LIAISON_WMS_URL: warehouse.template,
    LIAISON_WMS_PRIVATE_NETWORKS: "127.0.0.1",
  });
  const before = await measured(server);
  const access = { subdomain: "marker-wms", key: "marker-secret" };
  warehouse.answerWith({ status: 201, body: { data: { order_id: 1 } } });
  await server.deps.warehouse?.createOrder(access, orderOfNothing);
  warehouse.answerWith({ status: 422, body: { error: "marker-message" } });
  await server.deps.warehouse?.createOrder(access, orderOfNothing);
  warehouse.close();
  const { value, text } = await measured(server);
  const grown = (name: string, labels: Record<string, string>) => value(name, labels) - before.value(name, labels);
  for (const outcome of ["created", "refused"]) {
    assert.equal(grown("liaison_deliveries_total", { to: "warehouse", outcome }), 1, outcome);
  }
  assert.equal(grown("liaison_calls_total", { to: "warehouse", outcome: "answered" }), 2);
  assert.ok(grown("liaison_call_seconds_total", { to: "warehouse" }) > 0);
  assert.equal(text.includes("marker"), false);
});

test("where the database is away the metrics say so, and nothing of jobs", async () => {
  const gone = { ...inProcess.connection, database: "marker_gone" };
  const { logger, sharing } = inProcess.deps;
  const database = openDatabase({ connection: gone, requests: gone, logger, sharing });
  const metrics = createMetrics({ ...inProcess.deps, database });
  const { value, types } = parseMetrics(expose(await metrics.ofInstallation()));
  assert.deepEqual([value("liaison_database_up"), types.has("liaison_jobs")], [0, false]);
  metrics.stop();
  await database.close();
});
