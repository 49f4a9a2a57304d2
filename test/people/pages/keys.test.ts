import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { buildApp } from "../../../src/doors/app.ts";
import { capabilities } from "../../../src/people/api-keys/capability.ts";
import { dayAfter, daysUntil } from "../../../src/platform/dates.ts";
import { connect } from "../../doors/agents/clients.ts";
import { signedIn, type PageAnswer } from "../../doors/pages/visitor.ts";
import { request, startServer } from "../../harness.ts";
import { poll } from "../../program.ts";
import { later, SECOND } from "../sessions/clock.ts";

const server = await startServer();
const tenant = await server.createTenant();
const admin = await signedIn(server, tenant, { role: "admin" });

function tokenIn({ text }: PageAnswer): string {
  const [, token] = /<pre id="token"[^>]*>([^<]+)<\/pre>/.exec(text) ?? [];
  assert.ok(token, text);
  return token;
}

async function newestKey(): Promise<string> {
  const [row] = await server.sql("select max(id) as id from api_keys");
  return String(row?.id);
}

/** Uses of keys are written beside the answer. */
async function pageWith(path: string, pattern: RegExp): Promise<PageAnswer> {
  let answer: PageAnswer | undefined;
  await poll(`${pattern} at ${path}`, async () => pattern.test((answer = await admin.get(path)).text));
  assert.ok(answer !== undefined);
  return answer;
}

for (const [capabilities, path] of [
  [["invoices:write", "wms-orders:read"], "invoices"],
  [["contacts:read", "changes:read"], "changes"],
  [["addresses:write"], "addresses"],
  [["contacts:erase"], null],
] as const) {
  test(`a new key is tried with what it may read: ${capabilities.join(", ")}`, async () => {
    await tenant.post("/api/v1/companies", { name: "Acme" });
    const created = await admin.post("/keys", { name: "Tried", capabilities: [...capabilities] });
    const token = tokenIn(created);
    const [, tried = null] = /Bearer [^ ]+ http:\/\/[^/]+(\/api\/v1\/\S+?)<\/pre>/.exec(created.text) ?? [];
    if (path === null) return assert.equal(tried, null);
    assert.ok(tried?.endsWith(path), String(tried));
    assert.equal((await tenant.get(String(tried), { token })).status, 200);
  });
}

test("a new key is shown once, with a command that tries it, and works", async () => {
  const form = { name: "Shop", capabilities: ["companies:read", "contacts:write"], rate: "7", networks: "127.0.0.0/8" };
  const created = await admin.post("/keys", form);
  const token = tokenIn(created);
  assert.ok(
    created.text.includes(`curl -H &quot;Authorization: Bearer ${token}&quot; ${server.url}/api/v1/companies`) ||
      created.text.includes(`curl -H "Authorization: Bearer ${token}" ${server.url}/api/v1/companies`),
  );
  const answer = await tenant.get("/api/v1/companies", { token });
  assert.deepEqual([answer.status, answer.headers.get("x-ratelimit-limit")], [200, "7"]);
  const id = await newestKey();
  for (const path of ["/keys", `/keys/${id}`]) {
    const { text } = await admin.get(path);
    assert.ok(!text.includes(token.slice(token.indexOf(".") + 9, -4)), `${path} shows the key`);
  }
  const used = await pageWith(`/keys/${id}`, /from 127\.0\.0\.1/);
  assert.match(used.text, /from 127\.0\.0\.1/);
  const counted = await pageWith(`/keys/${id}`, /Used in the last 30 days: 1 of 4/);
  assert.match(counted.text, /Used in the last 30 days: 1 of 4/);
  assert.match(counted.text, /Contacts: <span title="See contacts">See<\/span> <span class="muted">\(not used\)/);
});

