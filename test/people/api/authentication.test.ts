import assert from "node:assert/strict";
import { after, test } from "node:test";
import { buildApp } from "../../../src/doors/app.ts";
import { listApiKeys, revokeApiKey } from "../../../src/people/api-keys/api-key-queries.ts";
import { generateKey } from "../../../src/people/api-keys/key-format.ts";
import { setSuspended } from "../../../src/people/tenants/tenant-queries.ts";
import { request, startServer, type Answer } from "../../harness.ts";
import { poll } from "../../program.ts";
import { HOUR, later, SECOND } from "../sessions/clock.ts";

// Behind a proxy on the loopback, so that a test can choose the caller's address.
const server = await startServer({ LIAISON_TRUSTED_PROXIES: "127.0.0.1, 10.0.0.0/8, 2001:db8:ff::/48" });
const { database } = server.deps;
const tenant = await server.createTenant();
const PATH = "/api/v1/companies";
const FROM = "203.0.113.7";

const failures = {
  missing: [401, "API key missing. Use Authorization: Bearer <tenant>.<key>"],
  format: [401, "Invalid API key format. Expected: <tenant>.<key>"],
  tenant: [401, "Invalid API key (unknown tenant)."],
  key: [401, "Invalid API key."],
  inactive: [403, "API key is inactive or expired."],
  suspended: [403, "Account suspended."],
  address: [403, "IP address not allowed."],
  capability: [403, "Missing capability: companies:read"],
} as const;

async function send(authorization: string | undefined, from = FROM, path = PATH): Promise<Answer> {
  const headers = { "x-forwarded-for": from, ...(authorization === undefined ? {} : { authorization }) };
  return await request(server.url, "GET", path, undefined, { headers });
}

function assertFailure({ status, body, headers }: Answer, failure: keyof typeof failures, what: string): void {
  const [code, error] = failures[failure];
  assert.deepEqual([status, body], [code, { error }], what);
  assert.equal(headers.get("content-type"), "application/json; charset=utf-8");
  assert.ok(headers.has("x-request-id"));
}

test("a header without a Bearer token counts as missing", async () => {
  const token = tenant.token;
  const headers = [undefined, "", " ", "Bearer", "Bearer ", "bearer   ", `Basic ${token}`, token, `Token ${token}`];
  for (const header of [...headers, `Bearer${token}`, `X Bearer ${token}`, `Digest a="b"`]) {
    assertFailure(await send(header), "missing", String(header));
  }
});

test("the scheme's case and the blanks around the token do not matter", async () => {
  for (const header of ["Bearer", "bearer", "BEARER", "bEaReR"]) {
    for (const blank of [" ", "   ", "\t"]) {
      assert.equal((await send(`${header}${blank}${tenant.token}`)).status, 200, header);
    }
  }
  assert.equal((await send(`  Bearer ${tenant.token}  `)).status, 200);
});

test("a token without a tenant or without a key is a wrong format", async () => {
  const key = tenant.token.slice(tenant.slug.length + 1);
  for (const token of [key, "x", `.${key}`, `${tenant.slug}.`, ".", "..", ".a.b", "tenant key", tenant.slug]) {
    assertFailure(await send(`Bearer ${token}`), "format", token);
  }
});

test("a slug that no tenant has is an unknown tenant, compared with case", async () => {
  const key = tenant.token.slice(tenant.slug.length + 1);
  const slugs = ["nobody", tenant.slug.toUpperCase(), `${tenant.slug}x`, `x ${tenant.slug}`, "a_b", "%", "'", "*"];
  for (const slug of [...slugs, "x".repeat(64), "x".repeat(5000), "ümlaut", "-"]) {
    assertFailure(await send(`Bearer ${slug}.${key}`), "tenant", slug);
    assertFailure(await send(`Bearer ${slug}.x`), "tenant", slug);
  }
});

test("what is not a key of the tenant is an invalid key", async () => {
  const other = await server.createTenant();
  const key = tenant.token.slice(tenant.slug.length + 1);
  const flipped = key.at(-1) === "a" ? "b" : "a";
  const unknown = generateKey();
  const keys = [
    "x",
    ".",
    `.${key}`,
    `${key}.`,
    `${key}.x`,
    `a.${key}`,
    `${key} `.repeat(2).trim(),
    key.slice(0, -1),
    `${key}a`,
    key.slice(0, -1) + flipped,
    key.slice(4),
    key.toLowerCase(),
    key.replace("lsn_", "LSN_"),
    `${key}\u00e9`,
    unknown,
    "x".repeat(8000),
  ];
  for (const wrong of keys) assertFailure(await send(`Bearer ${tenant.slug}.${wrong}`), "key", wrong);
  assertFailure(await send(`Bearer ${other.slug}.${key}`), "key", "another tenant's key");
});

