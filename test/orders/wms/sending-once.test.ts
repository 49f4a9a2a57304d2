import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fault } from "../../../wms-simulator/faults.ts";
import { poll } from "../../program.ts";
import { administer } from "./instance-calls.ts";
import { startWithWarehouse } from "./warehouse.ts";

const server = await startWithWarehouse();
const tenant = await server.createTenant();
let numbers = 0;
let instances = 0;

const isSent = ({ state }: { state: string }) => state === "sent";
const isOver = ({ state }: { state: string }) => state === "sent" || state === "failed";

async function invoiceOf(company: string, fields: object = {}): Promise<number> {
  const invoice = { number: `INV-${++numbers}`, total: "12.50", currency: "RON", ...fields };
  const { body, status } = await tenant.post(`/api/v1/companies/${company}/invoices`, invoice);
  assert.equal(status, 201, JSON.stringify(body));
  return body.data.id;
}

const freshInstance = () => `w${++instances}`;

test("an invoice becomes one order, with everything that the warehouse needs", async () => {
  const instance = freshInstance();
  const company = await server.connect(tenant, instance);
  const phone = "+40 264 555 020";
  await tenant.post(`/api/v1/companies/${company}/addresses`, {
    type: "delivery",
    address: "Strada Depozitelor 4",
    city: "Turda",
    contact_name: "Radu Ilie",
    phone,
    is_default: true,
  });
  const lines = [{ sku: "A", description: "Pallet", quantity: "2", unit_price: "6.25" }];
  const id = await invoiceOf(company, { lines, issued_on: "2026-11-20" });
  const queued = await tenant.post(`/api/v1/invoices/${id}/wms-order`);
  assert.deepEqual([queued.status, queued.body.data.wms.state, queued.body.data.lines.length], [202, "queued", 1]);
  const wms = await server.until(tenant, id, isSent);
  const [order, ...others] = await server.orders(instance);
  assert.deepEqual(others, []);
  assert.deepEqual(
    [wms.instance, wms.order_id, wms.status, wms.error],
    [`${instance}.localhost`, order?.order_id, "new", null],
  );
  assert.ok(wms.synced_at);
  const { delivery, ...sent } = { ...order?.sent };
  assert.deepEqual(delivery, {
    name: "Radu Ilie",
    address: "Strada Depozitelor 4",
    city: "Turda",
    county: null,
    country: "Romania",
    postal_code: null,
    phone,
    notes: null,
  });
  assert.deepEqual(sent, {
    external_order_id: String(id),
    external_source: `liaison/${tenant.slug}`,
    invoice_reference: `INV-${numbers}`,
    client_cui: (await tenant.get(`/api/v1/companies/${company}`)).body.data.tax_id,
    client_name: `Firm ${instance}`,
    issued_on: "2026-11-20",
    currency: "RON",
    total: "12.50",
    lines: [{ position: 1, sku: "A", description: "Pallet", quantity: "2", unit_price: "6.25" }],
  });
  const again = await tenant.post(`/api/v1/invoices/${id}/wms-order`);
  assert.deepEqual([again.status, again.body.data.wms.state], [200, "sent"]);
  const links = await tenant.get(`/api/v1/companies/${company}/wms-orders`);
  assert.deepEqual(links.body.data[0].wms.order_id, order?.order_id);
});

test("an invoice that cannot be sent says why, and is not queued", async () => {
  const company = await server.connect(tenant, freshInstance());
  const unconnected = (await tenant.post("/api/v1/companies", { name: "Without" })).body.data.id;
  for (const [id, why] of [
    [await invoiceOf(company, { status: "draft" }), "The invoice is a draft."],
    [await invoiceOf(company, { status: "cancelled" }), "The invoice is cancelled."],
    [await invoiceOf(unconnected), "The company has no warehouse connection."],
  ] as const) {
    const { status, body } = await tenant.post(`/api/v1/invoices/${id}/wms-order`);
    assert.deepEqual([status, body], [422, { error: "Cannot send the invoice to the warehouse.", details: why }]);
    assert.equal((await tenant.get(`/api/v1/invoices/${id}`)).body.data.wms.state, "not_sent");
  }
});

