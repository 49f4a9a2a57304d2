import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { administer } from "../wms/instance-calls.ts";
import { startWithWarehouse } from "../wms/warehouse.ts";

const server = await startWithWarehouse();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant);
const PATH = "/warehouse/reconfirm";
const FIRST = 50_001;
let numbers = 0;

type Linked = { id: number; number: string };

/** An invoice that is linked with an order, nobody knows where. */
async function linked(company: string, orderId: number): Promise<Linked> {
  const number = `R-${++numbers}`;
  const { body } = await tenant.post(`/api/v1/companies/${company}/invoices`, { number, total: "1250.00" });
  const parameters = [tenant.id, body.data.id, orderId];
  await server.sql("update invoices set wms_order_id = $3 where tenant_id = $1 and id = $2", parameters);
  return { id: body.data.id, number };
}

async function order(instance: string, members: object): Promise<void> {
  await administer(server.simulator, "POST", `/orders/${instance}`, members);
}

const ours = ({ id }: Linked) => ({ external_source: `liaison/${tenant.slug}`, external_order_id: String(id) });
const instanceOf = async ({ id }: Linked) => (await tenant.get(`/api/v1/invoices/${id}`)).body.data.wms.instance;
const boxes = (text: string) => [...text.matchAll(/name="invoices" value="([^"]+)"/g)].map(([, value]) => value);

test("evidence stands side by side, in the page's language, and what is selected is confirmed", async () => {
  const company = await server.connect(tenant, "sides");
  const [first, second] = [await linked(company, FIRST), await linked(company, FIRST + 1)];
  await order("sides", { invoice_reference: first.number, client_cui: "RO<b>", total: "999.50" });
  await order("sides", ours(second));
  assert.match(
    (await member.get("/orders")).text,
    /href="\/warehouse\/reconfirm">2 orders are waiting to be confirmed/,
  );

  const { text } = await member.get(PATH);
  for (const part of ["Ambiguous", "Exact", "1,250.00", "999.50", "RO&lt;b&gt;", "sides.localhost"]) {
    assert.ok(text.includes(part), part);
  }
  const romanian = (await member.get(PATH, { "accept-language": "ro" })).text;
  for (const part of ["Ambiguu", "1.250,00", "Comenzi de confirmat"]) assert.ok(romanian.includes(part), part);
  assert.deepEqual(boxes(text), [`${first.id}/${FIRST}`, `${second.id}/${FIRST + 1}`]);

  const answer = await member.post(PATH, { invoices: [`${first.id}/${FIRST}`, "999999/1", "x"] });
  assert.equal(answer.location, PATH);
  assert.match((await member.get(PATH)).text, /1 order is confirmed\. 2 orders could not be confirmed/);
  assert.deepEqual([await instanceOf(first), await instanceOf(second)], ["sides.localhost", null]);
  const { data } = (await tenant.get(`/api/v1/invoices/${first.id}/history`)).body;
  const change = data.find(({ changed }: { changed: object }) => "wms_instance" in changed);
  assert.deepEqual([change.by.kind, change.by.id], ["user", member.userId]);
  await member.post(PATH, { grade: "exact" });
});

test("all of a grade are confirmed over every page, and no others; strong includes exact", async () => {
  const company = await server.connect(tenant, "grades");
  await tenant.put(`/api/v1/companies/${company}`, { tax_id: "RO4321" });
  const invoices: Linked[] = [];
  for (let i = 0; i < 22; i++) invoices.push(await linked(company, FIRST + i));
  const [strong, ambiguous, ...exact] = invoices;
  assert.ok(strong && ambiguous);
  await order("grades", { invoice_reference: strong.number, client_cui: "4321", total: "1.00" });
  await order("grades", { invoice_reference: ambiguous.number, client_cui: "9", total: "1250.00" });
  for (const invoice of exact) await order("grades", ours(invoice));

  const first = (await member.get(PATH)).text;
  assert.equal(boxes(first).length, 20);
  const [, next = ""] = /rel="next" href="([^"]+)"/.exec(first) ?? [];
  assert.equal(boxes((await member.get(`${PATH}${next}`)).text).length, 2);

  await member.post(PATH, { grade: "ambiguous" });
  await member.post(PATH, { grade: "exact" });
  assert.match((await member.get(PATH)).text, /20 orders are confirmed\./);
  for (const invoice of exact) assert.equal(await instanceOf(invoice), "grades.localhost");
  assert.deepEqual([await instanceOf(strong), await instanceOf(ambiguous)], [null, null]);
  await member.post(PATH, { grade: "strong" });
  assert.deepEqual([await instanceOf(strong), await instanceOf(ambiguous)], ["grades.localhost", null]);
  await member.post(PATH, { invoices: `${ambiguous.id}/${FIRST + 1}` });
});

test("a link that shows another order by now is not confirmed by what was seen before", async () => {
  const company = await server.connect(tenant, "moved");
  const invoice = await linked(company, FIRST);
  await order("moved", {});
  await order("moved", ours(invoice));
  const [seen = ""] = boxes((await member.get(PATH)).text);
  const parameters = [tenant.id, invoice.id, FIRST + 1];
  await server.sql("update invoices set wms_order_id = $3 where tenant_id = $1 and id = $2", parameters);
  await member.post(PATH, { invoices: seen });
  assert.equal(await instanceOf(invoice), null);
  await member.post(PATH, { grade: "exact" });
});