test("a key works until it expires", async () => {
  const past = await tenant.createKey({ expiresAt: "2020-01-01T00:00:00Z" });
  assertFailure(await send(`Bearer ${past.token}`), "inactive", "expired");
  const soon = await tenant.createKey({ expiresAt: new Date(Date.now() + HOUR).toISOString() });
  later(0);
  assert.equal((await send(`Bearer ${soon.token}`)).status, 200);
  later(HOUR);
  assertFailure(await send(`Bearer ${soon.token}`), "inactive", "an hour later");
  const future = await tenant.createKey({ expiresAt: "2999-01-01T00:00:00.123456+02:00" });
  assert.equal((await send(`Bearer ${future.token}`)).status, 200);
});

test("within five seconds a revoked key is inactive, and a tenant's suspension and resumption decide", async () => {
  later(0);
  const { id, token } = await tenant.createKey();
  assert.equal((await send(`Bearer ${token}`)).status, 200);
  await revokeApiKey(tenant.id, database, String(id), "command");
  later(5 * SECOND);
  assertFailure(await send(`Bearer ${token}`), "inactive", "revoked");

  const suspended = await server.createTenant();
  assert.equal((await send(`Bearer ${suspended.token}`)).status, 200);
  await setSuspended(database, suspended.slug, true);
  later(5 * SECOND);
  assertFailure(await send(`Bearer ${suspended.token}`), "suspended", "suspended");
  await setSuspended(database, suspended.slug, false);
  later(5 * SECOND);
  assert.equal((await send(`Bearer ${suspended.token}`)).status, 200);
});

test("of two reasons to refuse a key the one that stands earlier in the table is answered", async () => {
  const closed = await server.createTenant();
  const allowIp = ["198.51.100.0/24"];
  const expiresAt = "2020-01-01T00:00:00Z";
  const expired = await closed.createKey({ expiresAt, allowIp, capabilities: [] });
  const elsewhere = await closed.createKey({ allowIp, capabilities: [] });
  const incapable = await tenant.createKey({ capabilities: [] });
  const elsewhereOpen = await tenant.createKey({ allowIp, capabilities: [] });
  const expiredOpen = await tenant.createKey({ expiresAt, allowIp, capabilities: [] });
  await setSuspended(database, closed.slug, true);

  assertFailure(await send("Bearer nobody."), "format", "format before tenant");
  assertFailure(await send("Bearer nobody.x"), "tenant", "tenant before key");
  assertFailure(await send(`Bearer ${closed.slug}.${generateKey()}`), "key", "key before suspended");
  assertFailure(await send(`Bearer ${expired.token}`), "inactive", "expired before suspended");
  assertFailure(await send(`Bearer ${expiredOpen.token}`), "inactive", "expired before address");
  assertFailure(await send(`Bearer ${elsewhere.token}`), "suspended", "suspended before address");
  assertFailure(await send(`Bearer ${elsewhereOpen.token}`), "address", "address before capability");
  assertFailure(await send(`Bearer ${incapable.token}`), "capability", "capability before everything else");
  assertFailure(await send(`Bearer ${incapable.token}`, FROM, `${PATH}/0`), "capability", "capability before 404");
});

test("an allow-list is of addresses and networks, IPv4 and IPv6, mapped ones counting as IPv4", async () => {
  const cases: [string[], string[], string[]][] = [
    [["203.0.113.7/32"], ["203.0.113.7", "::ffff:203.0.113.7", "::ffff:cb00:7107"], ["203.0.113.8", "::1"]],
    [["203.0.113.7"], ["203.0.113.7"], ["203.0.113.70"]],
    [
      ["203.0.113.0/24", "2001:db8::/32"],
      ["203.0.113.255", "2001:db8:ffff::1"],
      ["203.0.112.1", "2001:db9::1"],
    ],
    [["0.0.0.0/0"], ["8.8.8.8", "::ffff:8.8.8.8"], ["2001:db8::1"]],
    [["::/0"], ["2001:db8::1"], ["8.8.8.8"]],
    [["::ffff:203.0.113.0/120"], ["203.0.113.9"], ["203.0.114.9"]],
    [["2001:DB8:0:0::1"], ["2001:db8::1"], ["2001:db8::2"]],
  ];
  for (const [allowIp, inside, outside] of cases) {
    const { token } = await tenant.createKey({ allowIp });
    for (const from of inside)
      assert.equal((await send(`Bearer ${token}`, from)).status, 200, `${allowIp.join()} ${from}`);
    for (const from of outside)
      assertFailure(await send(`Bearer ${token}`, from), "address", `${allowIp.join()} ${from}`);
  }
});

