import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startSimulator } from "../../../wms-simulator/simulator.ts";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { whileHeld } from "../../held.ts";
import { administer } from "../wms/instance-calls.ts";

/** Shown nowhere after it was written. */
const KEY = "a-key-of-the-warehouse-7Qz9";

const simulator = await startSimulator();
const server = await startServer({
  LIAISON_WMS_URL: simulator.template,
  LIAISON_WMS_PRIVATE_NETWORKS: "127.0.0.0/8",
});
after(async () => await simulator.close());
const tenant = await server.createTenant();
const admin = await signedIn(server, tenant, { name: "Ana Pop", role: "admin" });
const member = await signedIn(server, tenant);

async function companyOf(of: TestTenant = tenant): Promise<number> {
  return (await of.post("/api/v1/companies", { name: "Acme" })).body.data.id;
}

async function connected(): Promise<number> {
  const id = await companyOf();
  const answer = await admin.post(`/companies/${id}/warehouse`, { wms_subdomain: "North", wms_api_key: KEY });
  assert.equal(answer.location, `/companies/${id}/warehouse`);
  return id;
}

test("a connection is written and never read back: the page says when, by whom, and how the key ends", async () => {
  const id = await connected();
  const { text } = await admin.get(`/companies/${id}/warehouse`);
  assert.match(text, /value="north"/);
  assert.match(text, /configured, ends in 7Qz9, saved .* by Ana Pop/);
  assert.ok(!text.includes(KEY));
  const company = (await tenant.get(`/api/v1/companies/${id}`)).text;
  assert.match(company, /"wms_subdomain":"north"/);
  for (const path of [`/companies/${id}`, `/companies/${id}/edit`, "/companies"]) {
    assert.ok(!(await admin.get(path)).text.includes(KEY), path);
  }
  assert.ok(!company.includes(KEY));
  assert.ok(!(await tenant.get(`/api/v1/companies/${id}/history`)).text.includes(KEY));
  const [row] = await server.sql("select wms_api_key as key from companies where id = $1", [id]);
  assert.ok(!String(row?.key).includes(KEY));
});

test("a connection of its own has a person to ask about orders that need attention, until it is another warehouse", async () => {
  const id = await companyOf();
  const page = `/companies/${id}/warehouse`;
  const form = { wms_subdomain: "North", wms_api_key: KEY, warehouse_contact: "Ion Rusu, 0722 555 010" };
  assert.equal((await admin.post(page, { ...form, warehouse_contact: "x".repeat(101) })).status, 422);
  await admin.post(page, form);
  assert.match((await admin.get(page)).text, /value="Ion Rusu, 0722 555 010" id="warehouse_contact"/);
  const made = await tenant.post(`/api/v1/companies/${id}/invoices`, { number: "ASK-1", total: "1" });
  const invoice = `/invoices/${made.body.data.id}`;
  assert.doesNotMatch((await member.get(invoice)).text, /Ion Rusu/);
  await server.sql(
    "update invoices set wms_state = 'failed', wms_error = 'rejected: no such SKU', wms_needs_at = now() where id = $1",
    [made.body.data.id],
  );
  assert.match((await member.get(invoice)).text, /Ask the warehouse: <a href="tel:0722555010">Ion Rusu/);
  // Another warehouse, by the list of companies, has other people.
  await admin.post("/companies/connect", { wms_subdomain: "South", wms_api_key: KEY, chosen: String(id) });
  assert.doesNotMatch((await member.get(invoice)).text, /Ion Rusu/);
  await admin.post(page, { ...form, wms_subdomain: "south", warehouse_contact: "Ana Ene" });
  assert.match((await member.get(invoice)).text, /Ana Ene/);
  await admin.post(`${page}/remove`);
  assert.doesNotMatch((await member.get(invoice)).text, /Ana Ene/);
});

test("an empty key keeps the stored one, and a first connection needs one", async () => {
  const id = await connected();
  await admin.post(`/companies/${id}/warehouse`, { wms_subdomain: "NORTH", wms_api_key: "", send_automatically: "1" });
  const { text } = await admin.get(`/companies/${id}/warehouse`);
  assert.match(text, /value="north"/);
  assert.match(text, /ends in 7Qz9/);
  assert.match(text, /name="send_automatically" value="1"[^>]* checked/);
  const fresh = await companyOf();
  const refused = await admin.post(`/companies/${fresh}/warehouse`, { wms_subdomain: "south", wms_api_key: "" });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /id="wms_api_key-error"/);
  // A form that is shown again has no key, and without one it would keep the stored one.
  const other = { wms_subdomain: "no/rth", wms_api_key: "another-key-0123" };
  const again = await admin.post(`/companies/${id}/warehouse`, other);
  assert.match(again.text, /id="wms_api_key-error">Please enter the secret value again/);
});

