import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { routes } from "../../../src/doors/routes.ts";
import type { ErrorName } from "../../../src/kit/openapi/reference.ts";
import { capabilities } from "../../../src/people/api-keys/capability.ts";
import { request, startServer, type Answer, type TestServer } from "../../harness.ts";
import { head, sendRaw } from "../../wire.ts";
import { createChecker, fetchDocument, resolve, type Received } from "./document.ts";
import { everyRoute } from "./every-route.ts";
import type { EveryRoute } from "./route-row.ts";
import { assertEveryRouteHasItsRow, idsOf, nameOf, pathOf, pathWith, situationFor } from "./route-situations.ts";

/** More bytes than any route takes. */
const TOO_LARGE = 1024 ** 4;
const MISSING = 999_999;
/** The errors that every route of their kind has, and that the tests below provoke on all of them. */
const GENERAL = new Set<ErrorName>(["resourceMissing", "validationFailed", "resourceChanged"]);
/** Statuses whose bodies have no part that depends on the request's data: each is one of the examples. */
const FIXED = new Set([400, 401, 403, 405, 412, 413, 415, 429, 500, 503]);

const server = await startServer();
const document = await fetchDocument(server.url);
const check = createChecker(document);
const exercised = new Set<string>();

const tenant = await server.createTenant();

test("every route has a row in the test's table", () => {
  assertEveryRouteHasItsRow(routes);
});