/** The faults of a warehouse that makes two orders of two POSTs, and how the invoice ends. */
const faults: Partial<Record<Fault, "sent" | "failed">> = {
  down: "sent",
  hang: "sent",
  "cut-before": "sent",
  "500-before": "sent",
  "429": "sent",
  "403": "sent",
  redirect: "sent",
  late: "sent",
  "cut-after": "sent",
  "500-after": "sent",
  slow: "sent",
  "wrong-pair": "sent",
  "invalid-id": "sent",
  "broken-json": "sent",
  oversized: "sent",
  "cut-half": "sent",
  "422": "failed",
};

for (const [fault, state] of Object.entries(faults)) {
  test(`${fault}: one order at most, once the warehouse is well again`, async () => {
    const instance = freshInstance();
    const company = await server.connect(tenant, instance);
    const id = await invoiceOf(company);
    const ofInstance = async (switched: object) =>
      await administer(server.simulator, "PUT", `/faults?instance=${instance}`, switched);
    await ofInstance({ [fault]: 1, duplicates: 1 });
    const strikes = async () =>
      ((await administer(server.simulator, "GET", "/faults")) as { struck: Record<string, number> }).struck[fault] ?? 0;
    const before = await strikes();
    await tenant.post(`/api/v1/invoices/${id}/wms-order`);
    await poll("a request to the warehouse", async () => (await strikes()) > before);
    await ofInstance({ duplicates: 1 });
    const wms = await server.until(tenant, id, isOver);
    assert.equal(wms.state, state, String(wms.error));
    const orders = await server.orders(instance);
    assert.deepEqual(
      orders.map(({ order_id }) => order_id),
      state === "sent" ? [wms.order_id] : [],
    );
  });
}

test("a refused key fails the invoice, which is queued again when a person asks for it", async () => {
  const instance = freshInstance();
  const company = await server.connect(tenant, instance);
  const id = await invoiceOf(company);
  await administer(server.simulator, "PUT", "/keys", ["another"]);
  await tenant.post(`/api/v1/invoices/${id}/wms-order`);
  const failed = await server.until(tenant, id, isOver);
  assert.deepEqual([failed.state, failed.error], ["failed", "The warehouse refused the credentials."]);
  await administer(server.simulator, "PUT", "/keys", null);
  assert.equal((await tenant.post(`/api/v1/invoices/${id}/wms-order`)).status, 202);
  await server.until(tenant, id, isSent);
});

test("several orders of one invoice are for a person to sort out", async () => {
  const instance = freshInstance();
  const company = await server.connect(tenant, instance);
  const id = await invoiceOf(company);
  const pair = { external_source: `liaison/${tenant.slug}`, external_order_id: String(id) };
  await administer(server.simulator, "POST", `/orders/${instance}`, pair);
  await administer(server.simulator, "POST", `/orders/${instance}`, pair);
  await server.sql("update invoices set wms_open_since = now() - interval '1 hour' where id = $1", [id]);
  await server.sql("update invoices set wms_state = 'unknown' where id = $1", [id]);
  await server.sql("insert into jobs (tenant_id, kind, subject, lane) values ($1, 'send-invoice', $2, $3)", [
    tenant.id,
    id,
    `wms/${instance}`,
  ]);
  const wms = await server.until(tenant, id, isOver);
  const ids = (await server.orders(instance)).map(({ order_id }) => order_id);
  assert.deepEqual(
    [wms.state, wms.error],
    ["failed", `The warehouse has several orders of this invoice: ${ids.join(", ")}.`],
  );
});

