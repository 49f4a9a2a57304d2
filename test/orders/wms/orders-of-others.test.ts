import assert from "node:assert/strict";
import { after, test } from "node:test";
import pg from "pg";
import { actingAs } from "../../../src/kit/actor.ts";
import { startWorker } from "../../../src/kit/jobs/run-jobs.ts";
import { confirm, everyCandidate } from "../../../src/orders/wms/confirming/reconfirm.ts";
import { jobKinds } from "../../../src/worker.ts";
import { startServer } from "../../harness.ts";
import { poll } from "../../program.ts";
import { startStubWarehouse, type Heard, type StubAnswer } from "./stub-warehouse.ts";
import type { Wms } from "./warehouse.ts";

/** What an ORDER says of another invoice, another invoice's order, and a key that comes back (docs/wms.md 5). */
const KEY = "key-of-warehouse-3f9a";
const warehouse = await startStubWarehouse();
const stop = new AbortController();
const server = await startServer({
  LIAISON_WMS_URL: warehouse.template,
  LIAISON_WMS_PRIVATE_NETWORKS: "127.0.0.1",
  LIAISON_WMS_SETTLE: "1",
  LIAISON_WMS_RETRY_MS: "10",
});
const worker = startWorker(server.deps, jobKinds, { stop: stop.signal, pollMs: 20 });
after(async () => {
  stop.abort();
  await worker.ended;
  warehouse.close();
});
const tenant = await server.createTenant();
let serial = 0;

const cases: { name: string; says: object; error: RegExp | null; isSent: boolean }[] = [
  { name: "nothing", says: {}, error: null, isSent: true },
  { name: "nulls", says: { invoice_reference: null, client_cui: null, total: null }, error: null, isSent: true },
  { name: "blanks", says: { invoice_reference: " ", client_cui: "" }, error: null, isSent: true },
  { name: "our fiscal id in another spelling", says: { client_cui: "ro 77 " }, error: null, isSent: true },
  { name: "our total with other zeros", says: { total: 10 }, error: null, isSent: true },
  {
    name: "another total",
    says: { total: "11.90" },
    error: /^The order's total is 11\.90, the invoice's is 10\.00\.$/,
    isSent: true,
  },
  {
    name: "another number",
    says: { invoice_reference: "R-OLD" },
    error:
      /its order \d+, which belongs to R-OLD \(no fiscal id\), but this is N-\d+ \(RO77\): it was not linked\. Correct .*LIAISON_WMS_SOURCE/,
    isSent: false,
  },
  {
    name: "another fiscal id",
    says: { client_cui: "RO78" },
    error: /its order \d+, which belongs to an invoice \(RO78\), but this is N-\d+ \(RO77\)/,
    isSent: false,
  },
];

for (const { name, says, error, isSent } of cases) {
  for (const [way, status] of [
    ["created", 201],
    ["had", 200],
    ["conflict", 409],
    ["look-up", 500],
  ] as const) {
    test(`an order that says ${name} is ${isSent ? "" : "not "}adopted (${way})`, async () => {
      const orderId = ++serial;
      tellOrder({ order_id: orderId, ...says }, status);
      const id = await invoiceOf(await companyOf());
      await tenant.post(`/api/v1/invoices/${id}/wms-order`);
      const wms = await over(id);
      assert.deepEqual([wms.state, wms.order_id], isSent ? ["sent", orderId] : ["failed", null]);
      if (error === null) assert.equal(wms.error, null);
      else assert.match(wms.error ?? "", error);
      const { status: changed } = await tenant.put(`/api/v1/invoices/${id}`, { total: "1" });
      assert.equal(changed, 422, "it stays as it is");
    });
  }
}