for (const row of everyRoute) {
  const { method, path, models, body, status, exceptions = {}, refusals = {} } = row;
  const name = nameOf(row);
  const route = routes.find((route) => nameOf(route) === name);
  const requestBody = document.paths[path]?.[method.toLowerCase()]?.requestBody;

  if (requestBody === undefined) {
    test(`${name} answers as documented`, async () => {
      const at = pathOf(row, await situationFor(row, server, tenant));
      const answer = await send(server, row, at, tenant.token);
      assert.equal(answer.status, status, answer.text);
      verify(row, answer);
      if (row.again !== undefined) {
        const again = await send(server, row, at, tenant.token);
        assert.equal(again.status, row.again, again.text);
        verify(row, again);
      }
      const etag = answer.headers.get("etag");
      if (method === "GET" && etag !== null) {
        const known = await request(server.url, method, at, undefined, {
          token: tenant.token,
          headers: { "if-none-match": etag },
        });
        assert.equal(known.status, 304, known.text);
        verify(row, known);
      }
      if (!Array.isArray(answer.body.data)) return;
      assert.ok(answer.body.data.length > 0, "the list has something to check; else let the row `prepare` it");
      for (const query of ["page=7&per_page=1", "cursor="]) {
        verify(row, await send(server, row, `${at}?${query}`, tenant.token));
      }
    });
  }

  for (const [example, { value }] of Object.entries(requestBody?.content["application/json"].examples ?? {})) {
    test(`${name} accepts the request example "${example}", and answers as documented`, async () => {
      const another = await server.createTenant();
      const assignee = await another.createUser();
      const sent = "assigned_to" in (value as object) ? { ...(value as object), assigned_to: assignee } : value;
      const at = pathOf(row, await situationFor(row, server, another));
      const answer = await send(server, row, at, another.token, sent);
      assert.equal(answer.status, "dry_run" in (value as object) ? 200 : status, answer.text);
      verify(row, answer);
    });
  }

  test(`${name} names the parameters that it ignores`, async () => {
    const at = pathOf(row, await situationFor(row, server, tenant));
    const sent = body === "none" ? undefined : body.passes;
    const answer = await send(server, row, `${at}?per_page=1&tax%0aid=1&nothing`, tenant.token, sent);
    assert.equal(answer.status, status, answer.text);
    const known = route?.reference.query?.some((parameter) => parameter.name === "per_page") === true;
    const ignored = [...(known ? [] : ["per_page"]), "tax%0Aid", "nothing"].join(", ");
    assert.equal(answer.headers.get("x-query-ignored"), ignored);
    verify(row, answer);
  });

  test(`${name} refuses keys as documented`, async () => {
    const tokens = [undefined, "nodot", "nobody.lsn_x", `${tenant.slug}.lsn_x`, ...(await refusedTokens(row))];
    const seen = [];
    for (const token of tokens) {
      const answer = await send(server, row, pathOfNothing(row), token);
      verify(row, answer);
      seen.push(answer.text);
    }
    assert.equal(new Set(seen).size, tokens.length, "each refusal has a text of its own");
  });

  test(`${name} answers another method, and too many requests, as documented`, async () => {
    // A path without ids is one of those with an id, too: there may be no method left but one that nothing has.
    const isOf = (row: EveryRoute) => new RegExp(`^${row.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);
    const taken = new Set<string>(everyRoute.filter(isOf).map(({ method }) => method));
    const free = ["PATCH", "DELETE", "PUT", "POST", "GET", "PROPFIND"].find((method) => !taken.has(method));
    const other = await request(server.url, free ?? "", pathOfNothing(row));
    assert.equal(other.status, 405);
    verify(row, other);
    const { token } = await tenant.createKey({ rate: 1 });
    await send(server, row, pathOfNothing(row), token);
    const limited = await send(server, row, pathOfNothing(row), token);
    assert.equal(limited.status, 429);
    verify(row, limited);
  });

  if (row.on !== "none") {
    test(`${name} answers a missing resource as documented`, async () => {
      const made = await situationFor(row, server, tenant);
      for (const place of models.keys()) {
        const at = pathWith(row, idsOf(row, made).with(place, MISSING));
        const answer = await send(server, row, at, tenant.token);
        assert.equal(answer.status, 404, answer.text);
        verify(row, answer);
      }
    });
  }

  if (body !== "none") {
    test(`${name} answers a body that does not unpack, and one in another encoding, as documented`, async () => {
      const at = pathOf(row, await situationFor(row, server, tenant));
      for (const [encoding, status] of [
        ["gzip", 400],
        ["deflate", 415],
      ] as const) {
        const options = { token: tenant.token, headers: { "content-encoding": encoding } };
        const answer = await request(server.url, method, at, body.passes, options);
        assert.equal(answer.status, status, answer.text);
        verify(row, answer);
      }
    });

    test(`${name} answers a body that fails, and one too large, as documented`, async () => {
      const at = pathOf(row, await situationFor(row, server, tenant));
      const tooLarge = head(`${method} ${at} HTTP/1.1`, tenant.token, { "Content-Length": String(TOO_LARGE) });
      const answer = await sendRaw(server.url, tooLarge);
      assert.equal(answer.status, 413, answer.body);
      verify(row, { ...answer, body: JSON.parse(answer.body) });
      if (exceptions.everyBodyPasses !== undefined) return;
      assert.ok(body.fails !== undefined, "the row has a body that `fails`, or claims the exception everyBodyPasses");
      const invalid = await send(server, row, at, tenant.token, body.fails);
      assert.equal(invalid.status, 422, invalid.text);
      verify(row, invalid);
    });
  }

  if (route?.reference.errors.some(({ name }) => name === "resourceChanged")) {
    test(`${name} answers a tag of another state as documented`, async () => {
      const at = pathOf(row, await situationFor(row, server, tenant));
      const sent = body === "none" ? undefined : body.passes;
      const options = { token: tenant.token, headers: { "if-match": '"another"' } };
      const answer = await request(server.url, method, at, sent, options);
      assert.equal(answer.status, 412, answer.text);
      verify(row, answer);
    });

    test(`${name} answers the tag of the present state as a request without one`, async (context) => {
      const at = pathOf(row, await situationFor(row, server, tenant));
      const tag = (await tenant.get(at)).headers.get("etag");
      if (tag === null) return context.diagnostic("the answer to a GET of this path has no tag");
      const sent = body === "none" ? undefined : body.passes;
      const options = { token: tenant.token, headers: { "if-match": tag } };
      const answer = await request(server.url, method, at, sent, options);
      assert.ok(answer.status < 300, answer.text);
    });
  }

  for (const [error, provoke] of Object.entries(refusals)) {
    test(`${name} answers ${error} as documented`, async () => {
      const another = await server.createTenant();
      const made = await situationFor(row, server, another);
      const sent = await provoke(server, another, made);
      const query = method === "GET" ? `?${new URLSearchParams(sent as Record<string, string>).toString()}` : "";
      const body = method === "GET" ? undefined : sent;
      const answer = await send(server, row, pathOf(row, made) + query, another.token, body);
      const named = route?.reference.errors.find(({ name }) => name === error);
      assert.equal(answer.status, named?.example.status, `${error} in the route's reference, and ${answer.text}`);
      verify(row, answer);
    });
  }

  test(`${name} has a way to each error that its reference names`, () => {
    const own = route?.reference.errors.map(({ name }) => name).filter((name) => !GENERAL.has(name)) ?? [];
    const untold = own.filter((name) => refusals[name] === undefined);
    assert.deepEqual(untold, [], `the row's \`refusals\` in test/doors/api/every-route.ts say how to cause them`);
  });
}

test("every write answers the keys of requests as documented", async () => {
  const [apiKey] = await server.sql("select min(id) as id from api_keys where tenant_id = $1", [tenant.id]);
  const holding = new pg.Client(server.connection);
  await holding.connect();
  await holding.query("begin");
  await holding.query("select claim_answers($1, $2)", [
    tenant.id,
    JSON.stringify([{ kept_api_key: apiKey?.id, kept_key: "held" }]),
  ]);
  const writes = everyRoute.filter(({ method }) => method !== "GET");
  await Promise.all(
    writes.map(async (row) => {
      const at = pathOf(row, await situationFor(row, server, tenant));
      const sent = row.body === "none" ? undefined : row.body.passes;
      for (const [key, status] of [
        ["", 422],
        ["held", 409],
        [nameOf(row).replace(" ", ""), row.status],
        [nameOf(row).replace(" ", ""), row.status],
      ] as const) {
        const options = { token: tenant.token, headers: { "idempotency-key": key } };
        const answer = await request(server.url, row.method, at, sent, options);
        assert.equal(answer.status, status, answer.text);
        verify(row, answer);
      }
    }),
  );
  await holding.query("rollback");
  await holding.end();
});