test("behind trusted proxies the caller is the rightmost address that is none of theirs", async () => {
  const { token } = await tenant.createKey({ allowIp: [FROM] });
  const from = [FROM, `8.8.8.8, ${FROM}`, `${FROM}, 10.1.2.3`, `${FROM} ,10.1.2.3,2001:db8:ff::5`, `garbage, ${FROM}`];
  for (const chain of from) assert.equal((await send(`Bearer ${token}`, chain)).status, 200, chain);
  const not = [
    `${FROM}, 8.8.8.8`,
    `${FROM}, garbage`,
    `${FROM}, `,
    `${FROM}, 8.8.8.8, 10.1.2.3`,
    "",
    "garbage",
    "10.1.2.3",
  ];
  for (const chain of not) assertFailure(await send(`Bearer ${token}`, chain), "address", chain);
});

test("without trusted proxies X-Forwarded-For says nothing", async () => {
  const direct = await startServer();
  const own = await direct.createTenant();
  const { token } = await own.createKey({ allowIp: [FROM] });
  const answer = await own.get(PATH, { token, headers: { "x-forwarded-for": FROM } });
  assertFailure(answer, "address", "forged");
  const loopback = await own.createKey({ allowIp: ["127.0.0.1"] });
  assert.equal((await own.get(PATH, { token: loopback.token, headers: { "x-forwarded-for": FROM } })).status, 200);
});

test("a key's use is written, at most once a minute, and its secret never", async () => {
  const { id, token } = await tenant.createKey();
  const lastUsed = async () =>
    (await server.sql("select last_used_at::text as at from api_keys where id = $1", [id]))[0]?.at;
  assert.equal(await lastUsed(), null);
  await send(`Bearer ${token}`);
  await poll("the record of its use", async () => (await lastUsed()) !== null);
  const first = await lastUsed();
  const second = await startAnother();
  for (let i = 0; i < 5; i++) {
    await send(`Bearer ${token}`);
    await second(token);
  }
  assert.equal(await lastUsed(), first);
  await server.sql("update api_keys set last_used_at = now() - interval '61 seconds' where id = $1", [id]);
  await (
    await startAnother()
  )(token);
  await poll("the record of the next minute's use", async () => String(await lastUsed()) > String(first));

  const stored = JSON.stringify(await server.sql("select * from api_keys where id = $1", [id]));
  const listed = JSON.stringify(await listApiKeys(tenant.id, database));
  const key = token.slice(tenant.slug.length + 1);
  for (const text of [stored, listed]) {
    assert.ok(!text.includes(key) && !text.includes(key.slice(8, -4)));
    assert.ok(text.includes(key.slice(0, 8)) && text.includes(key.slice(-4)));
  }
});

/** Another server on the same database, which knows nothing of what the first has remembered. */
async function startAnother(): Promise<(token: string) => Promise<Answer>> {
  const another = buildApp(server.deps).server;
  const url = await another.listen({ host: "127.0.0.1", port: 0 });
  after(async () => await another.close());
  return async (token) => await request(url, "GET", PATH, undefined, { token });
}

test("a key reads its own name, capabilities and limits, its tenant, and the server's version", async () => {
  const own = await server.createTenant();
  const other = await server.createTenant();
  const expiresAt = "2099-12-31T23:59:59Z";
  const limited = { name: "ERP", capabilities: ["contacts:write"] as const, allowIp: ["127.0.0.0/8"], rate: 10 };
  const { token } = await own.createKey({ ...limited, capabilities: [...limited.capabilities], expiresAt });
  await request(server.url, "GET", "/api/v1/contacts/1", undefined, { token });
  const { status, body, headers } = await request(server.url, "GET", "/api/v1/me", undefined, { token });
  assert.equal(status, 200);
  const {
    key,
    tenant: shown,
    version,
  } = body.data as unknown as {
    key: Record<string, unknown>;
    tenant: object;
    version: string;
  };
  assert.deepEqual(shown, { slug: own.slug, name: `Tenant ${own.slug}` });
  const { id, ...rest } = key;
  assert.ok(Number.isSafeInteger(id));
  assert.deepEqual(rest, {
    name: "ERP",
    capabilities: ["contacts:write"],
    allow_ip: ["127.0.0.0/8"],
    expires_at: "2099-12-31T23:59:59.000000Z",
    limit: 10,
    remaining: 8,
  });
  assert.equal(headers.get("x-ratelimit-remaining"), "8");
  assert.match(version, /^\d+\.\d+\.\d+/);

  const usual = await other.get("/api/v1/me");
  const { key: open } = usual.body.data as unknown as { key: Record<string, unknown> };
  assert.deepEqual([open.limit, open.remaining, open.expires_at, open.allow_ip], [6000, 5999, null, []]);
  assert.ok(!usual.text.includes(token.split(".")[1] ?? ""), "no secret in it");
});
