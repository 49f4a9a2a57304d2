import assert from "node:assert/strict";
import { test } from "node:test";
import { routes } from "../../src/routes.ts";
import { request, startServer, type Answer, type TestServer, type TestTenant } from "../harness.ts";
import { everyRoute, namesOf, pathOf } from "./every-route.ts";

const MISSING = 888_888;

test("every route has a row in the test's table", () => {
  assert.deepEqual(namesOf(routes), namesOf(everyRoute), "add the route to test/contract/every-route.ts");
});

const server = await startServer();
const stranger = await server.createTenant();
const owner = await server.createTenant();
/** Where row-level security is off, so that the tenant in each statement has to do alone. */
const withoutSecondWall = await startServer();
const tables = await withoutSecondWall.sql("select relname as name from pg_class where relrowsecurity");
for (const { name } of tables) {
  await withoutSecondWall.sql(`alter table ${String(name)} disable row level security`);
}

for (const [walls, host] of [
  ["both walls", server],
  ["the first wall alone", withoutSecondWall],
] as const) {
  const stranger = await host.createTenant();
  const owner = await host.createTenant();
  const owned = await createOneOfEach(owner);

  for (const route of everyRoute) {
    const { method, model, body } = route;
    if (model === null) continue;

    test(`${method} ${route.path} answers another tenant's id like a missing one and changes nothing, by ${walls}`, async () => {
      const before = await everythingOf(host, owner);
      for (const sent of body === undefined ? [undefined] : [body, {}, { name: 5, first_name: 5, address: 5 }]) {
        const foreign = await request(host.url, method, pathOf(route, owned[model]), sent, { token: stranger.token });
        const missing = await request(host.url, method, pathOf(route, MISSING), sent, { token: stranger.token });
        assert.equal(foreign.status, 404);
        assert.equal(foreign.text.replaceAll(String(owned[model]), String(MISSING)), missing.text);
        assert.deepEqual(shapeOf(foreign), shapeOf(missing));
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

for (const route of everyRoute) {
  const { method, model, body } = route;
  if (model === null) continue;

  test(`${method} ${route.path} answers a deleted resource like a missing one, and one of a deleted company too`, async () => {
    const gone = await createOneOfEach(stranger);
    const hidden = await createOneOfEach(stranger);
    await stranger.delete(`/api/v1/contacts/${gone.Contact}`);
    await stranger.delete(`/api/v1/addresses/${gone.Address}`);
    for (const { Company } of [gone, hidden]) await stranger.delete(`/api/v1/companies/${Company}`);
    const missing = await request(server.url, method, pathOf(route, MISSING), body, { token: stranger.token });
    for (const ids of [gone, hidden]) {
      const answer = await request(server.url, method, pathOf(route, ids[model]), body, { token: stranger.token });
      assert.equal(answer.status, 404);
      assert.equal(answer.text.replaceAll(String(ids[model]), String(MISSING)), missing.text);
    }
  });
}

test("the same tax_id in two tenants is no conflict", async () => {
  for (const tenant of [owner, stranger]) {
    assert.equal((await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO-SAME" })).status, 201);
  }
});

test("a foreign id in a body leads nowhere", async () => {
  const owned = await createOneOfEach(owner);
  const { body } = await stranger.post("/api/v1/companies", { name: "A", id: owned.Company, tenant_id: owner.id });
  assert.notEqual(body.data.id, owned.Company);
  const contact = { first_name: "A", last_name: "B", company_id: owned.Company };
  const created = await stranger.post(`/api/v1/companies/${body.data.id}/contacts`, contact);
  assert.equal(created.body.data.company_id, body.data.id);
  const moved = await stranger.put(`/api/v1/contacts/${created.body.data.id}`, { company_id: owned.Company });
  assert.equal(moved.body.data.company_id, body.data.id);
});

/** What must not tell the two apart: everything but the time, the ids and the counter. */
function shapeOf({ status, headers }: Answer): object {
  const varying = new Set(["date", "x-request-id", "x-ratelimit-remaining", "content-length"]);
  return { status, headers: [...headers].filter(([name]) => !varying.has(name)) };
}

async function everythingOf(host: TestServer, { id }: TestTenant): Promise<unknown[]> {
  const tables = ["companies", "contacts", "addresses", "users", "invoices"];
  return await Promise.all(
    tables.map(async (table) => await host.sql(`select * from ${table} where tenant_id = $1 order by id`, [id])),
  );
}

async function createOneOfEach(of: TestTenant): Promise<Record<"Company" | "Contact" | "Address", number>> {
  const Company = (await of.post("/api/v1/companies", { name: "A", phone: "1" })).body.data.id;
  const person = { first_name: "Ana", last_name: "Pop" };
  const Contact = (await of.post(`/api/v1/companies/${Company}/contacts`, person)).body.data.id;
  const Address = (await of.post(`/api/v1/companies/${Company}/addresses`, { address: "A" })).body.data.id;
  return { Company, Contact, Address };
}
