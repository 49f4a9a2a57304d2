import assert from "node:assert/strict";
import { test } from "node:test";
import { changeLines } from "../../doors/pages/change-lines.ts";
import { codeOf } from "../../doors/pages/second-factor.ts";
import { PASSWORD, signedIn, visitor, type Member, type Visitor } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";

const server = await startServer();
const ROMANIAN = { "accept-language": "ro" };
const DAY = /\d{1,2} \w{3} \d{4}, \d\d:\d\d/g;

async function workspace(): Promise<{ tenant: TestTenant; admin: Member; member: Member }> {
  const tenant = await server.createTenant();
  const admin = await signedIn(server, tenant, { role: "admin", name: "Ana Pop" });
  return { tenant, admin, member: await signedIn(server, tenant, { name: "Bob" }) };
}

/** The history of one type, newest first, with a word for each moment. */
async function told(who: Visitor, type: string, headers = {}): Promise<string[]> {
  const { status, text } = await who.get(`/history?type=${type}`, headers);
  assert.equal(status, 200);
  return changeLines(text).map((line) => line.replaceAll(DAY, "DAY"));
}

/** The link in a page that shows it once. */
const linkIn = (text: string) =>
  /<pre id="link" tabindex="0">[^<]*(\/invitations\/[\w-]+)<\/pre>/.exec(text)?.[1] ?? "";

test("every member sees changed roles, deactivations and reactivations, with their author", async () => {
  const { admin, member } = await workspace();
  const own = `/users/${member.userId}`;
  await admin.post(own, { role: "admin" });
  await admin.post(own, { role: "admin" });
  await admin.post(`${own}/deactivate`);
  await admin.post(`${own}/deactivate`);
  await admin.post(`${own}/reactivate`);
  const lines = [
    "Ana Pop changed the user Bob: status from Deactivated to Active",
    "Ana Pop changed the user Bob: status from Active to Deactivated",
    "Ana Pop changed the user Bob: role from Member to Admin",
    `The command line created the user Bob 3 fields Name: Bob E-mail: ${member.email} Role: Member`,
  ];
  assert.deepEqual((await told(admin, "user")).slice(0, 4), lines);
  const other = (await workspace()).member;
  assert.deepEqual(
    await told(other, "user"),
    (await told(other, "user")).filter((line) => !line.includes(member.email)),
  );
  assert.equal(
    (await told(admin, "user", ROMANIAN))[0],
    "Ana Pop a modificat utilizatorul Bob: stare din Dezactivat în Activ",
  );
});

test("invitations made, made again, revoked, accepted, and ended with their maker's rights are in the history", async () => {
  const { tenant, admin, member } = await workspace();
  await admin.post("/users", { email: "first@example.com" });
  await admin.post("/users", { email: "first@example.com", role: "admin" });
  const [row] = await server.sql("select id from invitations where tenant_id = $1", [tenant.id]);
  await admin.post(`/users/invitations/${String(row?.id)}/revoke`);
  const path = linkIn((await admin.post("/users", { email: "second@example.com" })).text);
  const person = visitor(server);
  assert.equal((await person.post(path, { name: "Ion Marin", password: "violet harbour 91" })).status, 303);
  assert.deepEqual(await told(member, "invitation"), [
    "second@example.com accepted the invitation",
    "Ana Pop created the invitation of second@example.com 2 fields Role: Member Valid until: DAY",
    "Ana Pop changed the invitation of first@example.com: revoked from No to Yes",
    "Ana Pop changed the invitation of first@example.com: role and valid until Role from Member to Admin Valid until from DAY to DAY",
    "Ana Pop created the invitation of first@example.com 2 fields Role: Member Valid until: DAY",
  ]);
  assert.equal(
    (await told(member, "user"))[0],
    "An invited person created the user Ion Marin 3 fields Name: Ion Marin E-mail: second@example.com Role: Member",
  );
  const inviter = await signedIn(server, tenant, { role: "admin", name: "Dan" });
  await inviter.post("/users", { email: "third@example.com" });
  await admin.post(`/users/${inviter.userId}/deactivate`);
  assert.equal(
    (await told(member, "invitation"))[0],
    "Ana Pop changed the invitation of third@example.com: revoked from No to Yes",
  );
});

test("API keys made, replaced and revoked are in the history, without tokens", async () => {
  const { tenant, admin, member } = await workspace();
  const capabilities = ["companies:read", "contacts:write"];
  const { text } = await admin.post("/keys", { name: "Shop", capabilities });
  const token = /<pre id="token" tabindex="0">([^<]+)<\/pre>/.exec(text)?.[1] ?? "";
  const [row] = await server.sql("select id, prefix, last4 from api_keys where tenant_id = $1 and name = 'Shop'", [
    tenant.id,
  ]);
  await tenant.get("/api/v1/companies", { token });
  await admin.post(`/keys/${String(row?.id)}/reroll`);
  await admin.post(`/keys/${String(row?.id)}/revoke`);
  await admin.post(`/keys/${String(row?.id)}/revoke`);
  const may = "Permissions: See companies and their history, Create, change and delete contacts";
  assert.deepEqual((await told(member, "api_key")).slice(0, 4), [
    "Ana Pop changed the API key Shop: revoked from No to Yes",
    `Ana Pop created the API key Shop 2 fields Name: Shop ${may}`,
    "Ana Pop changed the API key Shop: valid until: DAY",
    `Ana Pop created the API key Shop 2 fields Name: Shop ${may}`,
  ]);
  const stored = JSON.stringify(await server.sql("select * from changes where tenant_id = $1", [tenant.id]));
  const pages = `${(await member.get("/history")).text}${stored}`;
  for (const secret of [token, token.slice(-43), String(row?.prefix), String(row?.last4)]) {
    assert.ok(!pages.includes(secret));
  }
});

