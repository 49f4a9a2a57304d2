import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { startServer } from "../../harness.ts";
import { signedIn } from "../pages/visitor.ts";
import { connect, connectAsking } from "./clients.ts";
import { makeResources } from "./every-tool.ts";

/** A person confirms what the card or the preview said: all of it, and nothing else. */
const server = await startServer();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant);
const admin = await signedIn(server, tenant, { role: "admin" });
const { token } = await tenant.createKey({ name: "Claude", confirmsOnPage: true });
const assistant = await connect(server.url, token);

/** A call of the assistant that waits, with its sentence on the page, and its end. */
async function waiting(tool: string, given: object) {
  const once = { request_id: randomUUID(), ...given };
  const call = async () => (await assistant.call(tool, once)).data;
  const data = await call();
  assert.equal(data.needs_confirmation, true, JSON.stringify(data));
  const [, request] = data.confirm_at.split("#request-");
  const effect = async (language = "en") => {
    const { text } = await member.get("/agents/pending", { "accept-language": language });
    return new RegExp(`id="request-${request}"><header><h2>(.*?)</h2>`).exec(text)?.[1];
  };
  const confirm = async () => {
    assert.equal((await member.post(`/agents/pending/${request}/confirm`)).status, 303);
    return await call();
  };
  return { preview: data.preview, effect, confirm };
}

/** A company with an invoice that has a number of its own. */
async function invoiced(fields: object = {}) {
  const { other: company } = await makeResources(tenant);
  const number = `F-${randomUUID().slice(0, 8)}`;
  const given = { number, total: "100.00", currency: "RON", ...fields };
  const { id } = (await tenant.post(`/api/v1/companies/${company}/invoices`, given)).body.data;
  const stored = async () => (await tenant.get(`/api/v1/invoices/${id}`)).body.data;
  const payments = async () =>
    (await tenant.get(`/api/v1/invoices/${id}/payments`)).body.data.map(({ amount }: { amount: string }) => amount);
  return { company, id, number, stored, payments };
}

async function connectWarehouse(company: number, sends: boolean) {
  const connection = {
    wms_subdomain: "north",
    wms_api_key: "key-0123456789",
    ...(sends && { send_automatically: "1" }),
  };
  assert.equal((await admin.post(`/companies/${company}/warehouse`, connection)).status, 303);
}

test("a payment waits on while the order moves, but not once another payment is recorded", async () => {
  const { id, payments } = await invoiced();
  const first = await waiting("record_payment", { invoice: id, amount: "40.00" });
  assert.deepEqual([first.preview.request_id, first.preview.left], [undefined, "100.00"]);
  await server.sql(
    `update invoices set wms_order_id = 77, wms_instance = $2, wms_status = 'picking', updated_at = now()
    where id = $1`,
    [id, server.deps.warehouse?.instanceOf("alfa")],
  );
  const second = await waiting("record_payment", { invoice: id, amount: "40.00" });
  assert.equal((await first.confirm()).payment?.amount, "40.00");
  assert.equal((await second.confirm()).code, "resource_changed");
  assert.deepEqual(await payments(), ["40.00"]);
});

test("an invoice is not sent to another place than the one that was shown", async () => {
  const { id, company, stored } = await invoiced();
  await connectWarehouse(company, false);
  await tenant.put(`/api/v1/companies/${company}`, { address: "Strada Veche 1", city: "Dej" });
  const usual = await connect(server.url, tenant.token);
  const given = { request_id: randomUUID(), id };
  const asked = (await usual.call("send_invoice", given)).data;
  assert.equal(asked.preview.deliver_to.address, "Strada Veche 1");
  const { confirm: confirmOnPage } = await waiting("send_invoice", { id });
  const shop = { type: "delivery", address: "Strada Nouă 2", city: "Turda", is_default: true };
  assert.equal((await tenant.post(`/api/v1/companies/${company}/addresses`, shop)).status, 201);
  const again = (await usual.call("send_invoice", { ...given, confirm: asked.confirm })).data;
  assert.equal(again.preview?.deliver_to.address, "Strada Nouă 2", "it is shown again");
  assert.equal((await confirmOnPage()).code, "resource_changed");
  assert.equal((await stored()).wms.state, "not_sent");
  assert.equal((await usual.call("send_invoice", { ...given, confirm: again.confirm })).data.state, "queued");
});

test("an invoice that is marked as paid is not sent, if the card said nothing of the warehouse", async () => {
  const { id, company, stored } = await invoiced({ status: "draft" });
  const { confirm } = await waiting("upsert_invoice", { id, status: "paid" });
  await connectWarehouse(company, true);
  assert.equal((await confirm()).code, "resource_changed");
  const { status, wms } = await stored();
  assert.deepEqual([status, wms.state], ["draft", "not_sent"]);
});

