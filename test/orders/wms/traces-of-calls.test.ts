import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startWorker } from "../../../src/kit/jobs/run-jobs.ts";
import { jobKinds } from "../../../src/worker.ts";
import { startServer, type Answer } from "../../harness.ts";
import { poll } from "../../program.ts";
import { startStubWarehouse } from "./stub-warehouse.ts";

const warehouse = await startStubWarehouse();
const stop = new AbortController();
const server = await startServer({
  LIAISON_WMS_URL: warehouse.template,
  LIAISON_WMS_PRIVATE_NETWORKS: "127.0.0.1",
  LIAISON_WMS_RETRY_MS: "10",
});
const { ended } = startWorker(server.deps, jobKinds, { stop: stop.signal, pollMs: 50 });
after(async () => {
  stop.abort();
  warehouse.close();
  await ended;
});
const tenant = await server.createTenant();
const company = String((await tenant.post("/api/v1/companies", { name: "A" })).body.data.id);
const key = server.deps.keyring.encrypt(tenant.id, "companies.wms_api_key", "key-of-warehouse");
await server.sql("update companies set wms_subdomain = 'north', wms_api_key = $2 where id = $1", [company, key]);

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const OTHER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/** Queues a new invoice, and returns the traces of the calls until its warehouse has taken it. */
async function tracesOf(number: string, headers: Record<string, string>): Promise<(string | undefined)[]> {
  warehouse.heard.splice(0);
  const created = await tenant.post(`/api/v1/companies/${company}/invoices`, { number });
  const { id } = created.body.data;
  let refusals = 1;
  warehouse.answerWith(() => {
    if (refusals-- > 0) return { status: 429, headers: { "retry-after": "0" } };
    return { status: 201, body: { data: { order_id: Number(id) } } };
  });
  const queued = await tenant.post(`/api/v1/invoices/${id}/wms-order`, undefined, { headers });
  assert.equal(queued.status, 202, queued.text);
  await poll("the order", async () => (await tenant.get(`/api/v1/invoices/${id}`)).body.data.wms.state === "sent");
  return warehouse.heard.map((heard) => heard.headers.traceparent as string | undefined);
}

test("the calls of a warehouse are a part of the trace of the request that queued the invoice, each under an id of its own", async () => {
  const sent = `00-${TRACE}-b7ad6b7169203331-01`;
  const traces = await tracesOf("F1", { traceparent: sent });
  assert.equal(traces.length, 2);
  for (const trace of traces) assert.match(trace ?? "", new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
  assert.equal(new Set([sent, ...traces]).size, 3);
});

test("where a company sends by itself, its warehouse's calls are a part of the trace of the request that created the invoice, or issued it", async () => {
  await server.sql("update companies set wms_send_automatically = true where id = $1", [company]);
  const sentBy = async (write: () => Promise<Answer>) => {
    warehouse.heard.splice(0);
    warehouse.answerWith(({ body }) => {
      const { external_order_id: id } = JSON.parse(body) as { external_order_id: string };
      return { status: 201, body: { data: { order_id: Number(id) } } };
    });
    const { id } = (await write()).body.data;
    await poll("the order", async () => (await tenant.get(`/api/v1/invoices/${id}`)).body.data.wms.state === "sent");
    return warehouse.heard.map((heard) => String(heard.headers.traceparent).split("-")[1]);
  };
  const headers = { traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
  const invoices = `/api/v1/companies/${company}/invoices`;
  assert.deepEqual(await sentBy(async () => await tenant.post(invoices, { number: "A1" }, { headers })), [TRACE]);
  const draft = await tenant.post(invoices, { number: "A2", status: "draft" }, { headers: { traceparent: OTHER } });
  const path = `/api/v1/invoices/${draft.body.data.id}`;
  assert.deepEqual(await sentBy(async () => await tenant.put(path, { status: "issued" }, { headers })), [TRACE]);
  const plain = await tenant.post(invoices, { number: "A3", status: "draft" }, { headers });
  const issue = async () => await tenant.put(`/api/v1/invoices/${plain.body.data.id}`, { status: "issued" });
  assert.deepEqual(await sentBy(issue), [undefined]);
  await server.sql("update companies set wms_send_automatically = false where id = $1", [company]);
});

test("where the request had no trace, or a malformed one, the warehouse's calls have none", async () => {
  assert.deepEqual(await tracesOf("F2", {}), [undefined, undefined]);
  assert.deepEqual(await tracesOf("F3", { traceparent: `00-${TRACE}` }), [undefined, undefined]);
});