test("the changed settings of the workspace are in the history", async () => {
  const { tenant, admin, member } = await workspace();
  const settings = { name: "Acme SRL", country: "Romania", time_zone: "Europe/Chisinau" };
  await admin.post("/workspace", settings);
  await admin.post("/workspace", settings);
  assert.deepEqual(await told(member, "workspace"), [
    `Ana Pop changed the workspace Acme SRL: name and time zone Name from Tenant ${tenant.slug} to Acme SRL Time zone from Europe/Bucharest to Europe/Chisinau`,
  ]);
});

test("the history has a second factor's switches by its owner, and resets by others", async () => {
  const { tenant, admin, member } = await workspace();
  await member.post("/profile/second-factor");
  const shown = /id="secret">([^<]+)</.exec((await member.get("/profile/second-factor")).text)?.[1] ?? "";
  const secret = shown.replaceAll(" ", "");
  const on = await member.post("/profile/second-factor/confirm", { code: codeOf(secret) });
  assert.equal(on.status, 200);
  assert.equal((await member.post("/profile/second-factor/end", { password: PASSWORD })).status, 303);
  await server.sql("update users set totp_secret = 'x', totp_confirmed_at = now() where id = $1", [member.userId]);
  await admin.post(`/users/${member.userId}/second-factor/reset`);
  assert.deepEqual((await told(admin, "user")).slice(0, 4), [
    "Ana Pop changed the user Bob: second factor from On to Off",
    "The command line changed the user Bob: second factor from Off to On",
    "Bob changed the user Bob: second factor from On to Off",
    "Bob changed the user Bob: second factor from Off to On",
  ]);
  const stored = JSON.stringify(await server.sql("select * from changes where tenant_id = $1", [tenant.id]));
  assert.ok(!stored.includes(secret));
});

test("a warehouse's key written, replaced and removed, and the switch, are in the history, also in the company's", async () => {
  const { tenant, admin, member } = await workspace();
  const id = (await tenant.post("/api/v1/companies", { name: "Acme" })).body.data.id;
  const path = `/companies/${id}/warehouse`;
  const key = "key-of-the-north-0123";
  await admin.post(path, { wms_subdomain: "north", wms_api_key: key });
  await admin.post(path, { wms_subdomain: "north", wms_api_key: "", send_automatically: "1" });
  await admin.post(path, { wms_subdomain: "north", wms_api_key: "key-of-the-north-4567", send_automatically: "1" });
  await tenant.put(`/api/v1/companies/${id}`, { city: "Turda" });
  const lines = [
    "Ana Pop disconnected Acme from its warehouse",
    "Ana Pop saved a new key of Acme for the warehouse",
    "Ana Pop switched automatic sending of Acme on",
    "Ana Pop connected Acme to a warehouse",
  ];
  assert.equal((await told(member, "connection"))[0], "Ana Pop saved a new key of Acme for north");
  await admin.post(`${path}/remove`);
  assert.deepEqual(await told(member, "connection"), lines);
  const own = changeLines((await member.get(`/history?company=${id}`)).text).map((line) => line.replaceAll(DAY, "DAY"));
  assert.deepEqual(
    own.filter((line) => /warehouse$|sending/.test(line)),
    lines.map((line) => line.replace("Acme", "the company")),
  );
  assert.match((await member.get(`/companies/${id}`)).text, /disconnected the company from its warehouse/);
  const stored = JSON.stringify(await server.sql("select * from changes where tenant_id = $1", [tenant.id]));
  for (const part of ["0123", "4567", "v1."]) assert.ok(!stored.includes(part), part);
});

test("what the workspace itself has changed is in no history of the API, also of a resource with the same id", async () => {
  const { tenant, admin } = await workspace();
  const id = (await tenant.post("/api/v1/companies", { name: "Acme" })).body.data.id;
  await admin.post(`/companies/${id}/warehouse`, { wms_subdomain: "north", wms_api_key: "key-of-the-north" });
  for (const type of ["user", "invitation", "api_key", "workspace"]) {
    await server.sql(
      `insert into changes (tenant_id, at, type, resource_id, action, changed, changed_by)
       values ($1, now(), $2, $3, 'updated', '{"role":{"from":"member","to":"admin"}}', 'command')`,
      [tenant.id, type, id],
    );
  }
  const { body } = await tenant.get(`/api/v1/companies/${id}/history`);
  assert.deepEqual(
    body.data.map(({ type, changed }: { type: string; changed: object }) => [type, Object.keys(changed)]),
    [
      ["company", ["wms_subdomain"]],
      ["company", ["name", "country", "status"]],
    ],
  );
  assert.equal(body.total, 2);
});

test("a filter shows what invited persons did, and everything has a word in both languages", async () => {
  const { tenant, admin } = await workspace();
  const path = linkIn((await admin.post("/users", { email: "ion@example.com" })).text);
  await visitor(server).post(path, { name: "Ion", password: "violet harbour 91" });
  const by = changeLines((await admin.get("/history?by=invitation")).text);
  const said = ["An invited person created the user Ion", "ion@example.com accepted the invitation"];
  assert.deepEqual(
    by.map((line, at) => line.startsWith(said[at] ?? "nothing")),
    [true, true],
    by.join("\n"),
  );
  await tenant.createKey();
  for (const headers of [{}, ROMANIAN]) {
    const { text } = await admin.get("/history", headers);
    assert.doesNotMatch(text, /_at|>api.key|totp/);
  }
});
