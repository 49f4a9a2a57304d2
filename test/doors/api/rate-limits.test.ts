import assert from "node:assert/strict";
import { after, test } from "node:test";
import { buildApp } from "../../../src/doors/app.ts";
import { generateKey } from "../../../src/people/api-keys/key-format.ts";
import type { Parameter, Statement } from "../../../src/platform/postgres/statement.ts";
import type { TenantId } from "../../../src/platform/postgres/tenant-id.ts";
import { request, startServer, type Answer } from "../../harness.ts";

const PATH = "/api/v1/companies";

test("a key may send 6,000 requests a minute unless told otherwise", async () => {
  const server = await startServer();
  const tenant = await server.createTenant();
  const first = await tenant.get(PATH);
  assert.deepEqual(limitsOf(first), ["6000", "5999"]);
  const second = await tenant.createKey();
  assert.deepEqual(limitsOf(await tenant.get(PATH, { token: second.token })), ["6000", "5999"]);
});

test("every authenticated answer counts, whatever its status; beyond the limit it is 429", async () => {
  const server = await startServer({ LIAISON_RATE_LIMIT: "7" });
  const tenant = await server.createTenant();
  const { token } = await tenant.createKey({ capabilities: ["companies:write"] });
  const sent: [string, string, unknown, number][] = [
    ["POST", PATH, { name: "A", tax_id: "1" }, 201],
    ["POST", PATH, { name: "A", tax_id: "1" }, 409],
    ["POST", PATH, {}, 422],
    ["GET", `${PATH}/0`, undefined, 404],
    ["GET", `${PATH}/1/contacts`, undefined, 403],
    ["HEAD", PATH, undefined, 200],
    ["GET", PATH, undefined, 200],
  ];
  for (const [index, [method, path, body, status]] of sent.entries()) {
    const answer = await request(server.url, method, path, body, { token });
    assert.equal(answer.status, status);
    assert.deepEqual(limitsOf(answer), ["7", String(6 - index)], `${method} ${path}`);
  }
  for (const path of [PATH, `${PATH}/1/contacts`, `${PATH}/0`]) {
    assertRefused(await tenant.get(path, { token }), "7");
  }
  assert.equal((await tenant.get("/api/v1/foo", { token })).status, 404);
  assert.equal((await request(server.url, "PATCH", PATH, undefined, { token })).status, 405);
  assert.equal((await tenant.get(PATH)).status, 200, "another key of the tenant goes on");
});

test("a key's own limit goes before the installation's, and 0 is none", async () => {
  const server = await startServer({ LIAISON_RATE_LIMIT: "1" });
  const tenant = await server.createTenant();
  const three = await tenant.createKey({ rate: 3 });
  for (let i = 0; i < 3; i++) assert.equal((await tenant.get(PATH, { token: three.token })).status, 200);
  assertRefused(await tenant.get(PATH, { token: three.token }), "3");
  const unlimited = await tenant.createKey({ rate: 0 });
  for (let i = 0; i < 5; i++) {
    const answer = await tenant.get(PATH, { token: unlimited.token });
    assert.deepEqual([answer.status, limitsOf(answer)], [200, [null, null]]);
  }
  const off = await startServer({ LIAISON_RATE_LIMIT: "0" });
  const free = await off.createTenant();
  assert.deepEqual(limitsOf(await free.get(PATH)), [null, null]);
  const limited = await free.createKey({ rate: 1 });
  assert.equal((await free.get(PATH, { token: limited.token })).status, 200);
  assertRefused(await free.get(PATH, { token: limited.token }), "1");
});