test("a total that differs is said as long as the order is followed", async () => {
  const orderId = ++serial;
  tellOrder({ order_id: orderId, total: "11.90" }, 201);
  const id = await invoiceOf(await companyOf());
  await tenant.post(`/api/v1/invoices/${id}/wms-order`);
  await over(id);
  tellOrder({ order_id: orderId, total: "11.90", status: "packed" }, 201);
  await server.sql("update invoices set wms_poll_at = now() where id = $1", [id]);
  await poll("the news", async () => (await wmsOf(id)).status === "packed");
  assert.match((await wmsOf(id)).error ?? "", /^The order's total/);
});

test("an order that another invoice has is not adopted, and who has it is said", async () => {
  const company = await companyOf();
  tellOrder({ order_id: 900_001 }, 201);
  const [first, second] = [await invoiceOf(company), await invoiceOf(company)];
  await tenant.post(`/api/v1/invoices/${first}/wms-order`);
  assert.equal((await over(first)).state, "sent");
  await tenant.post(`/api/v1/invoices/${second}/wms-order`);
  const wms = await over(second);
  const { number } = (await tenant.get(`/api/v1/invoices/${first}`)).body.data;
  assert.equal(wms.state, "failed");
  assert.match(
    wms.error ?? "",
    new RegExp(`its order 900001, but the invoice ${number} has that order: it was not linked`),
  );
});

test("an order that several invoices are answered with at the same moment becomes one invoice's", async () => {
  const company = await companyOf();
  const ids: number[] = [];
  for (let n = 0; n < 4; n++) ids.push(await invoiceOf(company));
  const { answered, asked } = tellTogether({ order_id: 900_002 }, ids.length);
  for (const id of ids) await tenant.post(`/api/v1/invoices/${id}/wms-order`);
  await asked;
  // Each has looked for who has the order before any of them is written.
  const lock = new pg.Client(server.connection);
  await lock.connect();
  try {
    await lock.query("begin");
    await lock.query("select from invoices where id = any($1) for update", [ids]);
    answered();
    await server.untilWaiting(ids.length);
    await lock.query("commit");
  } finally {
    await lock.end();
  }
  const states = await Promise.all(ids.map(async (id) => (await over(id)).state));
  assert.deepEqual(states.toSorted(), ["failed", "failed", "failed", "sent"]);
});

test("an order is confirmed for one invoice, also where another is sent as it at the same moment", async () => {
  const company = await companyOf();
  tellOrder({ order_id: 900_003, invoice_reference: null }, 201);
  const [linked, sent] = [await invoiceOf(company), await invoiceOf(company)];
  await server.sql("update invoices set wms_order_id = 900003 where id = $1", [linked]);
  const actor = actingAs("command", { id: tenant.id, country: "Romania" });
  const found = [];
  for await (const page of everyCandidate(server.deps, tenant.id, new AbortController().signal)) found.push(...page);
  const candidates = found.filter(({ link }) => link.invoiceId === String(linked));
  await tenant.post(`/api/v1/invoices/${sent}/wms-order`);
  assert.equal((await over(sent)).state, "sent");
  assert.deepEqual(await confirm(server.deps, actor, candidates), []);
});

test("links that imports bring may share an order, with each other and with one that was sent", async () => {
  const company = await companyOf();
  tellOrder({ order_id: 900_004 }, 201);
  const [sent, ...others] = [await invoiceOf(company), await invoiceOf(company), await invoiceOf(company)];
  await tenant.post(`/api/v1/invoices/${sent}/wms-order`);
  const { instance } = await over(sent);
  const link = "update invoices set wms_order_id = $2, wms_instance = $3 where id = any($1)";
  await server.sql(link, [others, 900_004, instance]);
  await server.sql(link, [[sent], 900_005, instance]);
  await server.sql(link, [others, 900_005, instance]);
  assert.equal((await wmsOf(sent)).order_id, 900_005);
});

test("the key stands in nothing that a warehouse answers", async () => {
  const members = ["order_number", "status", "invoice_reference", "client_cui", "total"];
  for (const name of members) {
    tellOrder({ order_id: ++serial, [name]: `it is ${KEY}!` }, 201);
    const id = await invoiceOf(await companyOf());
    await tenant.post(`/api/v1/invoices/${id}/wms-order`);
    const wms = await over(id);
    assert.ok(JSON.stringify(wms).includes("it is [key]!"), JSON.stringify(wms));
  }
  const rows = await server.sql(
    "select string_agg(i::text, ' ') as text from invoices i union all select string_agg(c::text, ' ') from changes c",
  );
  assert.ok(rows.every(({ text }) => !String(text).includes(KEY)));
});

/** Has the warehouse answer every POST and look-up with an order; 500: of POST the outcome is unknown. */
function tellOrder(order: object, status: number): void {
  warehouse.answerWith(({ method }: Heard): StubAnswer => {
    const own = { status: "new", order_number: null, ...order };
    if (method === "GET") return { status: 200, body: { data: [own] } };
    return status === 500 ? { status } : { status, body: { data: own } };
  });
}

/**
 * Has the warehouse answer POSTs with an order, all together once this number have come (`asked`) and the test releases
 * it (`answered`).
 */
function tellTogether(order: object, count: number): { asked: Promise<void>; answered: () => void } {
  const all = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  let posts = 0;
  warehouse.answerWith(async () => {
    if (++posts === count) all.resolve();
    await held.promise;
    return { status: 201, body: { data: order } };
  });
  return { asked: all.promise, answered: held.resolve };
}

/** The company, which is connected. */
async function companyOf(): Promise<string> {
  const { body } = await tenant.post("/api/v1/companies", { name: "Firm", tax_id: "RO77" });
  // 409: it is there.
  const { id } = body.data;
  const key = server.deps.keyring.encrypt(tenant.id, "companies.wms_api_key", KEY);
  await server.sql("update companies set wms_subdomain = 'north', wms_api_key = $2 where id = $1", [id, key]);
  return String(id);
}

async function invoiceOf(company: string): Promise<number> {
  const invoice = { number: `N-${++serial}`, total: "10.00" };
  return (await tenant.post(`/api/v1/companies/${company}/invoices`, invoice)).body.data.id;
}

async function over(id: number): Promise<Wms> {
  await poll("the end of its sending", async () => ["sent", "failed"].includes((await wmsOf(id)).state));
  return await wmsOf(id);
}

async function wmsOf(id: number): Promise<Wms> {
  return (await tenant.get(`/api/v1/invoices/${id}`)).body.data.wms;
}
