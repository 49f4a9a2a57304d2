import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { nouns } from "../../src/docs/nouns.ts";
import { routes, type Route } from "../../src/routes.ts";
import { request, startServer, type Answer, type TestServer, type TestTenant } from "../harness.ts";
import { head, sendRaw } from "../wire.ts";
import { createChecker, fetchDocument, resolve, type Received } from "./document.ts";

const BODY_LIMIT = 1024 * 1024;
const MISSING = "999999";
/** Statuses whose bodies have no part that depends on the request's data: each is one of the examples. */
const FIXED = new Set([401, 403, 405, 413, 429, 500, 503]);

const server = await startServer();
const document = await fetchDocument(server.url);
const check = createChecker(document);
const exercised = new Set<string>();

const tenant = await server.createTenant();
const own = await createOneOfEach(tenant);
await server.sql(
  `insert into invoices (tenant_id, company_id, number, wms_instance, wms_order_id, wms_order_number, wms_status, wms_synced_at)
  values ($1, $2, 'INV-1', 'a.wms.example', 1, 'SO-1', 'shipped', now()), ($1, $2, 'INV-2', null, 2, null, null, null)`,
  [tenant.id, own.Company],
);

for (const route of routes) {
  const { method, path } = route;
  const name = `${method} ${path}`;
  const operation = document.paths[path]?.[method.toLowerCase()];
  const bodies = Object.entries(operation?.requestBody?.content["application/json"].examples ?? {});

  if (bodies.length === 0) {
    test(`${name} answers as documented`, async () => {
      // A DELETE takes away what it is given.
      const ids = method === "DELETE" ? await createOneOfEach(tenant) : own;
      const answer = await send(server, route, ids, tenant.token);
      assert.equal(answer.status, 200, answer.text);
      verify(route, answer);
      if (method !== "GET" || path.endsWith("{id}")) return;
      assert.ok(answer.body.data.length > 0, "the list has something to check");
      verify(route, await request(server.url, "GET", `${pathOf(route, ids)}?page=7&per_page=1`, undefined, tenant));
    });
  }

  for (const [example, { value }] of bodies) {
    test(`${name} accepts the request example "${example}", and answers as documented`, async () => {
      const another = await server.createTenant();
      const assignee = await another.createUser();
      const sent = "assigned_to" in (value as object) ? { ...(value as object), assigned_to: assignee } : value;
      const answer = await send(server, route, await createOneOfEach(another), another.token, sent);
      assert.equal(answer.status, method === "POST" ? 201 : 200, answer.text);
      verify(route, answer);
    });
  }

  test(`${name} refuses keys as documented`, async () => {
    const tokens = [undefined, "nodot", "nobody.lsn_x", `${tenant.slug}.lsn_x`, ...(await refusedTokens(route))];
    const seen = [];
    for (const token of tokens) {
      const answer = await send(server, route, own, token);
      verify(route, answer);
      seen.push(answer.text);
    }
    assert.equal(new Set(seen).size, tokens.length, "each refusal has a text of its own");
  });

  test(`${name} answers another method, and too many requests, as documented`, async () => {
    const other = await request(server.url, "PATCH", pathOf(route, own));
    assert.equal(other.status, 405);
    verify(route, other);
    const { token } = await tenant.createKey({ rate: 1 });
    await tenant.get("/api/v1/companies", { token });
    const limited = await send(server, route, own, token);
    assert.equal(limited.status, 429);
    verify(route, limited);
  });

  if (path.includes("{")) {
    test(`${name} answers a missing resource as documented`, async () => {
      const answer = await request(server.url, method, path.replace(/\{\w+\}/, MISSING), undefined, tenant);
      assert.equal(answer.status, 404, answer.text);
      verify(route, answer);
    });
  }

  if (method === "POST" || method === "PUT") {
    test(`${name} answers a body that fails, and one too large, as documented`, async () => {
      const invalid = await send(server, route, own, tenant.token, { name: 5, first_name: 5, address: 5, email: "x" });
      assert.equal(invalid.status, 422, invalid.text);
      verify(route, invalid);
      const tooLarge = head(`${method} ${pathOf(route, own)} HTTP/1.1`, tenant.token, {
        "Content-Length": String(BODY_LIMIT + 1),
      });
      const answer = await sendRaw(server.url, tooLarge);
      assert.equal(answer.status, 413, answer.body);
      verify(route, { ...answer, body: JSON.parse(answer.body) });
    });
  }
}

test("a taken tax_id and a blocked deletion are answered as documented", async () => {
  await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO1" });
  for (const [method, path] of [
    ["POST", "/api/v1/companies"],
    ["PUT", "/api/v1/companies/{id}"],
  ] as const) {
    const route = routeOf(method, path);
    const taken = await send(server, route, own, tenant.token, { name: "B", tax_id: "ro1" });
    assert.equal(taken.status, 409, taken.text);
    verify(route, taken);
  }
  const route = routeOf("DELETE", "/api/v1/companies/{id}");
  const blocked = await send(server, route, own, tenant.token);
  assert.equal(blocked.status, 422, blocked.text);
  verify(route, blocked);
});