test("every route answers an unexpected failure as documented", async () => {
  const broken = await startServer();
  const { token } = await broken.createTenant();
  // A request gets as far as its first statement, whatever its noun.
  const tables = await broken.sql(
    "select relname as name from pg_class where relrowsecurity and relname not in ('api_keys')",
  );
  for (const { name } of tables) await broken.sql(`alter table ${String(name)} rename to ${String(name)}_elsewhere`);
  // Of the table that authenticates, a column that it does not need.
  await broken.sql("alter table api_keys rename name to name_elsewhere");
  await verifyEvery(broken, token, 500);
});

test("every route answers without its database as documented", async () => {
  const broken = await startServer();
  const { token } = await broken.createTenant();
  await takeDatabaseAway(String(broken.connection.database));
  await verifyEvery(broken, token, 503);
  const { status, headers } = await request(broken.url, "GET", "/health/ready");
  assert.deepEqual([status, headers.get("x-error-code")], [503, "unavailable"]);
});

test("every answer in the document was seen, and is one of its examples where it never varies", () => {
  const documented = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { responses }]) =>
      Object.keys(responses).map((status) => `${method.toUpperCase()} ${path} ${status}`),
    ),
  );
  const unseen = documented.filter((name) => !exercised.has(name));
  const advice = "answer so in a test of this file, by the row's `refusals` say, or drop it from the route's reference";
  assert.deepEqual(unseen, [], `${unseen.join("; ")}: ${advice}`);
});

test("an undocumented member, status and header fail the check", () => {
  const headers = new Headers({
    "content-type": "application/json; charset=utf-8",
    "x-request-id": "a",
    "server-timing": "db;dur=0, total;dur=0",
  });
  const answer = { status: 200, headers, body: { message: "Contact deleted." } };
  const run = (received: Received) => check("DELETE", "/api/v1/contacts/{id}", received);
  run(answer);
  assert.throws(() => run({ ...answer, body: { message: "Contact deleted.", id: 1 } }), /additional properties/);
  assert.throws(() => run({ ...answer, status: 418 }), /is not documented/);
  assert.throws(() => run({ ...answer, headers: new Headers({ ...Object.fromEntries(headers), allow: "GET" }) }));
});

/** The path with ids that nothing has, for what is answered before anybody looks for a resource. */
function pathOfNothing(row: EveryRoute): string {
  return pathWith(
    row,
    row.models.map(() => MISSING),
  );
}

async function send(
  to: TestServer,
  { method }: EveryRoute,
  path: string,
  token?: string,
  body?: unknown,
): Promise<Answer> {
  return await request(to.url, method, path, body, token === undefined ? {} : { token });
}

function verify({ method, path }: EveryRoute, answer: Received): void {
  check(method, path, answer);
  exercised.add(`${method} ${path} ${answer.status}`);
  if (!FIXED.has(answer.status)) return;
  const documented = document.paths[path]?.[method.toLowerCase()]?.responses[answer.status];
  assert.ok(documented !== undefined);
  const { content } = resolve(document, documented);
  const values = Object.values(content?.["application/json"].examples ?? {}).map(({ value }) => JSON.stringify(value));
  assert.ok(
    values.includes(JSON.stringify(answer.body)),
    `${method} ${path} has no example ${JSON.stringify(answer.body)}`,
  );
}

async function verifyEvery(on: TestServer, token: string, status: number): Promise<void> {
  for (const row of everyRoute) {
    const sent = row.body === "none" ? undefined : row.body.passes;
    const answer = await send(on, row, pathOfNothing(row), token, sent);
    assert.equal(answer.status, status, `${nameOf(row)} ${answer.text}`);
    verify(row, answer);
  }
}

/** The tokens that authenticate and are then refused: revoked, of a suspended tenant, from elsewhere, incapable. */
async function refusedTokens({ capability }: EveryRoute): Promise<string[]> {
  const suspended = await server.createTenant();
  await server.sql("update tenants set suspended_at = now() where id = $1", [suspended.id]);
  const expired = await tenant.createKey({ expiresAt: "2020-01-01T00:00:00Z" });
  const elsewhere = await tenant.createKey({ allowIp: ["203.0.113.0/24"] });
  const refused = [expired.token, suspended.token, elsewhere.token];
  if (capability === null) return refused;
  const [area] = capability.split(":");
  const others = capabilities.filter((name) => !name.startsWith(`${area}:`));
  const incapable = await tenant.createKey({ capabilities: others });
  return [...refused, incapable.token];
}

/** Closes the database's connections and lets no new one in. */
async function takeDatabaseAway(name: string): Promise<void> {
  const cluster = new pg.Client({ ...server.connection, database: "postgres" });
  await cluster.connect();
  await cluster.query(`alter database ${cluster.escapeIdentifier(name)} allow_connections false`);
  await cluster.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
  await cluster.end();
}