test("a stored key belongs to its subdomain: it goes to no other that somebody types", async () => {
  const id = await connected();
  const refused = await admin.post(`/companies/${id}/warehouse`, { wms_subdomain: "attacker", wms_api_key: "" });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /id="wms_api_key-error">The stored key is for the other subdomain/);
  assert.match(refused.text, /value="attacker"/, "what was typed stays");
  assert.equal((await tenant.get(`/api/v1/companies/${id}`)).body.data.wms_subdomain, "north");
  await admin.post(`/companies/${id}/warehouse`, { wms_subdomain: "south", wms_api_key: "a-key-of-the-south-1234" });
  assert.match((await admin.get(`/companies/${id}/warehouse`)).text, /value="south"[^]*ends in 1234/);
});

test("of two who write a connection at once, none gives one subdomain's key to the other", async () => {
  for (let round = 0; round < 10; round++) {
    const id = await connected();
    const [kept, replaced] = await Promise.all([
      admin.post(`/companies/${id}/warehouse`, { wms_subdomain: "north", wms_api_key: "", send_automatically: "1" }),
      admin.post(`/companies/${id}/warehouse`, { wms_subdomain: "south", wms_api_key: "a-key-of-the-south-1234" }),
    ]);
    assert.equal(replaced.status, 303);
    assert.ok([303, 422].includes(kept.status), String(kept.status));
    assert.match((await admin.get(`/companies/${id}/warehouse`)).text, /value="south"[^]*ends in 1234/);
  }
});

test("one who waited for another's write is refused where that one took the key away or elsewhere", async () => {
  for (const change of ["wms_subdomain = 'south'", "wms_api_key = null"]) {
    const id = await connected();
    const other = `update companies set ${change} where id = ${id}`;
    const form = { wms_subdomain: "north", wms_api_key: "" };
    const { status } = await whileHeld(server, other, () => admin.post(`/companies/${id}/warehouse`, form));
    assert.equal(status, 422, change);
  }
});

test("connecting, testing and removing are for admins: members see the connection, and no form", async () => {
  const id = await connected();
  const path = `/companies/${id}/warehouse`;
  const { status, text } = await member.get(path);
  assert.equal(status, 200);
  const [, main = ""] = /<main[^>]*>([^]*)<\/main>/.exec(text) ?? [];
  assert.match(main, /Connected[^]*north[^]*configured, ends in 7Qz9[^]*An admin of the workspace connects it/);
  assert.doesNotMatch(main, /<form|<input|<button/);
  const connection = { wms_subdomain: "south", wms_api_key: "a-key-of-the-south-1234" };
  for (const [to, form] of [
    [path, connection],
    [`${path}/test`, {}],
    [`${path}/remove`, {}],
  ] as const) {
    assert.equal((await member.post(to, form)).status, 403, to);
  }
  assert.equal((await admin.get(path)).text.includes('value="north"'), true);
  const unconnected = (await member.get(`/companies/${await companyOf()}/warehouse`)).text;
  assert.match(unconnected, /Not connected[^]*An admin of the workspace connects it/);
});

test("a subdomain is one DNS label, or nothing is stored", async () => {
  const id = await companyOf();
  for (const subdomain of ["", "a.b", "-a", "a-", "a/b", "a@b", "ă", "a".repeat(64), "127.0.0.1", "a b"]) {
    const answer = await admin.post(`/companies/${id}/warehouse`, { wms_subdomain: subdomain, wms_api_key: KEY });
    assert.equal(answer.status, 422, subdomain);
    assert.match(answer.text, /id="wms_subdomain-error"/);
    assert.ok(!answer.text.includes(KEY), "a refused key is not in the page either");
  }
  assert.equal((await tenant.get(`/api/v1/companies/${id}`)).body.data.wms_subdomain, null);
});

test("the test says whether the warehouse is there and takes the key", async () => {
  const id = await connected();
  const tried = async () => {
    await admin.post(`/companies/${id}/warehouse/test`);
    return (await admin.get(`/companies/${id}/warehouse`)).text;
  };
  assert.match(await tried(), /class="notice good">The connection works\./);
  await administer(simulator, "PUT", "/keys", ["another"]);
  assert.match(await tried(), /class="notice wrong">The test failed: the warehouse refused the key\./);
  await administer(simulator, "PUT", "/keys", null);
  await administer(simulator, "PUT", "/faults", { down: 1 });
  assert.match(await tried(), /The test failed: the warehouse gave no usable answer\./);
  await administer(simulator, "PUT", "/faults", {});
});

test("a removed connection leaves nothing of the key", async () => {
  const id = await connected();
  await admin.post(`/companies/${id}/warehouse/remove`);
  assert.match((await admin.get(`/companies/${id}/warehouse`)).text, /Not connected/);
  const [row] = await server.sql("select wms_subdomain, wms_api_key from companies where id = $1", [id]);
  assert.deepEqual(row, { wms_subdomain: null, wms_api_key: null });
});

