import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";

/** Companies that are connected to a warehouse together, from their list. */
const server = await startServer();
const KEY = "a-key-of-the-warehouse-7Qz9";

async function firm(companies: number) {
  const tenant = await server.createTenant();
  const admin = await signedIn(server, tenant, { name: "Ana Pop", role: "admin" });
  await server.sql(
    "insert into companies (tenant_id, name, country) select $1, 'C' || lpad(g::text, 4, '0'), 'Romania' from generate_series(1, $2) g",
    [tenant.id, companies],
  );
  const rows = await server.sql("select id from companies where tenant_id = $1 order by name", [tenant.id]);
  return { tenant, admin, ids: rows.map(({ id }) => String(id)) };
}

const connectionsOf = async (tenant: TestTenant) =>
  await server.sql(
    "select wms_subdomain as subdomain, wms_api_key as key, wms_send_automatically as automatic, wms_never as never from companies where tenant_id = $1 order by name",
    [tenant.id],
  );
const chosenIn = (text: string) => /name="chosen" value="([^"]*)"/.exec(text)?.[1];
const connection = { wms_subdomain: "North", wms_api_key: KEY, send_automatically: "1" };

test("connecting asks in numbers first, and then each company has the connection with a ciphertext of its own", async () => {
  const { tenant, admin, ids } = await firm(4);
  await admin.post(`/companies/${ids[0]}/warehouse`, { wms_subdomain: "old", wms_api_key: "old-key" });
  await admin.post(`/companies/${ids[1]}/warehouse`, { connection: "never" });
  const invoice = (await tenant.post(`/api/v1/companies/${ids[0]}/invoices`, { number: "F-1" })).body.data.id;
  await server.sql(
    "update invoices set wms_state = 'sent', wms_order_id = 1, wms_instance = 'old.localhost', wms_status = 'packed', wms_is_final = false where id = $1",
    [invoice],
  );
  const some = ids.slice(0, 3);
  const asked = await admin.post("/companies/connect", { id: some, to: "/companies?search=C0" });
  assert.equal(asked.status, 200);
  assert.match(asked.text, /<h1>Connect 3 companies to a warehouse<\/h1>/);
  assert.match(asked.text, /1 company already has a connection of its own/);
  assert.match(asked.text, /1 company is set to be sent to no warehouse/);
  assert.match(asked.text, /1 order is under way\. An order stays at the warehouse that it was sent to/);
  assert.match(asked.text, /This has no undo/);
  assert.deepEqual(
    (await connectionsOf(tenant)).map(({ subdomain }) => subdomain),
    ["old", null, null, null],
  );
  const to = "/companies?search=C0";
  const chosen = chosenIn(asked.text) ?? "";
  assert.equal((await admin.post("/companies/connect", { ...connection, chosen, to })).location, to);
  assert.match((await admin.get(to)).text, /3 companies are connected with the warehouse\./);
  const now = await connectionsOf(tenant);
  assert.deepEqual(
    now.map(({ subdomain, automatic, never }) => [subdomain, automatic, never]),
    [
      ["north", true, false],
      ["north", true, false],
      ["north", true, false],
      [null, false, false],
    ],
  );
  const keys = now.slice(0, 3).map(({ key }) => String(key));
  assert.equal(new Set(keys).size, 3);
  assert.ok(keys.every((key) => !key.includes(KEY)));
  assert.match((await admin.get(`/companies/${ids[2]}/warehouse`)).text, /ends in 7Qz9, saved .* by Ana Pop/);
  const [row] = await server.sql("select wms_instance as instance from invoices where id = $1", [invoice]);
  assert.equal(row?.instance, "old.localhost");
  const history = (await tenant.get(`/api/v1/companies/${ids[2]}/history`)).text;
  assert.match(history, /"wms_subdomain"/);
  assert.ok(!history.includes(KEY));
});

test("all that match are those of the first press; a wrong subdomain, a stranger's company and members change nothing", async () => {
  const { tenant, admin, ids } = await firm(60);
  const stranger = await firm(1);
  const page = (await admin.get("/companies?search=C&per_page=50")).text;
  const id = [...page.matchAll(/name="id" value="(\d+)"/g)].map(([, found = ""]) => found);
  const asked = await admin.post("/companies/connect", { id, all: "1", rows: "50", matching: "search=C" });
  assert.match(asked.text, /Connect 60 companies/);
  await tenant.post("/api/v1/companies", { name: "C9999" });
  const chosen = chosenIn(asked.text) ?? "";
  const refused = await admin.post("/companies/connect", { ...connection, wms_subdomain: "a b", chosen });
  assert.equal(refused.status, 422);
  assert.equal(chosenIn(refused.text), chosen);
  const member = await signedIn(server, tenant);
  assert.equal((await member.post("/companies/connect", { ...connection, chosen })).status, 403);
  assert.doesNotMatch((await member.get("/companies")).text, /companies\/connect/);
  assert.ok((await connectionsOf(tenant)).every(({ subdomain }) => subdomain === null));
  await admin.post("/companies/connect", { ...connection, chosen: `${chosen},${stranger.ids[0]},x` });
  assert.match((await admin.get("/companies")).text, /60 companies are connected .*1 company was deleted/s);
  assert.equal((await connectionsOf(tenant)).filter(({ subdomain }) => subdomain === "north").length, ids.length);
  assert.deepEqual((await connectionsOf(stranger.tenant))[0]?.subdomain, null);
});

test("more than 500 at once are refused, and the connection of the workspace is offered", async () => {
  const { tenant, admin } = await firm(501);
  const page = (await admin.get("/companies?search=C&per_page=50")).text;
  const id = [...page.matchAll(/name="id" value="(\d+)"/g)].map(([, found = ""]) => found);
  const asked = await admin.post("/companies/connect", { id, all: "1", rows: "50", matching: "search=C" });
  assert.match(asked.text, /At most 500 companies at once.*href="\/workspace\/warehouses"/s);
  assert.equal(chosenIn(asked.text), undefined);
  await server.sql("update companies set deleted_at = now() where tenant_id = $1 and name = 'C0501'", [tenant.id]);
  const all = { id, all: "1", rows: "50", matching: "search=C" };
  const chosen = chosenIn((await admin.post("/companies/connect", all)).text) ?? "";
  await admin.post("/companies/connect", { ...connection, chosen });
  assert.equal((await connectionsOf(tenant)).filter(({ subdomain }) => subdomain === "north").length, 500);
});
