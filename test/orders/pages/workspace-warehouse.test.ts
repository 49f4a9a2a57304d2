import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startSimulator } from "../../../wms-simulator/simulator.ts";
import { changeLines } from "../../doors/pages/change-lines.ts";
import { signedIn, type Visitor } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { administer } from "../wms/instance-calls.ts";

/** The pages of the workspace's connection, and what a company's pages say of it. No worker runs. */
const simulator = await startSimulator();
const server = await startServer({
  LIAISON_WMS_URL: simulator.template,
  LIAISON_WMS_PRIVATE_NETWORKS: "127.0.0.0/8",
});
after(async () => await simulator.close());
const KEY = "a-key-of-the-workspace-7Qz9";
const PAGE = "/workspace/warehouses";
const ROMANIAN = { "accept-language": "ro" };

type Workspace = { tenant: TestTenant; admin: Visitor; member: Visitor; company: number };

async function workspace(): Promise<Workspace> {
  const tenant = await server.createTenant();
  const admin = await signedIn(server, tenant, { name: "Ana Pop", role: "admin" });
  const member = await signedIn(server, tenant);
  const company = (await tenant.post("/api/v1/companies", { name: "Acme" })).body.data.id;
  return { tenant, admin, member, company };
}

async function connected(): Promise<Workspace> {
  const made = await workspace();
  const answer = await made.admin.post(PAGE, { wms_subdomain: "Nord", wms_api_key: KEY });
  assert.equal(answer.location, PAGE);
  return made;
}

/** The fact about the warehouse on a company's page. */
async function factOf({ admin, company }: Workspace, headers = {}): Promise<string> {
  const { text } = await admin.get(`/companies/${company}`, headers);
  const [, fact = ""] = /<dt>(?:Warehouse|Depozit)<\/dt><dd>([^]*?)<\/dd>/.exec(text) ?? [];
  return fact
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&#39;", "'")
    .trim();
}

/** Gives the company orders under way at an instance. */
async function underWay({ tenant, company }: Workspace, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const { id } = (await tenant.post(`/api/v1/companies/${company}/invoices`, { number: `U-${n}`, total: "1" })).body
      .data;
    await server.sql(
      "update invoices set wms_order_id = $1, wms_instance = 'nord.localhost', wms_status = 'picking', wms_owns_order = true where id = $1",
      [id],
    );
  }
}

test("a saved connection is tested at once, and has a person to ask about orders that need attention", async () => {
  const at = await workspace();
  const form = { wms_subdomain: "Nord", wms_api_key: KEY, warehouse_contact: "Ion Rusu, 0722 555 010" };
  await at.admin.post(PAGE, { ...form, warehouse_contact: "x".repeat(101) });
  assert.doesNotMatch((await at.admin.get(PAGE)).text, /ends in 7Qz9/);
  await at.admin.post(PAGE, form);
  const saved = (await at.admin.get(PAGE)).text;
  assert.match(saved, /class="notice (?:good|wrong)">The connection is saved\. The (?:connection works|test failed)/);
  assert.match(saved, /value="Ion Rusu, 0722 555 010" id="warehouse_contact"/);
  const invoice = { number: "A-1", total: "1" };
  const { id } = (await at.tenant.post(`/api/v1/companies/${at.company}/invoices`, invoice)).body.data;
  assert.doesNotMatch((await at.member.get(`/invoices/${id}`)).text, /Ion Rusu/);
  await server.sql(
    "update invoices set wms_state = 'failed', wms_error = 'rejected: no such SKU', wms_needs_at = now() where id = $1",
    [id],
  );
  assert.match((await at.member.get(`/invoices/${id}`)).text, /Ask the warehouse: <a href="tel:0722555010">Ion Rusu/);
  const replaced = { wms_subdomain: "sud", wms_api_key: KEY, replaced: "nord" };
  await at.admin.post(`${PAGE}/replace`, replaced);
  assert.match((await at.admin.get(PAGE)).text, /value="" id="warehouse_contact"/);
  const lines = changeLines((await at.admin.get("/history?type=workspace")).text);
  assert.ok(
    lines.some((line) => line.includes("whom to ask there: Ion Rusu")),
    lines.join("\n"),
  );
});

test("the workspace's connection is written and never read back, by admins only", async () => {
  const at = await connected();
  const { text } = await at.admin.get(PAGE);
  assert.match(text, /Connected[^]*nord[^]*configured, ends in 7Qz9, saved .* by Ana Pop/);
  const [row] = await server.sql("select wms_api_key as key from workspace_warehouses where tenant_id = $1", [
    at.tenant.id,
  ]);
  assert.ok(row !== undefined && !String(row.key).includes(KEY));
  for (const path of [PAGE, `${PAGE}/replace`, "/history", `/companies/${at.company}`])
    assert.ok(!(await at.admin.get(path)).text.includes(KEY), path);
  const stored = JSON.stringify(await server.sql("select * from changes where tenant_id = $1", [at.tenant.id]));
  assert.ok(!stored.includes(KEY) && !stored.includes(String(row.key)));
  for (const path of ["", "/replace", "/remove"]) assert.equal((await at.member.get(PAGE + path)).status, 403, path);
  for (const path of ["", "/test", "/replace", "/remove"])
    assert.equal((await at.member.post(PAGE + path, { wms_subdomain: "sud", wms_api_key: KEY })).status, 403, path);
  const settings = (await at.admin.get("/workspace")).text;
  assert.match(settings, /<nav class="settings"[^]*href="\/workspace\/warehouses"/);
});

