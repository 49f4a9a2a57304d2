import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { make } from "../../doors/api/resources.ts";
import { startServer, type Answer, type TestTenant } from "../../harness.ts";

/** What docs/contract.md 14 promises of invoices, but for what every route and every field have in common. */
const server = await startServer();
const tenant = await server.createTenant();

const line = { sku: "A-1", description: "Pallet", quantity: "2", unit_price: "12.50" };
const NOT_SENT = {
  state: "not_sent",
  instance: null,
  order_id: null,
  order_number: null,
  status: null,
  synced_at: null,
  error: null,
};
const SENT = "Cannot change an invoice that was sent to the warehouse.";

test("a new invoice, one that is shown, and one of a list: with lines, with its company, and without either", async () => {
  const company = (await tenant.post("/api/v1/companies", { name: "Shown" })).body.data.id;
  const sent = { number: "F-1", issued_on: "2026-11-20", due_on: null, total: "12.50", currency: "RON" };
  const created = await tenant.post(`/api/v1/companies/${company}/invoices`, { ...sent, lines: [line] });
  const { id, created_at, updated_at } = created.body.data;
  const own = { ...sent, status: "issued", delivery_address_id: null, wms: NOT_SENT };
  const listed = { id, company_id: company, ...own, created_at, updated_at };
  const whole = { ...listed, lines: [line], delivered_to: null };
  assert.deepEqual([created.status, created.body], [201, { data: whole }]);
  const shown = await tenant.get(`/api/v1/invoices/${id}`);
  assert.deepEqual(shown.body, { data: { ...whole, company: { id: company, name: "Shown" } } });
  const list = await tenant.get(`/api/v1/companies/${company}/invoices`);
  assert.deepEqual([list.body.total, list.body.data], [1, [listed]]);
  assert.equal((await tenant.get("/api/v1/invoices")).body.message, "The route api/v1/invoices could not be found.");
});

test("decimals are their texts, in the invoice and in its lines; another text of the same number is a change", async () => {
  const { path, data } = await create({ total: "12.50", lines: [{ ...line, quantity: "1.000000", unit_price: 12.5 }] });
  assert.deepEqual([data.total, data.lines[0].quantity, data.lines[0].unit_price], ["12.50", "1.000000", "12.5"]);
  const same = await tenant.put(path, {
    total: "12.50",
    lines: [{ ...line, quantity: "1.000000", unit_price: "12.5" }],
  });
  assert.deepEqual(same.body, { data });
  for (const change of [{ total: "12.5" }, { lines: [{ ...line, quantity: "1", unit_price: "12.5" }] }]) {
    const changed = (await tenant.put(path, change)).body.data;
    assert.notEqual(changed.updated_at, data.updated_at);
    assert.partialDeepStrictEqual(changed, change);
  }
});

test("lines that are sent replace all that there were, in their order; absent ones stay", async () => {
  const { path, data } = await create({ lines: [line, { ...line, sku: null }] });
  const kept = await tenant.put(path, { status: "paid" });
  assert.deepEqual(kept.body.data.lines, data.lines);
  const swapped = await tenant.put(path, { lines: data.lines.toReversed() });
  assert.deepEqual(swapped.body.data.lines, data.lines.toReversed());
  assert.notEqual(swapped.body.data.updated_at, kept.body.data.updated_at);
  const position = await tenant.put(path, { lines: [{ ...line, position: 7, id: 3, unknown: 1 }] });
  assert.deepEqual(position.body.data.lines, [line]);
  assert.deepEqual((await tenant.put(path, { lines: [] })).body.data.lines, []);
});

