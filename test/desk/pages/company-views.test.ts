import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn, type Member } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

/** Lists of companies that somebody keeps under a name. */
const server = await startServer();

/** What the navigation shows: each view's name and where it leads, and whether the page is it. */
async function viewsOn(member: Member, path = "/today"): Promise<string[]> {
  const { text } = await member.get(path);
  const [, list = ""] = /<ul id="views"[^>]*>(.*?)<\/ul>/s.exec(text) ?? [];
  const links = list.matchAll(/<a href="([^"]*)" title="([^"]*)"( aria-current="true")?>/g);
  return [...links].map(([, href, name, here]) => `${name} ${href}${here === undefined ? "" : " here"}`);
}

/** The address of the view that a list shows, for users who may change it. */
async function editOf(member: Member, path: string): Promise<string | null> {
  return /href="(\/companies\/views\/\d+)"/.exec((await member.get(path)).text)?.[1] ?? null;
}

const save = async (member: Member, name: string, filters: string, whose = "me") =>
  await member.post("/companies/views", { name, filters, for: whose });

test("a view stands in the navigation of every page, for oneself or for everybody, and leads to its list", async () => {
  const tenant = await server.createTenant();
  const [ana, dan] = [await signedIn(server, tenant), await signedIn(server, tenant, { role: "admin" })];
  const stranger = await signedIn(server, await server.createTenant());
  const list = "/companies?status=prospect&city=Cluj&sort=-name";
  const { text } = await ana.get(list);
  assert.match(text, /<input type="hidden" name="filters" value="status=prospect&amp;city=Cluj&amp;sort=-name">/);
  const saved = await save(ana, "Șoimi", "sort=-name&page=3&city=Cluj&status=prospect&per_page=9");
  assert.deepEqual([saved.status, saved.location], [303, list]);
  assert.match((await ana.get(list)).text, /“Șoimi” is in the navigation\./);
  await save(ana, "All's <due>", "callback=due", "all");
  await save(dan, "Dan's", "orders=attention");

  const mine = "Șoimi /companies?status=prospect&amp;city=Cluj&amp;sort=-name";
  const everybodys = "All&#39;s &lt;due&gt; /companies?callback=due";
  for (const path of [
    "/today",
    "/companies/new",
    "/profile",
    "/companies?city=Cluj",
    `/companies?deleted=1&city=Cluj`,
  ]) {
    assert.deepEqual(await viewsOn(ana, path), [mine, everybodys], path);
  }
  assert.deepEqual(await viewsOn(ana, "/companies?sort=-name&city=Cluj&page=1&status=prospect"), [
    `${mine} here`,
    everybodys,
  ]);
  assert.deepEqual(await viewsOn(dan), ["Dan&#39;s /companies?orders=attention", everybodys]);
  assert.deepEqual(await viewsOn(stranger), []);
});