test("an open attempt is not followed to another warehouse", async () => {
  const [before, after] = [freshInstance(), freshInstance()];
  const company = await server.connect(tenant, before);
  const id = await invoiceOf(company);
  await administer(server.simulator, "PUT", `/faults?instance=${before}`, { "cut-after": 1 });
  await tenant.post(`/api/v1/invoices/${id}/wms-order`);
  await server.until(tenant, id, ({ state }) => state === "unknown");
  await server.sql("update companies set wms_subdomain = $2 where id = $1", [company, after]);
  const wms = await server.until(tenant, id, isOver);
  assert.equal(wms.state, "failed");
  assert.match(wms.error ?? "", new RegExp(`^An order may exist at ${before}\\.localhost`));
  assert.deepEqual(await server.orders(after), []);
  await administer(server.simulator, "PUT", `/faults?instance=${before}`, { duplicates: 1 });
  await server.sql("update companies set wms_subdomain = $2 where id = $1", [company, before]);
  await tenant.post(`/api/v1/invoices/${id}/wms-order`);
  await server.until(tenant, id, isSent);
  assert.equal((await server.orders(before)).length, 1);
});

test("with sending switched on, invoices that can be sent are sent, and nothing else", async () => {
  const instance = freshInstance();
  const company = await server.connect(tenant, instance);
  const earlier = await invoiceOf(company);
  await server.sql("update companies set wms_send_automatically = true where id = $1", [company]);
  const draft = await invoiceOf(company, { status: "draft" });
  const issued = await invoiceOf(company);
  await server.until(tenant, issued, isSent);
  await tenant.put(`/api/v1/invoices/${earlier}`, { due_on: "2026-12-31" });
  await tenant.put(`/api/v1/invoices/${draft}`, { status: "issued" });
  await server.until(tenant, draft, isSent);
  assert.equal((await tenant.get(`/api/v1/invoices/${earlier}`)).body.data.wms.state, "not_sent");
  assert.equal((await server.orders(instance)).length, 2);
});

test("a hundred requests for one invoice make one order", async () => {
  const instance = freshInstance();
  const company = await server.connect(tenant, instance);
  const id = await invoiceOf(company);
  const answers = await Promise.all(
    Array.from({ length: 100 }, async () => await tenant.post(`/api/v1/invoices/${id}/wms-order`)),
  );
  assert.equal(answers.filter(({ status }) => status === 202).length, 1);
  assert.equal(answers.filter(({ status }) => status === 200).length, 99);
  await server.until(tenant, id, isSent);
  assert.equal((await server.orders(instance)).length, 1);
});

test("neither the key nor the body nor a person is in an error", async () => {
  const rows = await server.sql("select wms_error from invoices where wms_error is not null");
  assert.ok(rows.length > 0);
  for (const { wms_error } of rows) assert.doesNotMatch(String(wms_error), /key-of-warehouse|Radu|555/);
});

test("an order that names the company before a merge, or before its undo, is still its invoice's", async () => {
  const instance = freshInstance();
  const [kept, other] = [await server.connect(tenant, instance), await server.connect(tenant, instance)];
  const invoices = [await invoiceOf(other), await invoiceOf(other)];
  const company = async (id: number) => (await tenant.get(`/api/v1/invoices/${id}`)).body.data.company_id;
  const sendDuring = async (id: number, change: () => Promise<{ status: number; text: string }>) => {
    await server.faults({ "cut-after": 1 });
    await tenant.post(`/api/v1/invoices/${id}/wms-order`);
    await poll("its order", async () =>
      (await server.orders(instance)).some((order) => order.external_order_id === String(id)),
    );
    const { status, text } = await change();
    assert.equal(status, 200, text);
    await server.faults({});
    assert.equal((await server.until(tenant, id, isOver)).error, null);
  };
  let merge = 0;
  const [first = 0, second = 0] = invoices;
  await sendDuring(first, async () => {
    const merged = await tenant.post(`/api/v1/companies/${kept}/merge`, { from: Number(other) });
    merge = merged.body.meta?.merge_id;
    return merged;
  });
  assert.equal(await company(second), Number(kept));
  await sendDuring(second, async () => await tenant.post(`/api/v1/merges/${merge}/undo`));
  assert.equal(await company(second), Number(other));
  assert.equal((await server.orders(instance)).length, invoices.length);
});