test("saving the connection again queues what failed because the key was refused, and nothing else", async () => {
  const id = await connected();
  const failed = async (error: string) => {
    const number = `F-${error}`;
    const { body } = await tenant.post(`/api/v1/companies/${id}/invoices`, { number });
    await server.sql("update invoices set wms_state = 'failed', wms_error = $2 where id = $1", [body.data.id, error]);
    return body.data.id;
  };
  const refused = await failed('{"code":"credentials"}');
  const other = await failed("The warehouse does not want this order.");
  await admin.post(`/companies/${id}/warehouse`, { wms_subdomain: "north", wms_api_key: "another-key-0123" });
  const stateOf = async (invoice: number) => (await tenant.get(`/api/v1/invoices/${invoice}`)).body.data.wms.state;
  assert.deepEqual([await stateOf(refused), await stateOf(other)], ["queued", "failed"]);
});

test("why an invoice failed is said in each language, and the warehouse's words as they are", async () => {
  const id = await connected();
  const { body } = await tenant.post(`/api/v1/companies/${id}/invoices`, { number: "F-said" });
  const path = `/invoices/${body.data.id}`;
  const said = async (stored: string): Promise<[api: string, english: string, romanian: string]> => {
    await server.sql("update invoices set wms_state = 'failed', wms_error = $2 where id = $1", [body.data.id, stored]);
    const [english, romanian] = [await admin.get(path), await admin.get(path, { "accept-language": "ro" })];
    const { error } = (await tenant.get(`/api/v1${path}`)).body.data.wms;
    const list = (await tenant.get(`/api/v1/companies/${id}/invoices`)).body.data[0].wms.error;
    assert.equal(list, error);
    return [error, english.text, romanian.text];
  };
  const [gone, english, romanian] = await said('{"code":"held","orderId":7,"number":"A&B"}');
  assert.match(gone, /^The warehouse answered with its order 7, but the invoice A&B has that order/);
  assert.match(english, /The warehouse answered with its order 7, but the invoice A&amp;B has that order/);
  assert.match(romanian, /Depozitul a răspuns cu comanda sa 7, dar factura A&amp;B are acea comandă/);
  const [words, theirs, theirsInRomanian] = await said('{"code":"refused","words":"No such SKU."}');
  assert.equal(words, "No such SKU.");
  assert.match(theirs, /The warehouse says: “No such SKU\.”/);
  assert.match(theirsInRomanian, /Depozitul spune: „No such SKU\.”/);
});

test("without a way to warehouses every page and the API say so, and nothing is queued", async () => {
  const without = await startServer({ LIAISON_WMS_URL: "" });
  const somebody = await without.createTenant();
  const visitor = await signedIn(without, somebody, { role: "admin" });
  const id = await companyOf(somebody);
  const connection = { wms_subdomain: "north", wms_api_key: KEY };
  assert.equal((await visitor.post(`/companies/${id}/warehouse`, connection)).status, 303);
  const invoice = (await somebody.post(`/api/v1/companies/${id}/invoices`, { number: "F-1" })).body.data.id;
  const unreachable = "No warehouse can be reached from this installation.";
  for (const path of [`/companies/${id}/warehouse`, "/orders", "/warehouse/reconfirm", `/invoices/${invoice}`]) {
    assert.ok((await visitor.get(path)).text.includes(unreachable), path);
  }
  assert.doesNotMatch((await visitor.get(`/companies/${id}/invoices`)).text, /invoices\/\d+\/send"/);
  const { status, body } = await somebody.post(`/api/v1/invoices/${invoice}/wms-order`);
  assert.deepEqual([status, body], [422, { error: "Cannot send the invoice to the warehouse.", details: unreachable }]);
  const queue = async (path: string, form = {}) => {
    assert.equal((await visitor.post(path, form)).status, 303, path);
    return (await somebody.get(`/api/v1/invoices/${invoice}`)).body.data.wms.state;
  };
  assert.equal(await queue(`/invoices/${invoice}/send`), "not_sent");
  assert.equal(await queue("/orders/send", { id: String(invoice) }), "not_sent");
  await without.sql("update invoices set wms_state = 'failed' where id = $1", [invoice]);
  assert.equal(await queue("/orders/redrive"), "failed");
});

test("only admins see which setting connects to warehouses", async () => {
  const without = await startServer({ LIAISON_WMS_URL: "" });
  const somebody = await without.createTenant();
  const [plain, admin] = [await signedIn(without, somebody), await signedIn(without, somebody, { role: "admin" })];
  for (const path of [`/companies/${await companyOf(somebody)}/warehouse`, "/orders"]) {
    const [toMember, toAdmin] = [(await plain.get(path)).text, (await admin.get(path)).text];
    for (const text of [toMember, toAdmin]) assert.match(text, /No warehouse can be reached from this installation\./);
    assert.match(toAdmin, /sets LIAISON_WMS_URL\./);
    assert.doesNotMatch(toMember, /LIAISON_/);
  }
});
