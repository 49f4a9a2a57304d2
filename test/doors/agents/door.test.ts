import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { revokeApiKey } from "../../../src/people/api-keys/api-key-queries.ts";
import { capabilities } from "../../../src/people/api-keys/capability.ts";
import { setSuspended } from "../../../src/people/tenants/tenant-queries.ts";
import { startServer } from "../../harness.ts";
import { poll } from "../../program.ts";
import { connect, connectEarlier, rawCall } from "./clients.ts";

const ORIGIN = "https://assistant.example";
/** The page about an error that is in no table. */
const HELP = '</docs/guides/agents>; rel="help"';
const server = await startServer({ LIAISON_CORS_ORIGINS: ORIGIN });
const tenant = await server.createTenant();

type Sent = { method?: string; headers?: Record<string, string>; body?: string | Buffer };

async function send({ method = "POST", headers = {}, body }: Sent, token: string | null = tenant.token) {
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  const { headers: usual } = rawCall("tools/call", { name: "whoami" });
  const answer = await fetch(`${server.url}/mcp`, {
    method,
    headers: { ...usual, ...authorization, ...headers },
    ...(body !== undefined && { body }),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const whoami = JSON.stringify(rawCall("tools/call", { name: "whoami", arguments: {} }).message);

test("GET and DELETE are 405, an unknown path below it is 404", async () => {
  for (const method of ["GET", "DELETE", "PUT"]) {
    const answer = await send({ method });
    assert.deepEqual([answer.status, answer.headers.get("allow")], [405, "POST, OPTIONS"]);
  }
  const answer = await fetch(`${server.url}/mcp/more`, { method: "POST" });
  assert.equal(answer.status, 404);
});

test("an array of messages, whatever is in it, and a body that is no JSON are refused as a whole", async () => {
  const { id } = (await tenant.post("/api/v1/companies", { name: "Before" })).body.data;
  const params = { name: "upsert_company", arguments: { request_id: randomUUID(), id, name: "After" } };
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  for (const body of [
    JSON.stringify([call]),
    `[${Array(100).fill(JSON.stringify(call)).join()}]`,
    "{",
    "",
    "7",
    "null",
  ]) {
    const answer = await send({ body, headers: { "mcp-protocol-version": "2025-03-26" } });
    assert.equal(answer.status, 400, answer.text);
    assert.equal(JSON.parse(answer.text).error.code, -32_600);
    assert.equal(answer.headers.get("link"), HELP);
  }
  assert.equal((await tenant.get(`/api/v1/companies/${id}`)).body.data.name, "Before");
});

test("subscriptions/listen is refused at once, and takes none of the tenant's places", async () => {
  const { headers, message } = rawCall("subscriptions/listen", { notifications: { toolsListChanged: true } });
  const listening = Array.from({ length: 400 }, async () => await send({ headers, body: JSON.stringify(message) }));
  const answers = await Promise.all(listening);
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([404]));
  assert.equal(JSON.parse(answers[0]?.text ?? "").error.code, -32_601);
  assert.equal((await tenant.get("/api/v1/companies")).status, 200);
});

test("null for a parameter that a client leaves out is no parameter", async () => {
  const company = (await tenant.post("/api/v1/companies", { name: "No parameters" })).body.data.id;
  for (const [method, params] of [
    ["tools/list", { cursor: null }],
    ["resources/list", { cursor: null }],
    ["prompts/list", { cursor: null }],
    ["tools/call", { name: "whoami", arguments: null }],
    ["tools/call", { name: "list_invoices", arguments: { company, cursor: null, limit: null } }],
  ] as const) {
    const { headers, message } = rawCall(method, params);
    const { text } = await send({ headers, body: JSON.stringify(message) });
    const { result, error } = JSON.parse(text);
    assert.deepEqual([error, result?.isError ?? false], [undefined, false], `${method}: ${text}`);
  }
});

test("a body has at most 1 MiB, unpacked too, and gzip is unpacked", async () => {
  const packed = await send({ body: gzipSync(whoami), headers: { "content-encoding": "gzip" } });
  assert.equal(packed.status, 200);
  assert.match(packed.text, /"slug"/);
  const large = whoami.replace(`"arguments":{}`, `"arguments":{"x":"${"x".repeat(2 ** 20)}"}`);
  assert.equal((await send({ body: large })).status, 413);
  assert.equal((await send({ body: gzipSync(large), headers: { "content-encoding": "gzip" } })).status, 413);
  assert.equal((await send({ body: whoami, headers: { "content-encoding": "br" } })).status, 415);
});

test("a message of more than 10,000 members is refused as a whole: none of its items is left out", async () => {
  const company = (await tenant.post("/api/v1/companies", { name: "Many lines" })).body.data.id;
  const lines = Array.from({ length: 30 }, () => ({ description: "Box", quantity: 1, unit_price: 1 }));
  const batchOf = (count: number) => {
    const items = Array.from({ length: count }, (_, index) => ({ number: `M-${index}`, company_id: company, lines }));
    const { headers, message } = rawCall("tools/call", { name: "preview_batch" });
    const { _meta } = message.params;
    const params = { _meta, name: "preview_batch", arguments: { kind: "invoices", items } };
    return { headers, body: JSON.stringify({ ...message, params }) };
  };
  const few = await send(batchOf(75));
  assert.equal(JSON.parse(few.text).result.structuredContent.counts.created, 75);
  const many = await send(batchOf(100));
  assert.deepEqual([many.status, many.headers.get("x-error-code")], [413, "body_too_large"], many.text);
});

test("a message of more than 1,000 members outside of arguments is refused", async () => {
  const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, {}]));
  const { params, ...message } = JSON.parse(whoami);
  const open = (count: number) => [
    { ...message, params: { ...params, _meta: members(count) } },
    { ...message, params: { ...params, arguments: members(count) } },
    { ...message, method: "initialize", params: { capabilities: { experimental: members(count) } } },
    { ...message, method: "initialize", params: { clientInfo: { icons: Object.values(members(count)) } } },
    { ...message, ...members(count) },
  ];
  for (const few of open(900)) assert.notEqual((await send({ body: JSON.stringify(few) })).status, 413);
  for (const many of open(1_001)) {
    const { status, headers } = await send({ body: JSON.stringify(many) });
    assert.deepEqual([status, headers.get("x-error-code")], [413, "body_too_large"]);
  }
});

