import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn, type Visitor } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

/** The lists of what admins set up: keys, users, webhooks, imports. */
const server = await startServer();

/** The names that a list shows, in its order. */
async function namesOn(visitor: Visitor, path: string): Promise<string[]> {
  const { text } = await visitor.get(path);
  return [...text.matchAll(/<td class="name"><a[^>]*>([^<]*)</g)].map(([, name = ""]) => name);
}

/** The heads that sort, each with the order that a click chooses. */
async function sortsOn(visitor: Visitor, path: string): Promise<string[]> {
  const { text } = await visitor.get(path);
  const heads = text.matchAll(/<th scope="col"([^>]*)><a class="sort" href="([^"]*)">([^<]*)</g);
  return [...heads].map(([, looks = "", href, label]) => {
    return [label, href, ...(/aria-sort="(\w+)"/.exec(looks) ?? []).slice(1)].join(" ");
  });
}

test("the heads of keys sort them, those never used last", async () => {
  const tenant = await server.createTenant();
  const admin = await signedIn(server, tenant, { role: "admin" });
  await server.sql("delete from api_keys where tenant_id = $1", [tenant.id]);
  for (const [name, hours, requests] of [
    ["Often", 5, 900],
    ["Lately", 1, 12],
    ["Never", null, 0],
  ] as const) {
    const { id } = await tenant.createKey({ name });
    await server.sql(
      "update api_keys set last_used_at = now() - make_interval(hours => $3) where tenant_id = $1 and id = $2",
      [tenant.id, id, hours],
    );
    await server.sql("insert into key_requests (tenant_id, key_id, day, requests) values ($1, $2, current_date, $3)", [
      tenant.id,
      id,
      requests,
    ]);
  }
  assert.deepEqual(await namesOn(admin, "/keys"), ["Never", "Lately", "Often"], "the newest first");
  assert.deepEqual(await namesOn(admin, "/keys?sort=-last_used"), ["Lately", "Often", "Never"]);
  assert.deepEqual(await namesOn(admin, "/keys?sort=last_used"), ["Often", "Lately", "Never"]);
  assert.deepEqual(await namesOn(admin, "/keys?sort=-requests"), ["Often", "Lately", "Never"]);
  assert.deepEqual(await namesOn(admin, "/keys?sort=unknown"), ["Never", "Lately", "Often"]);
  assert.deepEqual(await sortsOn(admin, "/keys?sort=-requests"), [
    "Requests in 30 days ?sort=requests descending",
    "Last used ?sort=-last_used",
  ]);
});

test("a page that has not all rows keeps their order, and its heads do not sort", async () => {
  const tenant = await server.createTenant();
  const admin = await signedIn(server, tenant, { name: "Ana", role: "admin" });
  for (const name of ["Bogdan", "Corina"]) await tenant.createUser(name);
  assert.deepEqual(await namesOn(admin, "/users?sort=-last_seen&per_page=2"), ["Ana", "Bogdan"]);
  assert.deepEqual(await sortsOn(admin, "/users?per_page=2"), []);
  assert.deepEqual(await sortsOn(admin, "/users"), ["Companies ?sort=-companies", "Last seen ?sort=-last_seen"]);
  assert.match((await admin.get("/users?per_page=2")).text, /<h1>Users <span class="count">3<\/span><\/h1>/);
});