test("who made a view renames and deletes it, an admin everybody's, and nobody else finds it", async () => {
  const tenant = await server.createTenant();
  const [ana, dan] = [await signedIn(server, tenant), await signedIn(server, tenant)];
  const [admin, stranger] = [
    await signedIn(server, tenant, { role: "admin" }),
    await signedIn(server, await server.createTenant(), { role: "admin" }),
  ];
  await save(ana, "Own", "city=Cluj");
  await save(ana, "Shared", "city=Turda", "all");
  const own = String(await editOf(ana, "/companies?city=Cluj"));
  const shared = String(await editOf(ana, "/companies?city=Turda"));
  assert.equal(await editOf(dan, "/companies?city=Turda"), null);
  assert.equal(await editOf(admin, "/companies?city=Turda"), shared);
  for (const [who, path] of [
    [dan, own],
    [admin, own],
    [dan, shared],
    [stranger, shared],
    [ana, "/companies/views/0"],
    [ana, "/companies/views/x"],
  ] as const) {
    assert.equal((await who.get(path)).status, 404);
    assert.equal((await who.post(path, { name: "B" })).status, 404);
    assert.equal((await who.post(`${path}/delete`)).status, 404);
  }
  assert.match((await admin.get(shared)).text, /It disappears from everybody&#39;s navigation/);
  const renamed = await admin.post(shared, { name: "For us" });
  assert.deepEqual([renamed.status, renamed.location], [303, "/companies?city=Turda"]);
  assert.deepEqual(await viewsOn(ana), ["Own /companies?city=Cluj", "For us /companies?city=Turda"]);
  const deleted = await ana.post(`${own}/delete`);
  assert.deepEqual([deleted.status, deleted.location], [303, "/companies?city=Cluj"]);
  await admin.post(`${shared}/delete`);
  assert.deepEqual(await viewsOn(ana), []);
});

test("a name is one view's, and what cannot be kept says why, with what was typed", async () => {
  const tenant = await server.createTenant();
  const [ana, dan] = [await signedIn(server, tenant), await signedIn(server, tenant)];
  await save(ana, "Due", "callback=due");
  await save(ana, "Of all", "callback=set", "all");
  assert.equal((await save(dan, "Due", "callback=due")).status, 303, "another one's name is free");
  for (const [name, filters, whose, message] of [
    ["Due", "city=A", "me", /A view with this name exists already\./],
    ["Of all", "city=A", "all", /A view with this name exists already\./],
    ["", "city=A", "me", /Name is required\./],
    ["n".repeat(61), "city=A", "me", /Name can have at most 60 characters\./],
    ["New", "", "me", /There is nothing to save/],
    ["New", "page=2&unknown=1&sort=name", "me", /There is nothing to save/],
    ["New", "status=nonsense", "me", /There is nothing to save/],
    ["New", `search=${"ș".repeat(200)}`, "me", /too long to be saved/],
    ["New", "city=A", "them", /For/],
  ] as const) {
    const refused = await save(ana, name, filters, whose);
    assert.equal(refused.status, 422, name + filters);
    assert.match(refused.text, message);
    assert.match(refused.text, new RegExp(`value="${name}"`));
    assert.doesNotMatch(refused.text, /unknown=1/);
  }
  await save(ana, "Other", "city=A");
  const other = String(await editOf(ana, "/companies?city=A"));
  assert.match((await ana.post(other, { name: "Due" })).text, /A view with this name exists already\./);
  assert.equal((await ana.post(other, { name: " " })).status, 422);
  assert.equal((await ana.post(other, { name: "Other" })).status, 303);
});

test("a view of one list may have the name of another list's", async () => {
  const tenant = await server.createTenant();
  const ana = await signedIn(server, tenant);
  for (const whose of ["me", "all"]) {
    const name = `Due for ${whose}`;
    for (const list of ["companies", "contacts", "orders"]) {
      const form = { name, filters: "search=due", for: whose };
      const statuses = [await ana.post(`/${list}/views`, form), await ana.post(`/${list}/views`, form)];
      assert.deepEqual(
        statuses.map(({ status }) => status),
        [303, 422],
        `${list} for ${whose}`,
      );
    }
    const of = ["companies", "contacts", "orders"].map((list) => `${name} /${list}?search=due`);
    assert.deepEqual(
      (await viewsOn(ana)).filter((view) => view.startsWith(name)),
      of,
    );
  }
});

test("there are 20 views of one's own and 50 of everybody's, however many are saved at once", async () => {
  const tenant = await server.createTenant();
  const people = [await signedIn(server, tenant), await signedIn(server, tenant)];
  const statuses = async (whose: string, count: number) => {
    const saved = Array.from({ length: count }, async (_, index) => {
      const member = people[index % 2] as Member;
      return (await save(member, `${whose} ${index}`, `city=${whose}${index}`, whose)).status;
    });
    return Object.groupBy(await Promise.all(saved), String);
  };
  const own = await statuses("me", 44);
  assert.deepEqual([own[303]?.length, own[422]?.length], [40, 4]);
  for (const places of [1, 2, 3, 4, 5]) {
    await server.sql("delete from list_views where tenant_id = $1 and is_for_all", [tenant.id]);
    await server.sql(
      `insert into list_views (tenant_id, user_id, is_for_all, name, filters)
       select $1, $2, true, 'Made ' || n, 'city=M' || n from generate_series(1, $3::int) n`,
      [tenant.id, people[0]?.userId, 50 - places],
    );
    const shared = await statuses("all", 8);
    assert.deepEqual([shared[303]?.length, shared[422]?.length], [places, 8 - places]);
  }
  const [ana] = people as [Member];
  assert.match((await save(ana, "One more", "city=Z")).text, /You have 20 views of your own, which is the most\./);
  assert.match((await save(ana, "One more", "city=Z", "all")).text, /Everybody has 50 views/);
  const roman = { "accept-language": "ro", "sec-fetch-site": "same-origin" };
  const form = { name: "Încă una", filters: "city=Z", for: "all" };
  assert.match((await ana.post("/companies/views", form, roman)).text, /Pentru toți sunt deja 50 de liste/);
  assert.equal((await viewsOn(ana)).length, 70);
});
