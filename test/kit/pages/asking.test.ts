import assert from "node:assert/strict";
import { test } from "node:test";
import { codeOf } from "../../doors/pages/second-factor.ts";
import { operatorIn, signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

const server = await startServer();
const tenant = await server.createTenant();
const admin = await signedIn(server, tenant, { role: "admin", name: "Ana Pop" });

/** The page behind the button of a page, and the button's own form there. */
async function asked(who: typeof admin, page: string, path: string, button: string): Promise<string> {
  assert.ok((await who.get(page)).text.includes(`href="${path}"`), "it is a link, and nothing is done by it");
  const { status, text } = await who.get(path);
  assert.equal(status, 200);
  assert.match(
    text,
    new RegExp(
      `<form method="post" action="${path}">(?:<p><label>[^]*?</label></p>)?<p class="actions"><button class="danger">${button}`,
    ),
  );
  assert.ok(text.includes(`href="${page}">Cancel`));
  return text;
}

test("revoking a key asks first, and says how much it is used", async () => {
  const used = await tenant.createKey({ capabilities: ["companies:read", "contacts:read"] });
  await tenant.get("/api/v1/companies", { token: used.token });
  const path = `/keys/${used.id}`;
  const use = /In the last 30 days programs used 1 of its 3 permissions\./;
  assert.match(await asked(admin, path, `${path}/revoke`, "Revoke"), use);
  assert.equal((await tenant.get("/api/v1/companies", { token: used.token })).status, 200);
  await admin.post(`${path}/revoke`);
  assert.equal((await admin.get(`${path}/revoke`)).location, path, "there is nothing to ask any more");
  const unused = `/keys/${(await tenant.createKey()).id}`;
  assert.match(await asked(admin, unused, `${unused}/revoke`, "Revoke"), /No program used it/);
});

test("removing a connection asks first, and counts the orders under way", async () => {
  const { id } = (await tenant.post("/api/v1/companies", { name: "Nord" })).body.data;
  const path = `/companies/${id}/warehouse`;
  assert.equal((await admin.get(`${path}/remove`)).location, path);
  await admin.post(path, { wms_subdomain: "north", wms_api_key: "key-of-the-warehouse" });
  for (const number of ["N-1", "N-2"]) await tenant.post(`/api/v1/companies/${id}/invoices`, { number });
  await tenant.post(`/api/v1/companies/${id}/invoices`, { number: "N-3" });
  // The one that was shipped a while ago is still asked for, and is under way no more.
  await server.sql(
    `update invoices set wms_instance = 'north', wms_order_id = id, wms_poll_at = now(),
      wms_status = case when number = 'N-3' then 'shipped' else 'picking' end where company_id = $1`,
    [id],
  );
  const orders = /2 orders are under way and would no longer be followed\./;
  assert.match(await asked(admin, path, `${path}/remove`, "Remove connection"), orders);
  assert.equal((await tenant.get(`/api/v1/companies/${id}`)).body.data.wms_subdomain, "north");
});

test("deactivating a user asks first, and counts companies and sessions", async () => {
  const person = await signedIn(server, tenant, { name: "Mihai D." });
  for (const name of ["A", "B", "C"]) await tenant.post("/api/v1/companies", { name, assigned_to: person.userId });
  const path = `/users/${person.userId}`;
  const text = await asked(admin, path, `${path}/deactivate`, "Deactivate");
  assert.match(text, /Deactivate Mihai D\.\?[^]*1 session will end\.[^]*Give 3 companies to <select name="owner">/);
  assert.equal((await person.get("/companies")).status, 200);
  await admin.post(`${path}/deactivate`);
  assert.equal((await admin.get(`${path}/deactivate`)).location, path);
});

test("deactivating an admin shows how many keys of the person's stay valid", async () => {
  const person = await signedIn(server, tenant, { name: "Radu", role: "admin" });
  const path = `/users/${person.userId}/deactivate`;
  assert.doesNotMatch((await admin.get(path)).text, /API keys? that/);
  for (const name of ["ERP", "Shop"])
    assert.equal((await person.post("/keys", { name, capabilities: "companies:read" })).status, 200);
  assert.match((await admin.get(path)).text, /2 API keys that this person made stay valid\.[^]*href="\/keys"/);
});

test("switching somebody's second factor off asks first, and counts sessions and recovery codes", async () => {
  const person = await signedIn(server, tenant, { name: "Ioana" });
  const path = `/users/${person.userId}`;
  assert.equal((await admin.get(`${path}/second-factor/reset`)).location, path);
  await server.sql("update users set totp_secret = 'k1:AAAA', totp_confirmed_at = now() where id = $1", [
    person.userId,
  ]);
  await server.sql(
    "insert into recovery_codes (tenant_id, user_id, code_hash) select tenant_id, id, sha256(n::text::bytea) from users, generate_series(1, 8) n where id = $1",
    [person.userId],
  );
  const text = await asked(admin, path, `${path}/second-factor/reset`, "Switch the second factor off");
  assert.match(text, /1 session will end\.[^]*8 recovery codes stop working\./);
});

test("switching one's own second factor off says how many recovery codes stop working", async () => {
  const person = await signedIn(server, tenant, { name: "Radu" });
  await person.post("/profile/second-factor");
  const [, secret = ""] = /id="secret">([^<]+)</.exec((await person.get("/profile/second-factor")).text) ?? [];
  await person.post("/profile/second-factor/confirm", { code: codeOf(secret.replaceAll(" ", "")) });
  const { text } = await person.get("/profile/second-factor");
  assert.match(text, /10 recovery codes stop working\.[^]*<button class="danger">Switch it off/);
});

test("suspending a tenant asks first, and counts people and keys", async () => {
  const own = await server.createTenant();
  await signedIn(server, own);
  const operator = await operatorIn(server);
  const path = `/operator/tenants/${own.slug}`;
  const page = await asked(operator as never, path, `${path}/suspend`, "Suspend");
  assert.match(page, /active users: 1\) and refuses its keys \(1\)/);
  await operator.post(`${path}/suspend`);
  assert.equal((await operator.get(`${path}/suspend`)).location, path);
});

test("a page asks in the person's language whether to deactivate somebody", async () => {
  const person = await signedIn(server, tenant, { role: "admin" });
  await person.post("/profile", { language: "ro" });
  const { text } = await person.get(`/users/${admin.userId}/deactivate`);
  assert.match(text, /Dezactivați contul Ana Pop\?[^]*1 sesiune se încheie\./);
});