test("failed authentication is limited per address: then 429 for what would be a 401, while valid keys go on", async () => {
  const server = await startServer({ LIAISON_AUTH_FAILURE_LIMIT: "5", LIAISON_TRUSTED_PROXIES: "127.0.0.1" });
  const tenant = await server.createTenant();
  const expired = await tenant.createKey({ expiresAt: "2020-01-01T00:00:00Z" });
  const send = async (token: string | undefined, from: string) =>
    await request(server.url, "GET", PATH, undefined, {
      headers: { "x-forwarded-for": from, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    });
  for (const token of [undefined, "x", "nobody.x", `${tenant.slug}.x`]) {
    assert.equal((await send(token, "203.0.113.1")).status, 401);
  }
  assert.equal((await send(expired.token, "203.0.113.1")).status, 403);
  assert.equal((await send("x", "203.0.113.1")).status, 401);
  for (const token of [undefined, "x", "nobody.x", `${tenant.slug}.x`]) {
    assertRefused(await send(token, "203.0.113.1"), null);
  }
  assert.equal((await send(expired.token, "203.0.113.1")).status, 403);
  assert.equal((await send(tenant.token, "203.0.113.1")).status, 200);
  assert.equal((await send("x", "203.0.113.2")).status, 401, "another address");
  assertRefused(await send("x", "::ffff:203.0.113.1"), null);
});

test("without a limit on failed authentication a 401 stays one", async () => {
  const server = await startServer({ LIAISON_AUTH_FAILURE_LIMIT: "0" });
  for (let i = 0; i < 50; i++) {
    const answers = await Promise.all(Array.from({ length: 22 }, async () => await request(server.url, "GET", PATH)));
    assert.ok(answers.every(({ status }) => status === 401));
  }
});

test("guesses that come together are looked up together, while valid keys go on", async () => {
  const host = await startServer({ LIAISON_TRUSTED_PROXIES: "127.0.0.1", LIAISON_AUTH_FAILURE_LIMIT: "10" });
  const tenant = await host.createTenant();
  const fresh = await tenant.createKey();
  const { database } = host.deps;
  let lookUps = 0;
  const { quick } = database;
  const counting: typeof database = Object.assign(Object.create(database) as typeof database, {
    forCaller: () => counting,
    readShared: async (statement: Statement, parameters?: Parameter[]) => {
      lookUps++;
      return await database.readShared(statement, parameters);
    },
    quick: {
      readAll: quick.readAll.bind(quick),
      read: async (tenantId: TenantId, statement: Statement, parameters?: Parameter[]) => {
        lookUps++;
        return await quick.read(tenantId, statement, parameters);
      },
    },
  });
  const { server } = buildApp({ ...host.deps, database: counting });
  const url = await server.listen({ host: "127.0.0.1", port: 0 });
  after(async () => await server.close());
  const send = async (token: string) => {
    const headers = { "x-forwarded-for": "203.0.113.9", authorization: `Bearer ${token}` };
    return (await request(url, "GET", PATH, undefined, { headers })).status;
  };

  for (let i = 0; i < 10; i++) assert.equal(await send(`nobody-${i}.${generateKey()}`), 401);
  lookUps = 0;
  const guesses = Array.from({ length: 300 }, async (_, i) => {
    return await send(`${i % 2 === 0 ? tenant.slug : `nobody-${i}`}.${generateKey()}`);
  });
  const valid = send(fresh.token);
  assert.deepEqual([...new Set(await Promise.all(guesses))], [429]);
  assert.equal(await valid, 200);
  // One by one they would be 450: a tenant for each, and a key for every other.
  assert.ok(lookUps > 0 && lookUps < 200, `${lookUps} look-ups for 300 guesses`);
});

/** The limit and what is left of it, which two kinds of headers contain. */
function limitsOf({ headers }: Answer): (string | null)[] {
  const limits = [headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")];
  const [policy, state] = [headers.get("ratelimit-policy"), headers.get("ratelimit")];
  const [, quota = null] = /^"default";q=(\d+);w=60$/.exec(policy ?? "") ?? [];
  const [, left = null, seconds] = /^"default";r=(\d+);t=(\d+)$/.exec(state ?? "") ?? [];
  assert.deepEqual([quota, left], limits, `${policy} and ${state}`);
  if (state !== null) assert.ok(Number(seconds) >= 1 && Number(seconds) <= 60, state);
  return limits;
}

function assertRefused(answer: Answer, limit: string | null): void {
  assert.deepEqual([answer.status, answer.body], [429, { error: "Rate limit exceeded." }]);
  if (limit !== null) assert.deepEqual(limitsOf(answer), [limit, "0"]);
  const retryAfter = Number(answer.headers.get("retry-after"));
  const untilReset = Number(answer.headers.get("x-ratelimit-reset")) - Date.now() / 1000;
  assert.ok(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= 60, `Retry-After ${retryAfter}`);
  assert.ok(untilReset > 0 && untilReset <= 61, `X-RateLimit-Reset in ${untilReset} s`);
  assert.ok(answer.headers.get("ratelimit")?.endsWith(`;r=0;t=${retryAfter}`));
  assert.ok(answer.headers.has("x-request-id"));
}
