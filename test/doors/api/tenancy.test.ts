import assert from "node:assert/strict";
import { test } from "node:test";
import { routes } from "../../../src/doors/routes.ts";
import { request, startServer, type Answer, type TestServer, type TestTenant } from "../../harness.ts";
import { everyRoute } from "./every-route.ts";
import { idIn, make, parentOf, remove } from "./resources.ts";
import { assertEveryRouteHasItsRow, idsOf, nameOf, pathWith, resourceOf, situationFor } from "./route-situations.ts";

const MISSING = 888_888;

/** The owner's own requests are noted in these later, at any moment. */
const WRITTEN_LATER = new Set(["api_keys", "key_requests"]);

const server = await startServer();
const stranger = await server.createTenant();
const owner = await server.createTenant();
/** Where row-level security is off, so that the tenant in each statement has to do alone. */
const withoutSecondWall = await startServer();
const tables = await withoutSecondWall.sql("select relname as name from pg_class where relrowsecurity");
for (const { name } of tables) {
  await withoutSecondWall.sql(`alter table ${String(name)} disable row level security`);
}

for (const [walls, host, stranger, owner] of [
  ["both walls", server, await server.createTenant(), await server.createTenant()],
  [
    "the first wall alone",
    withoutSecondWall,
    await withoutSecondWall.createTenant(),
    await withoutSecondWall.createTenant(),
  ],
] as const) {
  for (const row of everyRoute) {
    const { method, models, body } = row;
    if (row.on === "none") continue;

    test(`${nameOf(row)} answers another tenant's id like a missing one and changes nothing, by ${walls}`, async () => {
      const owned = await situationFor(row, host, owner);
      const own = await situationFor(row, host, stranger);
      const before = await everythingOf(host, owner);
      for (const [place, model] of models.entries()) {
        // The other ids of the path are the stranger's own.
        const path = (id: number) => pathWith(row, idsOf(row, own).with(place, id));
        const id = idIn(owned, model);
        for (const sent of body === "none" ? [undefined] : [body.passes, {}, body.fails]) {
          const foreign = await request(host.url, method, path(id), sent, { token: stranger.token });
          const missing = await request(host.url, method, path(MISSING), sent, { token: stranger.token });
          assert.equal(foreign.status, 404, foreign.text);
          assert.equal(withoutId(foreign, id), withoutId(missing, id));
          assert.deepEqual(shapeOf(foreign), shapeOf(missing));
        }
      }
      assert.deepEqual(await everythingOf(host, owner), before);
    });
  }

  test(`lists, searches and filters show only the tenant's own, by ${walls}`, async () => {
    const [a, b] = [await host.createTenant(), await host.createTenant()];
    const user = await b.createUser();
    for (const [tenant, name] of [
      [a, "Alpha"],
      [b, "Alpha"],
      [b, "Beta"],
    ] as const) {
      const assigned = tenant === b ? { assigned_to: user } : {};
      await tenant.post("/api/v1/companies", { name, tax_id: name, ...assigned });
    }
    for (const query of ["", "?search=a", "?search=alpha", "?status=prospect", "?per_page=200"]) {
      const { body } = await a.get(`/api/v1/companies${query}`);
      assert.deepEqual([body.total, body.data.map(({ name }: { name: string }) => name)], [1, ["Alpha"]], query);
    }
    for (const query of ["?search=beta", `?assigned_to=${user}`, `?assigned_to=${user}&search=alpha`]) {
      const { body } = await a.get(`/api/v1/companies${query}`);
      assert.deepEqual([body.total, body.data], [0, []], query);
    }
    const refused = await a.post("/api/v1/companies", { name: "A", assigned_to: user });
    assert.deepEqual(refused.body.errors, { assigned_to: ["The selected assigned to is invalid."] });
  });
}

const deletable = new Set(everyRoute.filter(({ method }) => method === "DELETE").map(resourceOf));

