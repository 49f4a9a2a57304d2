import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { administer } from "../wms/instance-calls.ts";
import { startWithWarehouse } from "../wms/warehouse.ts";

const server = await startWithWarehouse();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant);
const admin = await signedIn(server, tenant, { name: "Ion Rus", role: "admin" });
const romanian = { "accept-language": "ro" };
let numbers = 0;

async function invoiceOf(company: string, fields: object = {}): Promise<{ id: number; number: string }> {
  const invoice = { number: `INV-${++numbers}`, total: "1234.50", currency: "RON", ...fields };
  return (await tenant.post(`/api/v1/companies/${company}/invoices`, invoice)).body.data;
}

const isSent = ({ state }: { state: string }) => state === "sent";

test("an invoice shows its lines and amounts, in the page's language", async () => {
  const company = await server.connect(tenant, "show");
  const lines = [{ sku: "P-80", description: "Palet <b>80</b>", quantity: "50", unit_price: "25.015" }];
  const { id, number } = await invoiceOf(company, { lines, issued_on: "2026-11-20" });
  const english = (await member.get(`/invoices/${id}`)).text;
  for (const part of [
    number,
    "1,234.50 RON",
    "20 Nov 2026",
    "25.015",
    "Palet &lt;b&gt;80&lt;/b&gt;",
    "P-80",
    "Not sent",
  ]) {
    assert.ok(english.includes(part), part);
  }
  const other = (await member.get(`/invoices/${id}`, romanian)).text;
  for (const part of ["1.234,50 RON", "20 nov. 2026", "25,015", "Netrimisă"]) assert.ok(other.includes(part), part);
});

test("the list narrows by number and status, and sends what is selected and can be sent", async () => {
  const company = await server.connect(tenant, "list");
  const first = await invoiceOf(company);
  const second = await invoiceOf(company);
  const draft = await invoiceOf(company, { status: "draft" });
  const path = `/companies/${company}/invoices`;
  assert.match((await member.get(`${path}?status=draft`)).text, new RegExp(`/invoices/${draft.id}"`));
  assert.doesNotMatch((await member.get(`${path}?status=draft`)).text, new RegExp(`/invoices/${first.id}"`));
  assert.match((await member.get(`${path}?search=${first.number.toLowerCase()}`)).text, /<mark>/);
  const elsewhere = await invoiceOf(await server.connect(tenant, "elsewhere"));
  const chosen = [first, second, draft, elsewhere].map(({ id }) => String(id));
  const sent = await member.post("/orders/send", { id: [...chosen, "999999", "x"], to: path, anyway: "1" });
  assert.equal(sent.location, path);
  assert.match((await member.get(path)).text, /Sending 3 invoices to the warehouse\. 2 invoices could not be sent\./);
  for (const { id } of [first, second, elsewhere]) await server.until(tenant, id, isSent);
  assert.equal((await server.orders("list")).length, 2);
});

test("one invoice is sent by its button, once, and its page shows the order", async () => {
  const company = await server.connect(tenant, "button");
  const { id } = await invoiceOf(company);
  await Promise.all([member.post(`/invoices/${id}/send`), member.post(`/invoices/${id}/send`)]);
  const { order_number: order } = await server.until(tenant, id, isSent);
  const { text } = await member.get(`/invoices/${id}`);
  assert.ok(order !== null && text.includes(order));
  assert.match(text, /button\.localhost/);
  assert.doesNotMatch(text, /invoices\/\d+\/send/);
  // The warehouse got the company's name, which is no person at the place.
  assert.match(text, /Deliver to/);
  assert.doesNotMatch(text, /Ask for/);
  assert.equal((await server.orders("button")).length, 1);
});

test("the tab of needs shows what failed and why, and its button tries all again", async () => {
  const company = await server.connect(tenant, "queue");
  const { id, number } = await invoiceOf(company);
  await administer(server.simulator, "PUT", "/faults?instance=queue", { "422": 1 });
  await member.post(`/invoices/${id}/send`);
  await server.until(tenant, id, ({ state }) => state === "failed");
  const path = "/orders?state=attention";
  const { text } = await member.get(path);
  assert.ok(text.includes(number));
  assert.ok(text.includes("The warehouse does not want this order."));
  assert.match(text, /action="\/orders\/redrive"/);
  await administer(server.simulator, "PUT", "/faults?instance=queue", {});
  assert.equal((await member.post("/orders/redrive", { to: path })).location, path);
  await server.until(tenant, id, isSent);
  const after = (await member.get(path)).text;
  assert.ok(!after.includes(number));
  assert.doesNotMatch(after, /orders\/redrive/);
});

test("a paused warehouse, and no other, is called before the end of its pause when a person of the workspace says so", async () => {
  const company = await server.connect(tenant, "paused");
  await server.sql(
    `insert into lanes (tenant_id, name, failures, closed_until)
    select $1, name, 5, now() + interval '1 hour' from unnest('{wms/paused,wms/beyond}'::text[]) name`,
    [tenant.id],
  );
  const { id } = await invoiceOf(company);
  await member.post(`/invoices/${id}/send`);
  const strip = async () => /<ul class="lanes"[^]*?<\/ul>/.exec((await member.get("/orders")).text)?.[0] ?? "";
  assert.match(
    await strip(),
    /paused<\/a> <span class="state attention">paused until [^]*name="subdomain" value="paused"/,
  );
  const stranger = await signedIn(server, await server.createTenant());
  await stranger.post("/orders/try", { subdomain: "paused" });
  assert.match((await stranger.get("/orders")).text, /paused is not paused any more\./);
  assert.match(await strip(), /paused until/);
  const { location } = await member.post("/orders/try", { subdomain: "paused", to: "/orders?state=under_way" });
  assert.equal(location, "/orders?state=under_way");
  await server.until(tenant, id, isSent);
  assert.match((await member.get("/orders")).text, /paused is called again now\./);
  assert.equal(await strip(), "");
  await member.post("/orders/try", { subdomain: "paused" });
  assert.match((await member.get("/orders")).text, /paused is not paused any more\./);
  await member.post("/orders/try", { subdomain: "beyond" });
  assert.match((await member.get("/orders")).text, /beyond is called again now\./);
});

test("why an invoice cannot be sent is said in the page's language", async () => {
  const unconnected = (await tenant.post("/api/v1/companies", { name: "Without" })).body.data.id;
  const { id } = await invoiceOf(String(unconnected));
  assert.match((await member.get(`/invoices/${id}`)).text, /The company has no warehouse connection\./);
  assert.match((await member.get(`/invoices/${id}`, romanian)).text, /Firma nu are o conexiune cu un depozit\./);
  await member.post(`/invoices/${id}/send`);
  assert.match((await member.get(`/invoices/${id}`)).text, /No invoice is being sent\. 1 invoice could not be sent\./);
});

test("only what can be sent has a button, and the list says why the others have none", async () => {
  const company = await server.connect(tenant, "ticks");
  const draft = await invoiceOf(company, { status: "draft" });
  const path = `/companies/${company}/invoices`;
  const issued = await invoiceOf(company);
  const { text } = await member.get(path);
  assert.match(text, new RegExp(`formaction="/invoices/${issued.id}/send"`));
  assert.doesNotMatch(text, new RegExp(`formaction="/invoices/${draft.id}/send"`));
  await admin.post(`/companies/${company}/warehouse/remove`);
  const without = (await member.get(path)).text;
  assert.doesNotMatch(without, /invoices\/\d+\/send"/);
  assert.match(
    without,
    new RegExp(`<a class="inline" href="/companies/${company}/warehouse"><span class="state neutral">No warehouse<`),
  );
});