test("an Origin must be one of LIAISON_CORS_ORIGINS, and then may read the answer", async () => {
  for (const origin of ["https://other.example", "null", "http://localhost", `${ORIGIN}.other.example`]) {
    const answer = await send({ body: whoami, headers: { origin } });
    assert.deepEqual([answer.status, answer.text], [403, '{"error":"Origin not allowed."}']);
    assert.equal(answer.headers.get("link"), HELP);
  }
  const answer = await send({ body: whoami, headers: { origin: ORIGIN } });
  assert.deepEqual([answer.status, answer.headers.get("access-control-allow-origin")], [200, ORIGIN]);
  const preflight = await fetch(`${server.url}/mcp`, {
    method: "OPTIONS",
    headers: { origin: ORIGIN, "access-control-request-method": "POST" },
  });
  assert.equal(preflight.status, 204);
  assert.match(preflight.headers.get("access-control-allow-headers") ?? "", /Mcp-Method/);
});

test("without a valid key the answer names the metadata, which lists the capabilities", async () => {
  for (const token of [null, "nonsense", `${tenant.slug}.wrong`]) {
    const answer = await send({ body: whoami }, token);
    const challenge = `Bearer resource_metadata="${server.url}/.well-known/oauth-protected-resource/mcp"`;
    assert.deepEqual([answer.status, answer.headers.get("www-authenticate")], [401, challenge]);
  }
  const metadata = await fetch(`${server.url}/.well-known/oauth-protected-resource/mcp`);
  assert.equal(metadata.headers.get("access-control-allow-origin"), "*");
  const { resource, scopes_supported: scopes, ...rest } = (await metadata.json()) as Record<string, unknown>;
  assert.equal(resource, `${server.url}/mcp`);
  assert.deepEqual(scopes, capabilities);
  assert.ok(!("authorization_servers" in rest));
});

test("a key of another address, a revoked one and that of a suspended tenant are refused as by the API", async () => {
  const { database } = server.deps;
  const codeOf = async (token: string) => (await send({ body: whoami }, token)).headers.get("x-error-code");
  /** A process may know a key for some seconds. */
  const refusalOf = async (token: string) => {
    let code: string | null = null;
    await poll("the refusal", async () => (code = await codeOf(token)) !== null);
    return code;
  };
  const { token: elsewhere } = await tenant.createKey({ allowIp: ["192.0.2.1"] });
  assert.equal(await codeOf(elsewhere), "address_not_allowed");
  const { id, token } = await tenant.createKey();
  assert.equal(await codeOf(token), null);
  await revokeApiKey(tenant.id, database, String(id), "command");
  assert.equal(await refusalOf(token), "key_inactive");
  const suspended = await server.createTenant();
  assert.equal(await codeOf(suspended.token), null);
  await setSuspended(database, suspended.slug, true);
  assert.equal(await refusalOf(suspended.token), "tenant_suspended");
});

test("every call counts one, at both doors together", async () => {
  const { token } = await tenant.createKey({ rate: 4 });
  await tenant.get("/api/v1/companies", { token });
  const statuses: number[] = [];
  for (let call = 0; call < 4; call++) statuses.push((await send({ body: whoami }, token)).status);
  assert.deepEqual(statuses, [200, 200, 200, 429]);
  assert.equal((await tenant.get("/api/v1/companies", { token })).status, 429);
});

test("the official clients of both eras agree on a version, and learn what the server has", async () => {
  for (const { client } of [await connect(server.url, tenant.token), await connectEarlier(server.url, tenant.token)]) {
    assert.equal(client.getServerVersion()?.name, "liaison");
    assert.match(client.getInstructions() ?? "", /request_id/);
    assert.deepEqual(client.getServerCapabilities(), {
      tools: { listChanged: false },
      resources: { listChanged: false, subscribe: false },
      prompts: { listChanged: false },
      completions: {},
    });
  }
});