test("no answer of the API has the workspace's connection", async () => {
  const at = await workspace();
  const paths = [`/api/v1/companies/${at.company}`, "/api/v1/companies", `/api/v1/companies/${at.company}/history`];
  const read = async () => await Promise.all(paths.map(async (path) => (await at.tenant.get(path)).text));
  const before = await read();
  await at.admin.post(PAGE, { wms_subdomain: "nord", wms_api_key: KEY });
  assert.deepEqual(await read(), before);
  const feed = (await at.tenant.get("/api/v1/changes")).text;
  assert.ok(!feed.includes("nord") && !feed.includes('"workspace"'));
  await at.admin.post(`/companies/${at.company}/warehouse`, { connection: "never" });
  const { body } = await at.tenant.get(`/api/v1/companies/${at.company}/history`);
  assert.ok(!JSON.stringify(body).includes("wms_never"));
});

test("a stored key stays with its subdomain, and what is typed wrong is refused", async () => {
  const { admin } = await workspace();
  for (const form of [
    { wms_subdomain: "a.b", wms_api_key: KEY },
    { wms_subdomain: "nord", wms_api_key: "" },
    { wms_subdomain: "nord", wms_api_key: "with a space" },
  ]) {
    const { status, text } = await admin.post(PAGE, form);
    assert.equal(status, 422);
    assert.ok(!text.includes(KEY));
  }
  await admin.post(PAGE, { wms_subdomain: "nord", wms_api_key: KEY });
  assert.equal((await admin.post(PAGE, { send_automatically: "1" })).status, 303);
  assert.match((await admin.get(PAGE)).text, /ends in 7Qz9[^]*name="send_automatically" value="1"[^>]* checked/);
  const moved = await admin.post(PAGE, { wms_subdomain: "attacker", wms_api_key: KEY });
  assert.equal(moved.location, `${PAGE}/replace`, "another warehouse is asked for first");
  const refused = await admin.post(`${PAGE}/replace`, { replaced: "nord", wms_subdomain: "attacker" });
  assert.equal(refused.status, 422);
  assert.match((await admin.get(PAGE)).text, /nord[^]*ends in 7Qz9/);
});

test("replacing and removing it ask in numbers what is under way, and replace only what the person saw", async () => {
  const at = await connected();
  await underWay(at, 2);
  const elsewhere = (await at.tenant.post("/api/v1/companies", { name: "Own" })).body.data.id;
  await at.admin.post(`/companies/${elsewhere}/warehouse`, { wms_subdomain: "sud", wms_api_key: KEY });
  await at.tenant.post(`/api/v1/companies/${elsewhere}/invoices`, { number: "OWN-1", total: "1" });
  await server.sql(
    "update invoices set wms_order_id = id, wms_instance = 'sud.localhost', wms_status = 'picking' where company_id = $1",
    [elsewhere],
  );
  for (const path of [`${PAGE}/replace`, `${PAGE}/remove`])
    assert.match((await at.admin.get(path)).text, /2 orders are under way and would no longer be followed/, path);
  assert.match((await at.admin.get(`${PAGE}/replace`, ROMANIAN)).text, /2 comenzi sunt în curs/);
  const form = { wms_subdomain: "sud", wms_api_key: "a-key-of-sud-1234" };
  const stale = await at.admin.post(`${PAGE}/replace`, { ...form, replaced: "other" });
  assert.equal(stale.location, PAGE);
  assert.match((await at.admin.get(PAGE)).text, /Another person has changed the connection/);
  await at.admin.post(`${PAGE}/replace`, { ...form, replaced: "nord" });
  assert.match((await at.admin.get(PAGE)).text, /sud[^]*ends in 1234/);
  await at.admin.post(`${PAGE}/remove`);
  assert.match((await at.admin.get(PAGE)).text, /Not connected/);
  const [row] = await server.sql("select wms_subdomain, wms_api_key from workspace_warehouses where tenant_id = $1", [
    at.tenant.id,
  ]);
  assert.deepEqual(row, { wms_subdomain: null, wms_api_key: null });
});

test("the test of the connection says whether the warehouse is there and takes the key", async () => {
  const at = await workspace();
  await at.admin.post(`${PAGE}/test`);
  assert.match((await at.admin.get(PAGE)).text, /There is no connection to test yet/);
  await at.admin.post(PAGE, { wms_subdomain: "nord", wms_api_key: KEY });
  for (const [keys, said] of [
    [null, /The connection works/],
    [["another"], /The test failed: the warehouse refused the key[^]*Key refused, \d\d:\d\d/],
    [null, /The connection works/],
  ] as const) {
    await administer(simulator, "PUT", "/keys", keys);
    await at.admin.post(`${PAGE}/test`);
    assert.match((await at.admin.get(PAGE)).text, said);
  }
  await at.admin.post(`/companies/${at.company}/warehouse/test`);
  assert.match((await at.admin.get(`/companies/${at.company}/warehouse`)).text, /The connection works/);
});