test("a key that was replaced goes on for a day, beside one that may do the same", async () => {
  const { id, token } = await tenant.createKey({ name: "ERP", capabilities: ["companies:read"], rate: 9 });
  const successor = tokenIn(await admin.post(`/keys/${id}/reroll`));
  assert.notEqual(successor, token);
  for (const each of [token, successor]) {
    const answer = await tenant.get("/api/v1/companies", { token: each });
    assert.deepEqual([answer.status, answer.headers.get("x-ratelimit-limit")], [200, "9"]);
    assert.equal((await tenant.post("/api/v1/companies", { name: "A" }, { token: each })).status, 403);
  }
  const [row] = await server.sql(
    "select extract(epoch from expires_at - now()) / 3600 as hours from api_keys where id = $1",
    [id],
  );
  assert.ok(Number(row?.hours) > 23.9 && Number(row?.hours) <= 24);
  const shown = await admin.get(`/keys/${id}`);
  assert.match(shown.text, /Replaced<\/span> <span class="muted">works until \d+ \w+ \d{4}, \d\d:\d\d</);
  assert.match(shown.text, /<dt>Expires on<\/dt><dd>\d+ \w+ \d{4}, \d\d:\d\d</);
  assert.doesNotMatch(shown.text, /reroll/, "it has its successor");
  const named = await admin.post(`/keys/${id}`, { name: " ERP of before " });
  assert.equal(named.location?.split("?")[0], `/keys/${id}`);
  assert.match((await admin.get("/keys")).text, />ERP of before<[^]*?Replaced/);
  assert.match((await admin.get("/history?type=api_key")).text, /name<\/span> from ERP to ERP of before/i);
  for (const name of ["", "x".repeat(256)]) {
    const refused = await admin.post(`/keys/${id}`, { name });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /Please give the key a name/);
  }
});

test("a key that several pages replace at once gets one successor", async () => {
  const { id } = await tenant.createKey({ name: "Replaced at once" });
  const answers = await Promise.all(Array.from({ length: 5 }, async () => await admin.post(`/keys/${id}/reroll`)));
  assert.deepEqual(answers.filter(({ status }) => status === 200).length, 1);
  const keys = await server.sql("select replaced_at is null as works from api_keys where name = 'Replaced at once'");
  assert.deepEqual(keys.filter(({ works }) => works).length, 1);
});

test("another name is the named key's alone, and a revoked key keeps its own", async () => {
  const { id } = await tenant.createKey({ name: "Shop" });
  const keys = async () => await server.sql("select id, name from api_keys order by id");
  const before = await keys();
  const renamed = before.map((key) => ({ id: key.id, name: Number(key.id) === id ? "Shop of Cluj" : key.name }));
  await admin.post(`/keys/${id}`, { name: "Shop of Cluj" });
  assert.deepEqual(await keys(), renamed);
  await admin.post(`/keys/${id}/revoke`);
  await admin.get("/keys");
  await admin.post(`/keys/${id}`, { name: "Shop of Dej" });
  assert.deepEqual(await keys(), renamed);
  assert.doesNotMatch((await admin.get(`/keys/${id}`)).text, /The name is saved/);
});