test("the page says where a warehouse did not answer, offers nothing to confirm there, and shows the others", async () => {
  const [down, up] = [await server.connect(tenant, "down"), await server.connect(tenant, "up")];
  const [lost, found] = [await linked(down, FIRST), await linked(up, FIRST)];
  await order("down", ours(lost));
  await order("up", ours(found));
  await administer(server.simulator, "PUT", "/faults?instance=down", { hang: 1 });
  const { text } = await member.get(PATH);
  assert.match(text, /The warehouse did not answer: The warehouse gave no usable answer \(timeout\)\./);
  assert.deepEqual(boxes(text), [`${found.id}/${FIRST}`]);
  await member.post(PATH, { invoices: [`${lost.id}/${FIRST}`, `${found.id}/${FIRST}`] });
  assert.deepEqual([await instanceOf(lost), await instanceOf(found)], [null, "up.localhost"]);
});

test("an order that another invoice has is not offered, and the page names the invoice", async () => {
  const company = await server.connect(tenant, "shared");
  const [has, wants] = [await linked(company, FIRST), await linked(company, FIRST)];
  await order("shared", ours(has));
  await member.post(PATH, { invoices: [`${has.id}/${FIRST}`, `${wants.id}/${FIRST}`] });
  assert.deepEqual([await instanceOf(has), await instanceOf(wants)], ["shared.localhost", null]);
  const { text } = await member.get(PATH);
  assert.ok(text.includes(`The invoice ${has.number} has this order.`));
  assert.ok(!boxes(text).includes(`${wants.id}/${FIRST}`));
});

test("a link of a company without a warehouse stands there with its way out, and counts everywhere alike", async () => {
  const own = await server.createTenant();
  const admin = await signedIn(server, own, { role: "admin" });
  const { id: company } = (await own.post("/api/v1/companies", { name: "Nowhere" })).body.data;
  const { id } = (await own.post(`/api/v1/companies/${company}/invoices`, { number: "N-1" })).body.data;
  await server.sql("update invoices set wms_order_id = $2 where id = $1", [id, FIRST]);
  const counts = async () => {
    const [today, queue, list, page] = await Promise.all(
      ["/today?whose=all", "/orders", "/orders?state=attention", PATH].map(async (path) => await admin.get(path)),
    );
    return [
      / id="in-need"[^>]*>(\d+)</.exec(today?.text ?? "")?.[1],
      /(\d+) order was imported without a warehouse/.exec(today?.text ?? "")?.[1],
      /href="\/warehouse\/reconfirm">(\d+) order is waiting/.exec(queue?.text ?? "")?.[1],
      String(list?.text.match(/<td class="name"[^>]*><a href="\/invoices\//g)?.length ?? 0),
      /<h1>Orders to confirm <span class="count">(\d+)</.exec(page?.text ?? "")?.[1],
    ];
  };
  assert.deepEqual(await counts(), ["1", "1", "1", "1", "1"]);
  const { text } = await admin.get(PATH);
  const wayOut = `The company has no warehouse. <a href="/companies/${company}/warehouse">Connect it</a>, then the order`;
  assert.ok(text.includes(wayOut), text);
  assert.match(text, /class="state attention">Not connected</);
  assert.doesNotMatch(text, /No orders are waiting|Confirm selected/);
  const romanian = (await admin.get(PATH, { "accept-language": "ro" })).text;
  assert.ok(romanian.includes(`Firma nu are depozit. <a href="/companies/${company}/warehouse">Conectați-o</a>, apoi`));
  await admin.post(PATH, { invoices: `${id}/${FIRST}` });
  assert.match((await admin.get(PATH)).text, /1 order could not be confirmed/);

  await order("found", { external_source: `liaison/${own.slug}`, external_order_id: String(id) });
  await admin.post(`/companies/${company}/warehouse`, { wms_subdomain: "found", wms_api_key: "key-of-the-warehouse" });
  assert.deepEqual(boxes((await admin.get(PATH)).text), [`${id}/${FIRST}`]);
  await admin.post(PATH, { invoices: `${id}/${FIRST}` });
  assert.equal((await own.get(`/api/v1/invoices/${id}`)).body.data.wms.instance, "found.localhost");
  assert.match((await admin.get(PATH)).text, /No orders are waiting to be confirmed/);
});

test("more than a thousand links are counted no further, wherever their number stands", async () => {
  const own = await server.createTenant();
  const person = await signedIn(server, own);
  const company = await server.connect(own, "many");
  const add = async (count: number) =>
    await server.sql(
      `insert into invoices (tenant_id, company_id, number, wms_order_id, wms_state)
       select $1, $2, 'M-' || $3 || '-' || n, n, 'sent' from generate_series(1, $3::integer) n`,
      [own.id, company, count],
    );
  await add(1_000);
  for (const path of ["/today?whose=all", "/orders"]) {
    assert.match((await person.get(path)).text, />1,000 orders /, path);
  }
  await add(1);
  for (const path of ["/today?whose=all", "/orders"]) {
    assert.match((await person.get(path)).text, />More than 1,000 orders /, path);
  }
  assert.match((await person.get(PATH)).text, /<span class="count">1,000\+</);
});