for (const [what, fields, call, says, inRomanian, outcome] of [
  [
    "another total with the status paid records the rest",
    { status: "paid" },
    { status: "paid", total: "5000.00" },
    "Mark invoice F of Beta Foods as paid (100.00 RON → 5,000.00 RON; paid so far: 100.00 RON)",
    "Marchează ca plătită factura F a firmei Beta Foods (100,00 RON → 5.000,00 RON; încasat până acum: 100,00 RON)",
    { status: "paid", payments: ["100.00", "4900.00"] },
  ],
  [
    "the first total of a paid invoice is recorded as paid",
    { status: "paid", total: null },
    { total: "700.00" },
    "Mark invoice F of Beta Foods as paid (no total → 700.00 RON)",
    "Marchează ca plătită factura F a firmei Beta Foods (fără total → 700,00 RON)",
    { status: "paid", payments: ["700.00"] },
  ],
  [
    "a paid invoice that is issued again loses its payment",
    { status: "paid" },
    { status: "issued" },
    "Mark invoice F of Beta Foods as unpaid, and delete payments of it (100.00 RON; paid so far: 100.00 RON)",
    "Marchează ca neplătită factura F a firmei Beta Foods și șterge încasări ale ei (100,00 RON; încasat până acum: 100,00 RON)",
    { status: "issued", payments: [] },
  ],
  [
    "a draft loses what was paid of it",
    { paid: "40.00" },
    { status: "draft" },
    "Mark invoice F of Beta Foods as unpaid, and delete payments of it (100.00 RON; paid so far: 40.00 RON)",
    "Marchează ca neplătită factura F a firmei Beta Foods și șterge încasări ale ei (100,00 RON; încasat până acum: 40,00 RON)",
    { status: "draft", payments: [] },
  ],
  [
    "another currency makes the payments others",
    { status: "paid" },
    { currency: "EUR" },
    "Change invoice F of Beta Foods (100.00 RON → 100.00 EUR; paid so far: 100.00 RON)",
    "Modifică factura F a firmei Beta Foods (100,00 RON → 100,00 EUR; încasat până acum: 100,00 RON)",
    { status: "paid", payments: ["100.00"] },
  ],
  [
    "a paid invoice is cancelled",
    { status: "paid" },
    { status: "cancelled" },
    "Cancel invoice F of Beta Foods (100.00 RON; paid so far: 100.00 RON)",
    "Anulează factura F a firmei Beta Foods (100,00 RON; încasat până acum: 100,00 RON)",
    { status: "cancelled", payments: ["100.00"] },
  ],
  [
    "the stored number is named, and what it and the sum become",
    {},
    { number: "G", total: "5000.00", currency: "EUR", status: "paid" },
    "Mark invoice F of Beta Foods as paid (new number: G; 100.00 RON → 5,000.00 EUR)",
    "Marchează ca plătită factura F a firmei Beta Foods (număr nou: G; 100,00 RON → 5.000,00 EUR)",
    { status: "paid", payments: ["5000.00"] },
  ],
] as const) {
  test(`money waits for a person, who sees the sum: ${what}`, async () => {
    const { paid, ...own } = { paid: null, ...fields };
    const { id, number, stored, payments } = await invoiced(own);
    if (paid !== null) await tenant.post(`/api/v1/invoices/${id}/payments`, { amount: paid });
    const before = await payments();
    const other = `G-${number}`;
    const given = "number" in call ? { ...call, number: other } : call;
    const { preview, effect, confirm } = await waiting("upsert_invoice", { id, ...given });
    assert.deepEqual(await payments(), before, "nothing moves before");
    const named = (sentence: string) => sentence.replace(/(?<=invoice |factura )F\b/, number).replace(/\bG\b/, other);
    assert.equal(await effect(), named(says));
    assert.equal(await effect("ro"), named(inRomanian));
    assert.equal(preview.number, number);
    const told = await confirm();
    assert.equal(told.outcome, "updated", JSON.stringify(told));
    const { status } = await stored();
    assert.deepEqual({ status, payments: (await payments()).toSorted() }, outcome);
  });
}

test("a new invoice that is paid shows the total that its lines make", async () => {
  const { company } = await invoiced();
  const lines = [{ description: "Pallet", quantity: 2, unit_price: 50, vat_rate: 21 }];
  const given = { company, number: `F-${randomUUID()}`, currency: "RON", lines, status: "paid" };
  const { effect, confirm } = await waiting("upsert_invoice", given);
  assert.equal(await effect(), `Mark invoice ${given.number} of Beta Foods as paid (121.00 RON)`);
  assert.equal((await confirm()).invoice.total, "121.00");
});

test("other changes of a paid invoice wait for nobody, and a client with forms shows the sum too", async () => {
  const { id, number } = await invoiced({ status: "paid" });
  const own = { request_id: randomUUID(), id, due_on: "2027-01-31" };
  assert.equal((await assistant.call("upsert_invoice", own)).data.outcome, "updated");
  const questions: string[] = [];
  const asking = await connectAsking(server.url, token, (question) => questions.push(question) > 0);
  const { data } = await asking.call("upsert_invoice", { request_id: randomUUID(), id, total: "50.00" });
  assert.equal(data.invoice.total, "50.00");
  const [sums, received] = ["100.00 RON → 50.00 RON", "paid so far: 100.00 RON"];
  assert.deepEqual(questions, [`Change invoice ${number} of Beta Foods (${sums}; ${received})?`]);
});

test("a batch whose items do something else by now is not applied, but shown again", async () => {
  const name = `Batched ${randomUUID()}`;
  const items = [{ name, tax_id: `RO${randomUUID().slice(0, 8)}` }];
  const previewed = async (by: typeof assistant) =>
    (await by.call("preview_batch", { kind: "companies", items })).data.preview;
  const usual = await connect(server.url, tenant.token);
  const given = { request_id: randomUUID(), preview: await previewed(usual) };
  const asked = (await usual.call("apply_batch", given)).data;
  assert.deepEqual([asked.preview.counts.created, asked.preview.counts.updated], [1, 0]);
  const { confirm } = await waiting("apply_batch", { preview: await previewed(assistant) });
  const { id } = (await tenant.post("/api/v1/companies", { ...items[0], name: "Theirs" })).body.data;
  const again = (await usual.call("apply_batch", { ...given, confirm: asked.confirm })).data;
  assert.deepEqual([again.preview?.counts.created, again.preview?.counts.updated], [0, 1]);
  assert.equal((await confirm()).code, "resource_changed");
  assert.equal((await tenant.get(`/api/v1/companies/${id}`)).body.data.name, "Theirs");
  assert.equal((await usual.call("apply_batch", { ...given, confirm: again.confirm })).data.counts.updated, 1);
});