test("every route answers an unexpected failure as documented", async () => {
  const broken = await startServer();
  const { token } = await broken.createTenant();
  await broken.sql("alter table companies rename to companies_elsewhere");
  await verifyEvery(broken, token, 500);
});

test("every route answers without its database as documented", async () => {
  const broken = await startServer();
  const { token } = await broken.createTenant();
  await takeDatabaseAway(String(broken.connection.database));
  await verifyEvery(broken, token, 503);
});

test("every answer in the document was seen, and is one of its examples where it never varies", () => {
  const documented = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { responses }]) =>
      Object.keys(responses).map((status) => `${method.toUpperCase()} ${path} ${status}`),
    ),
  );
  assert.deepEqual([...exercised].toSorted(), documented.toSorted());
});

test("an undocumented member, status and header fail the check", () => {
  const headers = new Headers({ "content-type": "application/json; charset=utf-8", "x-request-id": "a" });
  const answer = { status: 200, headers, body: { message: "Contact deleted." } };
  const run = (received: Received) => check("DELETE", "/api/v1/contacts/{id}", received);
  run(answer);
  assert.throws(() => run({ ...answer, body: { message: "Contact deleted.", id: 1 } }), /additional properties/);
  assert.throws(() => run({ ...answer, status: 418 }), /is not documented/);
  assert.throws(() => run({ ...answer, headers: new Headers({ ...Object.fromEntries(headers), allow: "GET" }) }));
});

type Ids = Record<string, number>;

async function createOneOfEach(of: TestTenant): Promise<Ids> {
  const ids: Ids = {};
  const examples = nouns.map(({ plural, model, fields }) => {
    const required = fields.filter(({ required }) => required).map(({ name, example }) => [name, example]);
    return { plural, model, body: Object.fromEntries(required) as Record<string, unknown> };
  });
  for (const { plural, model, body } of examples) {
    const path = model === "Company" ? "/api/v1/companies" : `/api/v1/companies/${ids.Company}/${plural}`;
    const created = await of.post(path, body);
    assert.equal(created.status, 201, created.text);
    ids[model] = created.body.data.id;
  }
  return ids;
}

function pathOf({ path }: Route, ids: Ids): string {
  const noun = nouns.find(({ plural }) => path === `/api/v1/${plural}/{id}`);
  return path.replace(/\{\w+\}/, String(ids[noun?.model ?? "Company"]));
}

async function send(to: TestServer, route: Route, ids: Ids, token?: string, body?: unknown): Promise<Answer> {
  const options = token === undefined ? {} : { token };
  return await request(to.url, route.method, pathOf(route, ids), body, options);
}

function verify({ method, path }: Route, answer: Received): void {
  check(method, path, answer);
  exercised.add(`${method} ${path} ${answer.status}`);
  if (!FIXED.has(answer.status)) return;
  const documented = document.paths[path]?.[method.toLowerCase()]?.responses[answer.status];
  assert.ok(documented !== undefined);
  const { examples } = resolve(document, documented).content["application/json"];
  const values = Object.values(examples).map(({ value }) => JSON.stringify(value));
  assert.ok(
    values.includes(JSON.stringify(answer.body)),
    `${method} ${path} has no example ${JSON.stringify(answer.body)}`,
  );
}

async function verifyEvery(on: TestServer, token: string, status: number): Promise<void> {
  const ids = Object.fromEntries(nouns.map(({ model }) => [model, 1]));
  for (const route of routes) {
    const answer = await send(on, route, ids, token, firstExample(route));
    assert.equal(answer.status, status, `${route.method} ${route.path} ${answer.text}`);
    verify(route, answer);
  }
}

/** The tokens that authenticate and are then refused: revoked, of a suspended tenant, from elsewhere, incapable. */
async function refusedTokens({ capability }: Route): Promise<string[]> {
  const suspended = await server.createTenant();
  await server.sql("update tenants set suspended_at = now() where id = $1", [suspended.id]);
  const expired = await tenant.createKey({ expiresAt: "2020-01-01T00:00:00Z" });
  const elsewhere = await tenant.createKey({ allowIp: ["203.0.113.0/24"] });
  const [area] = capability.split(":");
  const all = ["companies:write", "contacts:write", "addresses:write", "wms-orders:read"] as const;
  const incapable = await tenant.createKey({ capabilities: all.filter((name) => !name.startsWith(`${area}:`)) });
  return [expired.token, suspended.token, elsewhere.token, incapable.token];
}

function firstExample({ method, path }: Route): unknown {
  const content = document.paths[path]?.[method.toLowerCase()]?.requestBody?.content;
  return Object.values(content?.["application/json"].examples ?? {})[0]?.value;
}

function routeOf(method: Route["method"], path: string): Route {
  const route = routes.find((route) => route.method === method && route.path === path);
  assert.ok(route !== undefined);
  return route;
}

/** Closes the database's connections and lets no new one in. */
async function takeDatabaseAway(name: string): Promise<void> {
  const cluster = new pg.Client({ ...server.connection, database: "postgres" });
  await cluster.connect();
  await cluster.query(`alter database ${cluster.escapeIdentifier(name)} allow_connections false`);
  await cluster.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
  await cluster.end();
}