for (const row of everyRoute) {
  const { method, models, body, status, exceptions = {} } = row;
  if (row.on === "none") continue;
  const model = resourceOf(row);
  const parent = parentOf(model);
  // What works on a deleted resource finds it, unless what it belongs to is deleted as well.
  const deletions = [
    ...(row.on === "live" ? [[model]] : []),
    ...(parent === undefined || !deletable.has(parent) ? [] : [[parent], [model, parent]]),
  ];
  const sent = body === "none" ? undefined : body.passes;
  const ask = async (ids: readonly number[]) =>
    await request(server.url, method, pathWith(row, ids), sent, { token: stranger.token });

  for (const deleted of exceptions.neverDeleted === undefined ? deletions : []) {
    const as = exceptions.answersDeleted === undefined ? "a missing one" : "a live one";
    test(`${nameOf(row)} answers as on ${as} where ${deleted.join(" and ")} is deleted`, async () => {
      const made = await make(stranger, models);
      for (const each of deleted) await remove(stranger, each, made);
      const answer = await ask(idsOf(row, made));
      if (exceptions.answersDeleted !== undefined) {
        return assert.equal(answer.status, status, `${answer.text}; drop the row's exception answersDeleted`);
      }
      const missing = await ask(idsOf(row, made).with(models.length - 1, MISSING));
      assert.equal(answer.status, 404, `${answer.text}; if that is meant, the row claims the exception answersDeleted`);
      assert.equal(withoutId(answer, idIn(made, model)), withoutId(missing, idIn(made, model)));
    });
  }
}

test("every route has a row in the test's table", () => {
  assertEveryRouteHasItsRow(routes);
});

test("what a row calls never deleted has no DELETE", () => {
  const claiming = everyRoute.filter(({ exceptions }) => exceptions?.neverDeleted !== undefined);
  const wrong = claiming.filter((row) => deletable.has(resourceOf(row)));
  assert.deepEqual(wrong.map(nameOf), [], "drop the exception neverDeleted from these rows");
});

test("a tax_id that another tenant has too is no conflict", async () => {
  for (const tenant of [owner, stranger]) {
    assert.equal((await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO-SAME" })).status, 201);
  }
});

test("a foreign id in a body leads nowhere", async () => {
  const owned = await make(owner, ["Company"]);
  const { body } = await stranger.post("/api/v1/companies", { name: "A", id: owned.Company, tenant_id: owner.id });
  assert.notEqual(body.data.id, owned.Company);
  const contact = { first_name: "A", last_name: "B", company_id: owned.Company };
  const created = await stranger.post(`/api/v1/companies/${body.data.id}/contacts`, contact);
  assert.equal(created.body.data.company_id, body.data.id);
  const moved = await stranger.put(`/api/v1/contacts/${created.body.data.id}`, { company_id: owned.Company });
  assert.equal(moved.body.data.company_id, body.data.id);
});

/** The text, in which one id is as good as another: of the other ids of the path some may be the same number. */
function withoutId({ text }: Answer, id: number): string {
  return text.replaceAll(new RegExp(`\\b${id}\\b`, "g"), String(MISSING));
}

/** What must not tell the two apart: everything but the time, the ids and the counter. */
function shapeOf({ status, headers }: Answer): object {
  const times = ["date", "server-timing"];
  const varying = new Set([...times, "x-request-id", "x-ratelimit-remaining", "ratelimit", "content-length"]);
  return { status, headers: [...headers].filter(([name]) => !varying.has(name)) };
}

/** Every row that the tenant has, but for its keys: when they were last used is written while others ask. */
async function everythingOf(host: TestServer, { id }: TestTenant): Promise<unknown[]> {
  const owned = tables.map(({ name }) => String(name)).filter((name) => !WRITTEN_LATER.has(name));
  const rowsOf = (table: string) => `select to_jsonb(t) as row from ${table} t where tenant_id = $1 order by 1`;
  return await Promise.all(owned.map(async (table) => [table, await host.sql(rowsOf(table), [id])]));
}