test("a key that ends within the day is not prolonged by being replaced", async () => {
  const { id } = await tenant.createKey({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
  tokenIn(await admin.post(`/keys/${id}/reroll`));
  const [row] = await server.sql(
    "select expires_at < now() + interval '1 hour 1 minute' as soon from api_keys where id = $1",
    [id],
  );
  assert.equal(row?.soon, true);
});

test("the requests of 30 days are counted, whichever processes let them in, and told before a key is revoked", async () => {
  const { id, token } = await tenant.createKey();
  await server.sql(
    `insert into key_requests (tenant_id, day, key_id, requests)
     select $1, current_date - n, $2, 1000 from unnest(array[29, 30, 34, 35, 400]) n`,
    [tenant.id, id],
  );
  for (const times of [3, 2]) {
    const { server: other } = buildApp(server.deps);
    const url = await other.listen({ host: "127.0.0.1", port: 0 });
    for (let n = 0; n < times; n++) await request(url, "GET", "/api/v1/companies", undefined, { token });
    await other.close();
  }
  assert.match((await pageWith(`/keys/${id}/revoke`, /: 1,005</)).text, /Requests in 30 days: 1,005</);
  for (const page of [`/keys/${id}`, "/keys"]) assert.match((await admin.get(page)).text, />1,005</, page);
  const [kept] = await server.sql("select count(*)::int as days from key_requests where key_id = $1", [id]);
  assert.equal(kept?.days, 4, "what is older than 35 days is forgotten");
});

test("a revoked key is refused within five seconds, and offers nothing more", async () => {
  const { id, token } = await tenant.createKey();
  later(0);
  assert.equal((await tenant.get("/api/v1/companies", { token })).status, 200);
  const answer = await admin.post(`/keys/${id}/revoke`);
  assert.equal(answer.location, "/keys");
  assert.match((await admin.get("/keys")).text, /The key is revoked\./);
  later(5 * SECOND);
  assert.equal((await tenant.get("/api/v1/companies", { token })).status, 403);
  assert.doesNotMatch((await admin.get(`/keys/${id}`)).text, /<button class="danger">/);
});

test("a key that is not active any more is not replaced, whatever page somebody still has open", async () => {
  const ended = [await tenant.createKey(), await tenant.createKey(), await tenant.createKey()].map(({ id }) => id);
  await admin.post(`/keys/${ended[0]}/revoke`);
  await server.sql("update api_keys set expires_at = now() where id = $1", [ended[1]]);
  await admin.post(`/keys/${ended[2]}/reroll`);
  const before = await newestKey();
  for (const id of ended) {
    const answer = await admin.post(`/keys/${id}/reroll`);
    assert.deepEqual([answer.status, answer.location], [303, `/keys/${id}`]);
  }
  assert.equal(await newestKey(), before);
});

for (const [zone, day, last, shown] of [
  ["Europe/Bucharest", "2030-03-31", "2030-03-31T20:59:59Z", "31 Mar 2030"],
  ["America/New_York", "2030-12-31", "2031-01-01T04:59:59Z", "31 Dec 2030"],
  ["Pacific/Kiritimati", "2030-03-01", "2030-03-01T09:59:59Z", "1 Mar 2030"],
] as const) {
  test(`the day that a key ends on is its last one, in the workspace's zone: ${zone}`, async () => {
    const firm = await server.createTenant();
    const person = await signedIn(server, firm, { role: "admin" });
    await person.post("/workspace", { time_zone: zone });
    tokenIn(await person.post("/keys", { name: "Shop", capabilities: "companies:read", expires: day }));
    const [key] = await server.sql("select expires_at from api_keys where tenant_id = $1 order by id desc limit 1", [
      firm.id,
    ]);
    assert.deepEqual(key?.expires_at, new Date(last));
    assert.ok((await person.get("/keys")).text.includes(`until ${shown}`));
  });
}

test("a wrong field of a new key is named at its place, in the page's language, and nothing is made", async () => {
  const before = await newestKey();
  const wrong = { name: " ", expires: "2020-01-01", networks: "nowhere", rate: "-1" };
  const english = await admin.post("/keys", wrong);
  assert.equal(english.status, 422);
  for (const field of ["name", "capabilities", "expires", "networks", "rate"]) {
    assert.match(english.text, new RegExp(`<p class="error" id="${field}-error">Please `), field);
  }
  const romanian = await admin.post("/keys", wrong, { "sec-fetch-site": "same-origin", "accept-language": "ro" });
  assert.match(romanian.text, /Alegeți cel puțin o permisiune/);
  assert.equal(await newestKey(), before);
});

test("every capability is offered, in words", async () => {
  const { text } = await admin.get("/keys/new");
  for (const capability of capabilities) assert.ok(text.includes(`value="${capability}"`), capability);
});

test("a key's hostile name is text wherever it is shown", async () => {
  const name = `<script>alert(1)</script>"'`;
  const { text } = await admin.post("/keys", { name, capabilities: "companies:read" });
  const id = await newestKey();
  for (const page of [text, (await admin.get("/keys")).text, (await admin.get(`/keys/${id}`)).text]) {
    assert.ok(page.includes("&lt;script&gt;"));
    assert.ok(!page.includes("<script>alert"));
  }
});

test("a key for an assistant reads, expires in 30 days, and is shown once in the configuration of each client", async () => {
  const [, heading = "", rest = ""] =
    /<header class="heading">([^]*?)<\/header>([^]*)/.exec((await admin.get("/keys")).text) ?? [];
  assert.deepEqual(
    [...heading.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href),
    ["/keys/new"],
    "one line on a phone",
  );
  assert.match(rest, /href="\/keys\/assistant"/);
  const { text: form } = await admin.get("/keys/assistant");
  const [, expires = ""] = /name="expires" type="date" value="([\d-]+)"/.exec(form) ?? [];
  assert.equal(daysUntil(expires, "Europe/Bucharest"), 30);
  assert.match(form, /value="read" checked/);
  const created = await admin.post("/keys/assistant", { name: "Ana's Claude", preset: "read", expires });
  const token = tokenIn(created);
  const shown = (id: string) => {
    const [, text = ""] = new RegExp(`<pre id="${id}"[^>]*>([^<]+)</pre>`).exec(created.text) ?? [];
    return text.replaceAll("&quot;", '"');
  };
  const url = `${server.url}/mcp`;
  const headers = { Authorization: `Bearer ${token}` };
  assert.deepEqual(JSON.parse(shown("cursor")).mcpServers.liaison, { type: "http", url, headers });
  assert.deepEqual(JSON.parse(shown("vs-code")).servers.liaison, { type: "http", url, headers });
  const { args, env } = JSON.parse(shown("claude-desktop")).mcpServers.liaison;
  assert.deepEqual(args.slice(0, 5), ["-y", "mcp-remote", url, "--header", "Authorization:${AUTHORIZATION}"]);
  assert.deepEqual([args[5], env], ["--allow-http", { AUTHORIZATION: headers.Authorization }]);
  const add = `claude mcp add --transport http --scope user liaison ${url} --header "Authorization: Bearer ${token}"`;
  assert.deepEqual([shown("claude-code"), shown("address")], [add, url]);
  const assistant = await connect(server.url, token);
  assert.ok((await assistant.tools()).includes("get_invoice"));
  assert.ok(!(await assistant.tools()).includes("upsert_company"));
  const { key } = (await tenant.get("/api/v1/me", { token })).body.data;
  assert.ok(key.capabilities.every((capability: string) => capability.endsWith(":read")));
  assert.equal(daysUntil(key.expires_at.slice(0, 10), "Europe/Bucharest"), 30);
  assert.ok(!(await admin.get("/keys")).text.includes(token.slice(-20)));
});

test("a key for an assistant is confirmed on the page by default, and its successor too", async () => {
  const { text: form } = await admin.get("/keys/assistant");
  assert.match(form, /name="confirms" value="on" checked/);
  assert.match(form, /Deletions, merges, sendings, payments and batches are confirmed on the page/);
  assert.match(form, /A client that can show a form asks by the form instead/, "the page promises no more than holds");
  const right = { name: "Writer", preset: "records", expires: dayAfter(30, "UTC") };
  const { id } = (await tenant.post("/api/v1/companies", { name: "Asked about" })).body.data;
  const etag = (await tenant.get(`/api/v1/companies/${id}`)).headers.get("etag") ?? "";
  const told = async (token: string) =>
    (await (await connect(server.url, token)).call("delete_company", { request_id: randomUUID(), id, etag })).data;
  const confirmed = tokenIn(await admin.post("/keys/assistant", { ...right, confirms: "on" }));
  assert.match((await told(confirmed)).next, /It waits for Ana Pop's confirmation at confirm_at/);
  const successor = tokenIn(await admin.post(`/keys/${await newestKey()}/reroll`));
  assert.ok((await told(successor)).confirm_at.startsWith(`${server.url}/agents/pending#request-`));
  const usual = tokenIn(await admin.post("/keys/assistant", right));
  assert.ok((await told(usual)).confirm !== undefined);
});

for (const [field, value] of [
  ["name", ""],
  ["preset", "everything"],
  ["expires", ""],
  ["expires", "2020-01-01"],
  ["expires", "2099-01-01"],
] as const) {
  test(`no key for an assistant is made with ${field} "${value}"`, async () => {
    const before = await newestKey();
    const right = { name: "A", preset: "orders", expires: dayAfter(30, "UTC") };
    const answer = await admin.post("/keys/assistant", { ...right, [field]: value });
    assert.equal(answer.status, 422);
    assert.match(answer.text, new RegExp(`id="${field}-error"`));
    assert.equal(await newestKey(), before);
  });
}