test("a number is unique in the tenant as it was sent, on POST and PUT; the 409 says who has it", async () => {
  const { Company } = await make(tenant, ["Company"]);
  const at = `/api/v1/companies/${Company}/invoices`;
  const taken = (await tenant.post(at, { number: "Taken" })).body.data;
  const refusal = {
    error: "Invoice with this number already exists.",
    data: { id: taken.id, number: "Taken", company_id: Company },
  };
  const { path } = await create({});
  assert.deepEqual((await tenant.put(path, { number: "Taken" })).body, refusal);
  assert.equal((await tenant.post(at, { number: "TAKEN" })).status, 201);
  assert.equal((await tenant.put(`/api/v1/invoices/${taken.id}`, { number: " Taken " })).status, 200);
  const answers = await Promise.all([1, 2, 3, 4].map(async () => await tenant.post(at, { number: "Race" })));
  assert.deepEqual(answers.filter(({ status }) => status === 201).length, 1);
  assert.deepEqual(answers.filter(({ status }) => status === 409).length, 3);
  const invalid = await tenant.post(at, { number: "Taken", total: "x" });
  assert.equal(invalid.status, 422);
  const missing = await tenant.post("/api/v1/companies/999999/invoices", { number: "Taken" });
  assert.equal(missing.status, 404);
  const elsewhere = await server.createTenant();
  const other = (await make(elsewhere, ["Company"])).Company;
  assert.equal((await elsewhere.post(`/api/v1/companies/${other}/invoices`, { number: "Taken" })).status, 201);
});

for (const state of ["queued", "sending", "unknown", "sent", "failed with an open attempt"]) {
  test(`an invoice that is ${state} keeps its number, lines, total and currency, and nothing else`, async () => {
    const { path, data } = await create({ total: "12.50", currency: "RON", lines: [line] });
    await bring(data.id, state);
    for (const change of [{ number: "Z" }, { total: "12.5" }, { total: null }, { currency: "EUR" }, { lines: [] }]) {
      const { status, body } = await tenant.put(path, { status: "paid", ...change });
      assert.deepEqual([status, body], [422, { error: SENT }], JSON.stringify(change));
    }
    const again = await tenant.put(path, { status: "draft" });
    const errors = { status: ["The status cannot be draft, because the invoice is with the warehouse."] };
    assert.deepEqual([again.status, again.body], [422, { error: "Validation failed.", errors }]);
    assert.equal((await tenant.put(path, { total: "x" })).body.error, "Validation failed.");
    const { number, total, currency, lines } = data;
    const same = await tenant.put(path, { number, total, currency, lines, due_on: "2026-12-01", status: "paid" });
    assert.equal(same.status, 200);
    const wms = { state: state.split(" ")[0] };
    assert.partialDeepStrictEqual(same.body.data, { lines, due_on: "2026-12-01", status: "paid", wms });
    const found = await tenant.get(`/api/v1/companies/${data.company_id}/invoices?wms_state=${wms.state}`);
    assert.deepEqual([found.body.total, found.body.data[0]?.id], [1, data.id]);
    if (wms.state === "failed") return;
    await server.sql("delete from jobs");
    const sent = await tenant.post(`${path}/wms-order`);
    assert.deepEqual([sent.status, sent.body], [200, same.body], "it is not queued again");
    assert.deepEqual(await server.sql("select from jobs where kind = 'send-invoice' and subject = $1", [data.id]), []);
  });
}

for (const state of ["not_sent", "failed"]) {
  test(`an invoice that is ${state} may be changed`, async () => {
    const { path, data } = await create({ lines: [line] });
    await bring(data.id, state);
    const { status, body } = await tenant.put(path, { total: "3", lines: [] });
    assert.deepEqual([status, body.data.wms.state], [200, state]);
  });
}

test("a change that waits while the invoice is queued is refused: the row's lock decides", async () => {
  const { path, data } = await create({ total: "1" });
  const sender = new pg.Client(server.connection);
  await sender.connect();
  try {
    await sender.query("begin");
    await sender.query("update invoices set wms_state = 'queued' where tenant_id = $1 and id = $2", [
      tenant.id,
      data.id,
    ]);
    const change = tenant.put(path, { total: "2" });
    await server.untilWaiting(1);
    await sender.query("commit");
    assert.deepEqual([(await change).status, (await tenant.get(path)).body.data.total], [422, "1"]);
  } finally {
    await sender.end();
  }
});