test("a company's pages say whose connection holds, and let one choose", async () => {
  const at = await connected();
  const path = `/companies/${at.company}/warehouse`;
  const checked = async () =>
    /name="connection" value="(\w+)" checked/.exec((await at.admin.get(path)).text)?.[1] ?? null;
  assert.match(await factOf(at), /^nord \(workspace's\) · connected/);
  assert.match(await factOf(at, ROMANIAN), /^nord \(a spațiului de lucru\)/);
  assert.equal(await checked(), "workspace");
  const { text } = await at.member.get(path);
  assert.match(text, /Connected: nord \(workspace&#39;s\)/);
  assert.doesNotMatch(/<main[^>]*>([^]*)<\/main>/.exec(text)?.[1] ?? "", /<form|<input|<button/);

  await at.admin.post(path, { connection: "never" });
  assert.equal(await checked(), "never");
  assert.match(await factOf(at), /^Never sent/);
  await at.admin.post(path, { connection: "own", wms_subdomain: "sud", wms_api_key: KEY });
  assert.equal(await checked(), "own");
  assert.match(await factOf(at), /^sud · connected/);
  const asked = await at.admin.post(path, { connection: "workspace" });
  assert.equal(asked.location, `${path}/remove?to=workspace`, "its own key would be forgotten");
  assert.match((await at.admin.get(asked.location)).text, /the workspace&#39;s connection applies: nord/);
  await at.admin.post(`${path}/remove`, { to: "workspace" });
  assert.equal(await checked(), "workspace");
  await at.admin.post(`${PAGE}/remove`);
  assert.match(await factOf(at), /^Not connected/);
});

test("a company that leaves the workspace's connection asks in numbers what is under way", async () => {
  const at = await connected();
  await underWay(at, 1);
  const path = `/companies/${at.company}/warehouse`;
  assert.match((await at.admin.get(path)).text, /1 order is under way\. With another warehouse, it is no longer/);
  const asked = await at.admin.post(path, { connection: "never" });
  assert.equal(asked.location, `${path}/remove?to=never`);
  const { text } = await at.admin.get(asked.location);
  assert.match(text, /1 order is under way and would no longer be followed/);
  assert.match(text, /name="to" value="never"/);
});

test("lists, reasons and Today follow the connection that holds", async () => {
  const at = await workspace();
  await at.tenant.post(`/api/v1/companies/${at.company}/invoices`, {
    number: "L-1",
    total: "1",
    issued_on: "2026-11-20",
  });
  const isOffered = async () => {
    const [orders, today] = [(await at.admin.get("/orders")).text, (await at.admin.get("/today?whose=all")).text];
    return [orders.includes("No warehouse"), today.includes("L-1")];
  };
  assert.deepEqual(await isOffered(), [true, false]);
  await at.admin.post(PAGE, { wms_subdomain: "nord", wms_api_key: KEY });
  assert.deepEqual(await isOffered(), [false, true]);
  await at.admin.post(`/companies/${at.company}/warehouse`, { connection: "never" });
  assert.deepEqual(await isOffered(), [true, false]);
});

test("the history has the workspace's connection, and the companies that are never sent", async () => {
  const at = await connected();
  await at.admin.post(`${PAGE}/replace`, { replaced: "nord", wms_subdomain: "sud", wms_api_key: KEY });
  await at.admin.post(PAGE, { send_automatically: "1" });
  await at.admin.post(PAGE, { wms_api_key: "another-key-of-sud", send_automatically: "1" });
  await at.admin.post(`${PAGE}/remove`);
  const name = `Tenant ${at.tenant.slug}`;
  assert.deepEqual(changeLines((await at.member.get("/history?type=workspace")).text), [
    `Ana Pop disconnected ${name} from its warehouse`,
    `Ana Pop saved a new key of ${name} for the warehouse`,
    `Ana Pop switched automatic sending of ${name} on`,
    `Ana Pop moved the connection of ${name} from nord to sud`,
    `Ana Pop connected ${name} to nord`,
  ]);
  const path = `/companies/${at.company}/warehouse`;
  await at.admin.post(path, { connection: "never" });
  await at.admin.post(path, { connection: "workspace" });
  await at.admin.post(path, { connection: "own", wms_subdomain: "sud", wms_api_key: KEY });
  await at.admin.post(`${path}/remove`, { to: "never" });
  assert.deepEqual(changeLines((await at.member.get("/history?type=connection")).text), [
    "Ana Pop set that invoices of Acme are never sent",
    "Ana Pop connected Acme to a warehouse",
    "Ana Pop set that invoices of Acme may be sent again",
    "Ana Pop set that invoices of Acme are never sent",
  ]);
});
