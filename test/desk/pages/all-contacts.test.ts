import assert from "node:assert/strict";
import { test } from "node:test";
import { assertHarmless, hostileTexts } from "../../doors/pages/hostile-texts.ts";
import { signedIn, type Visitor } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";

const server = await startServer();

type Person = { first: string; last: string; email?: string; mobile?: string; at?: string };

async function people(tenant: TestTenant, company: string, persons: readonly Person[]): Promise<number> {
  const { id } = (await tenant.post("/api/v1/companies", { name: company })).body.data;
  for (const { first, last, at, ...others } of persons) {
    const fields = { first_name: first, last_name: last, ...others };
    const made = await tenant.post(`/api/v1/companies/${id}/contacts`, fields);
    await server.sql("update contacts set last_contacted_at = $1 where tenant_id = $2 and id = $3", [
      at ?? null,
      tenant.id,
      made.body.data.id,
    ]);
  }
  return id;
}

/** The names on the page, with their companies. */
async function listed(who: Visitor, query = ""): Promise<string[]> {
  const { text } = await who.get(`/contacts${query}`);
  return [
    ...text.matchAll(
      /<td class="name"[^>]*><a href="\/contacts\/\d+">(.*?)<\/a>[^]*?<td[^>]*><a href="\/companies\/\d+" title="([^"]*)"/g,
    ),
  ].map(([, name = "", company]) => `${name.replaceAll(/<[^>]*>/g, "")} (${company})`);
}

async function twoFirms() {
  const tenant = await server.createTenant();
  const acme = await people(tenant, "Panificația Brașov SA", [
    { first: "Ștefan", last: "Zamfir", email: "s.zamfir@pan.example", at: "2026-11-01T10:00:00Z" },
    { first: "Ana", last: "Pop", mobile: "+40 722 555 012" },
  ]);
  await people(tenant, "Nord", [
    { first: "Ion", last: "Marin", email: "ion@nord.example", at: "2026-11-20T10:00:00Z" },
  ]);
  return { tenant, acme, member: await signedIn(server, tenant) };
}

test("the people of all companies stand by their names, or by whom one spoke to last", async () => {
  const { member } = await twoFirms();
  const [ana, ion, stefan] = [
    "Ana Pop (Panificația Brașov SA)",
    "Ion Marin (Nord)",
    "Ștefan Zamfir (Panificația Brașov SA)",
  ];
  assert.deepEqual(await listed(member), [ana, ion, stefan]);
  assert.deepEqual(await listed(member, "?sort=-last_contacted_at"), [ion, stefan, ana]);
  assert.deepEqual(await listed(member, "?sort=nonsense&page=99"), [ana, ion, stefan], "beyond the last is the last");
  assert.match((await member.get("/contacts")).text, /<a href="tel:\+40722555012">/);
});

test("the people of all companies are found by name, either way round, by e-mail, by company and by phone", async () => {
  const { member } = await twoFirms();
  for (const [search, names] of [
    ["zam", ["Ștefan Zamfir"]],
    ["stefan z", ["Ștefan Zamfir"]],
    ["zamfir st", ["Ștefan Zamfir"]],
    ["amfi", ["Ștefan Zamfir"]],
    ["ion@nord", ["Ion Marin"]],
    ["panificatia", ["Ana Pop", "Ștefan Zamfir"]],
    ["0722 555 012", ["Ana Pop"]],
    ["555012", ["Ana Pop"]],
    ["nobody", []],
    ["%", []],
  ] as const) {
    const found = await listed(member, `?search=${encodeURIComponent(search)}`);
    assert.deepEqual(
      found.map((name) => name.split(" (")[0]),
      names,
      search,
    );
  }
  assert.match((await member.get("/contacts?search=nobody")).text, /Nobody has “nobody” in the name/);
});

test("a person who is deleted, whose company is, or who is another tenant's is not listed", async () => {
  const { tenant, acme, member } = await twoFirms();
  await tenant.delete(`/api/v1/companies/${acme}`);
  assert.deepEqual(await listed(member), ["Ion Marin (Nord)"]);
  for (const search of ["ana", "555012", "panificatia"])
    assert.deepEqual(await listed(member, `?search=${search}`), []);
  const stranger = await signedIn(server, await server.createTenant());
  assert.deepEqual(await listed(stranger), []);
  for (const search of ["ion", "nord"]) assert.deepEqual(await listed(stranger, `?search=${search}`), []);
  assert.match(
    (await stranger.get("/contacts")).text,
    /No contacts yet[^]*<a class="button main" href="\/imports\/new\?kind=contacts">/,
  );
});

test("of more people than anybody looks through the first thousand are listed, page after page", async () => {
  const tenant = await server.createTenant();
  const id = await people(tenant, "Large", []);
  await server.sql(
    `insert into contacts (tenant_id, company_id, first_name, last_name)
     select $1, $2, 'P' || lpad(g::text, 5, '0'), 'Q' from generate_series(1, 1100) g`,
    [tenant.id, id],
  );
  const member = await signedIn(server, tenant);
  const { text } = await member.get("/contacts?per_page=200&page=9");
  assert.match(text, /<span class="count" id="total">1,000\+<\/span>/);
  assert.match(text, /These are the first 1,000\./);
  assert.match(text, />P00801 Q<[^]*>P01000 Q</);
  assert.doesNotMatch(text, /P01001|rel="next"/);
});

test("a search that finds as many people as it may says so, and offers only these", async () => {
  const tenant = await server.createTenant();
  const id = await people(tenant, "Large", []);
  await server.sql(
    `insert into contacts (tenant_id, company_id, first_name, last_name)
     select $1, $2, 'Radu', 'Q' || lpad(g::text, 5, '0') from generate_series(1, 210) g`,
    [tenant.id, id],
  );
  const member = await signedIn(server, tenant);
  const { text } = await member.get("/contacts?search=radu");
  assert.match(text, /<span class="count" id="total">200\+<\/span>/);
  assert.match(text, /There may be more: a search finds 200 contacts at most\./);
  assert.match(text, /data-total="200"> Select these 200</);
  const few = (await member.get("/contacts?search=q00007")).text;
  assert.match(few, /id="total">1</);
  assert.doesNotMatch(few, /There may be more/);
});

test("no name and no search runs a script on the list of people", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  for (const hostile of hostileTexts) {
    await people(tenant, hostile.slice(0, 200), [{ first: hostile.slice(0, 100), last: hostile.slice(0, 100) }]);
    assertHarmless((await member.get(`/contacts?search=${encodeURIComponent(hostile)}`)).text, hostile);
  }
  assertHarmless((await member.get("/contacts")).text, "the list");
});