test("an invoice with an order is sent, through every door; one that loses it is not sent, or unknown", async () => {
  const { path, data } = await create({});
  const wmsAfter = async (assignments: string) => {
    await server.sql(`update invoices set ${assignments} where tenant_id = $1 and id = $2`, [tenant.id, data.id]);
    return (await tenant.get(path)).body.data.wms;
  };
  await wmsAfter("wms_state = 'failed', wms_error = 'No such client.'");
  const order =
    "wms_instance = 'a.example', wms_order_id = 9007199254740991, wms_order_number = 'W', wms_status = 'new'";
  assert.deepEqual(await wmsAfter(`${order}, wms_synced_at = '2026-11-20T09:15:00.123456Z'`), {
    state: "sent",
    instance: "a.example",
    order_id: 9_007_199_254_740_991,
    order_number: "W",
    status: "new",
    synced_at: "2026-11-20T09:15:00.123456Z",
    error: null,
  });
  assert.equal((await wmsAfter("wms_order_id = null")).state, "not_sent");
  assert.equal((await wmsAfter("wms_order_id = 1, wms_attempt = 1")).state, "sent");
  assert.equal((await wmsAfter("wms_order_id = null")).state, "unknown");
});

test("the list: newest first, those without a date last, then the newest id; by status and by part of a number", async () => {
  const own = await server.createTenant();
  const { Company } = await make(own, ["Company"]);
  const at = `/api/v1/companies/${Company}/invoices`;
  const rows: [string, string | null, string][] = [
    ["A-1", null, "draft"],
    ["A-2", "2026-01-02", "paid"],
    ["a-3", "2026-03-01", "issued"],
    ["Bș%4", "2026-01-02", "paid"],
    ["B_5", null, "issued"],
  ];
  for (const [number, issued_on, status] of rows) await own.post(at, { number, issued_on, status, lines: [line] });
  const listed: [string, string[]][] = [
    ["", ["a-3", "Bș%4", "A-2", "B_5", "A-1"]],
    ["?status=paid", ["Bș%4", "A-2"]],
    ["?search=a-", ["a-3", "A-2", "A-1"]],
    ["?search=BS", ["Bș%4"]],
    ["?search=%25", ["Bș%4"]],
    ["?search=_", ["B_5"]],
    ["?search=a&status=issued", ["a-3"]],
    ["?search=nothing", []],
    ["?status=sent", []],
    [`?search=${"x".repeat(256)}`, []],
  ];
  for (const [query, numbers] of listed) {
    const { status, body } = await own.get(`${at}${query}`);
    assert.deepEqual([status, body.data.map(({ number }: { number: string }) => number)], [200, numbers], query);
    assert.equal(body.total, numbers.length, query);
  }
  const second = await own.get(`${at}?per_page=2&page=2`);
  assert.deepEqual([second.body.total, second.body.data.length, second.body.data[0].number], [5, 2, "A-2"]);
  for (const query of ["", "?status=sent", "?search=a"]) {
    assert.equal((await own.get(`/api/v1/companies/999999/invoices${query}`)).status, 404);
  }
});

test("an invoice blocks its company's deletion; a deleted company's is missing, whatever is asked of it", async () => {
  const { path, data } = await create({});
  assert.equal((await tenant.delete(`/api/v1/companies/${data.company_id}`)).status, 422);
  await server.sql("update companies set deleted_at = now() where id = $1", [data.company_id]);
  const missing = { message: `No query results for model [Invoice] ${data.id}` };
  const answers = [
    await tenant.get(path),
    await tenant.put(path, { total: "1" }),
    await tenant.put(path, { total: "x" }),
    await tenant.get(`${path}/history`),
  ];
  for (const { status, body } of answers) assert.deepEqual([status, body], [404, missing]);
  const company = `/api/v1/companies/${data.company_id}/invoices`;
  for (const { status } of [await tenant.get(company), await tenant.post(company, { number: "New" })]) {
    assert.equal(status, 404);
  }
});

async function create(body: object, of: TestTenant = tenant): Promise<{ path: string; data: Answer["body"] }> {
  const { Company } = await make(of, ["Company"]);
  const sent = { number: `Of ${Company}`, ...body };
  const { status, body: answer, text } = await of.post(`/api/v1/companies/${Company}/invoices`, sent);
  assert.equal(status, 201, text);
  return { path: `/api/v1/invoices/${answer.data.id}`, data: answer.data };
}

async function bring(id: number, state: string): Promise<void> {
  const [name, open] = state.split(" with an ");
  const order = name === "sent" ? ", wms_order_id = 1" : "";
  const since = open === undefined ? "null" : "now()";
  await server.sql(
    `update invoices set wms_state = $3, wms_open_since = ${since}${order} where tenant_id = $1 and id = $2`,
    [tenant.id, id, name],
  );
}
