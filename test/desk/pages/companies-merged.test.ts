import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";

/** docs/web.md 2. */
const server = await startServer();

async function company(tenant: TestTenant, fields: object): Promise<number> {
  return (await tenant.post("/api/v1/companies", fields)).body.data.id;
}

test("a deleted company whose fiscal id went into a merge names its own id and the merge, and its advice works", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const deleted = await company(tenant, { name: "Aaa", tax_id: "RO1111" });
  await tenant.delete(`/api/v1/companies/${deleted}`);
  const merged = await company(tenant, { name: "Bbb", tax_id: "RO1111" });
  const kept = await company(tenant, { name: "Ccc", tax_id: "RO2222" });
  await member.post(`/companies/${kept}/merge?with=${merged}`, { "choice-name": "keep", "choice-tax_id": "keep" });
  const restore = async (language: string) =>
    await member.post(
      `/companies/${deleted}/restore`,
      {},
      { "sec-fetch-site": "same-origin", "accept-language": language },
    );
  for (const [language, said] of [
    ["en", "A company with its fiscal id, RO1111, was merged into:"],
    ["ro", "O firmă cu codul ei fiscal, RO1111, a fost contopită cu:"],
  ] as const) {
    const refused = await restore(language);
    assert.equal(refused.status, 409);
    assert.ok(refused.text.includes(`${said} <a href="/companies/${kept}">Ccc</a>`), refused.text);
    assert.ok(!refused.text.includes("RO2222"));
  }
  const [, undo = ""] = /href="(\/merges\/\d+\/undo)"/.exec((await member.get(`/companies/${kept}`)).text) ?? [];
  assert.equal((await member.post(undo, {})).location, `/companies/${merged}`);
  await tenant.put(`/api/v1/companies/${merged}`, { tax_id: null });
  assert.equal((await restore("en")).location, `/companies/${deleted}`);
});

test("custom fields in which two companies differ are chosen as others are, and filled ones are named", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const options = [
    { value: "g", label: "Gold" },
    { value: "s", label: "<i>Silver" },
  ];
  await tenant.post("/api/v1/custom-fields", { noun: "company", label: "Price list", kind: "choice", options });
  await tenant.post("/api/v1/custom-fields", { noun: "company", label: "Van", kind: "text" });
  await tenant.post("/api/v1/custom-fields", { noun: "company", label: "Same", kind: "number" });
  const kept = await company(tenant, { name: "A", custom: { price_list: "g", same: "1.50" } });
  const other = await company(tenant, { name: "A", custom: { price_list: "s", van: "2", same: "1.5" } });
  const { text } = await member.get(`/companies/${kept}/merge?with=${other}`);
  assert.match(text, /<legend>Price list<[^]*?value="keep"> Gold [^]*?value="from" checked> &lt;i&gt;Silver /);
  assert.match(text, /empty here: Van\./);
  assert.ok(!text.includes("choice-custom.same"), "what is the same is no choice");
  const form = { "choice-custom.price_list": "from" };
  assert.equal((await member.post(`/companies/${kept}/merge?with=${other}`, form)).location, `/companies/${kept}`);
  const { metadata } = (await tenant.get(`/api/v1/companies/${kept}`)).body.data;
  assert.deepEqual(metadata, { price_list: "s", van: "2", same: "1.5" });
});

test("two companies are compared, merged and taken apart again, in both languages", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const kept = await company(tenant, { name: "Panificația SA", city: "Brașov", notes: "ours", status: "active" });
  const other = await company(tenant, { name: "Panificatia <b>", phone: "0268 555 010", notes: "theirs" });
  for (const number of ["M-1", "M-2"]) await tenant.post(`/api/v1/companies/${other}/invoices`, { number });
  await server.sql("update invoices set wms_order_id = 7, wms_instance = null where number = 'M-1'");

  assert.match((await member.get(`/companies/${kept}`)).text, new RegExp(`href="/companies/${kept}/merge"`));
  const found = await member.get(`/companies/${kept}/merge?search=panificatia`);
  assert.match(found.text, new RegExp(`href="/companies/${kept}/merge\\?with=${other}"`));
  assert.ok(!found.text.includes(`?with=${kept}"`), "itself is not offered");

  const { text } = await member.get(`/companies/${kept}/merge?with=${other}`);
  assert.match(text, /2 invoices/);
  assert.match(text, /1 order stays as it is in the warehouse/);
  assert.match(text, /empty here: Phone\./);
  assert.match(text, /The notes of both are kept/);
  assert.match(text, /name="choice-name" value="from" checked/, "the newer name is proposed");
  assert.ok(!text.includes("choice-country"), "what is the same is no choice");
  assert.ok(!text.includes("<b>"));

  const form = { "choice-name": "keep", "choice-status": "keep" };
  const merged = await member.post(`/companies/${kept}/merge?with=${other}`, form);
  assert.equal(merged.location, `/companies/${kept}`, merged.text);
  const after = await member.get(`/companies/${kept}`);
  const again = `/companies/${kept}/merge?with=${other}`;
  const twice = [await member.post(again, form), await member.get(again)].map(({ location }) => location);
  assert.deepEqual(twice, [`/companies/${kept}`, `/companies/${kept}`], "pressed twice");
  assert.match(after.text, /Merged with Panificatia &lt;b&gt;: 2 invoices moved\./);
  const [, undo] = /href="(\/merges\/\d+\/undo)"/.exec(after.text) ?? [];
  assert.ok(undo, "the page of the kept company leads to the undo");
  assert.equal((await member.get(`/companies/${other}`)).location, `/companies/${kept}`);
  assert.match((await member.get(`/history?company=${kept}&type=company`)).text, /merged Panificatia &lt;b&gt; into/);

  assert.equal(
    (await member.post(`/companies/${other}/restore`, {})).location,
    undo,
    "a merge is undone, not restored",
  );

  assert.match((await member.get(undo)).text, /Panificatia &lt;b&gt; returns, with 2 invoices/);
  const undone = await member.post(undo, {});
  assert.equal(undone.location, `/companies/${other}`);
  assert.match((await member.get(`/companies/${other}`)).text, /The merge was undone\./);
  assert.equal((await member.get(undo)).status, 409);
  const mine = await signedIn(server, tenant, { name: "Ioana" });
  const twin = await company(tenant, { name: "panificatia S.A.", city: "Brasov" });
  const user = await server.sql("select id from users where tenant_id = $1 and name = 'Ioana'", [tenant.id]);
  await tenant.put(`/api/v1/companies/${kept}`, { assigned_to: Number(user[0]?.id) });
  const probable = await mine.get("/companies/alike?state=probable");
  assert.match(probable.text, new RegExp(`href="/companies/${kept}/merge\\?with=${twin}"`));
  assert.match((await mine.get("/today")).text, /1 possible duplicate among your companies/);
  assert.equal((await mine.post(`/companies/${kept}/not-alike/${twin}`, {})).location, "/companies/alike");
  assert.ok(!(await mine.get("/companies/alike?state=probable")).text.includes(`?with=${twin}"`));
  assert.match((await mine.get(`/history?company=${kept}&type=company`)).text, /is not panificatia S\.A\./);
  assert.match(
    (await mine.get("/companies/alike?state=not")).text,
    new RegExp(`action="/companies/${kept}/alike/${twin}"`),
  );
  await mine.post(`/companies/${kept}/alike/${twin}`, {});
  assert.ok((await mine.get("/companies/alike?state=probable")).text.includes(`?with=${twin}"`));
  const same = (shown: string) =>
    /<ul aria-label="Possible duplicates"><li><a href="([^"]+)">[^]*?<small>([^<]*)<\/small>/.exec(shown)?.slice(1);
  for (const [id, its, their] of [
    [kept, twin, "Brasov"],
    [twin, kept, "Brașov"],
  ] as const) {
    const pick = await mine.get(`/companies/${id}/merge`);
    assert.deepEqual(same(pick.text), [`/companies/${id}/merge?with=${its}`, `${their} · Same: name`], "proposed");
  }
  assert.equal(same((await mine.get(`/companies/${kept}/merge?search=x`)).text), undefined, "what is typed is found");
  await mine.post(`/companies/${twin}/not-alike/${kept}`, {});
  assert.equal(same((await mine.get(`/companies/${kept}/merge`)).text), undefined, "said to be another company");
  const stranger = await signedIn(server, await server.createTenant());
  assert.equal((await stranger.get(undo)).status, 404);
  assert.equal((await stranger.post(`/companies/${kept}/merge?with=${other}`, form)).status, 404);
});

test("of two values the newer one is proposed and said to be newer, where the history knows which", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const items = [{ name: "Agro A" }, { name: "Agro B" }];
  const { body } = await tenant.post("/api/v1/companies/batch", { items });
  const [one, other] = (body.results as { id: number }[]).map(({ id }) => id);
  const proposed = async (kept: unknown, from: unknown) => {
    const { text } = await member.get(`/companies/${String(kept)}/merge?with=${String(from)}`);
    return [
      /name="choice-name" value="(\w+)" checked/.exec(text)?.[1],
      /class="muted">([^<]*) · newer</.exec(text)?.[1],
    ];
  };
  assert.deepEqual(await proposed(one, other), ["keep", undefined], "made in one moment");
  assert.deepEqual(await proposed(other, one), ["keep", undefined]);
  await tenant.put(`/api/v1/companies/${one}`, { name: "Agro C" });
  assert.deepEqual(await proposed(one, other), ["keep", "Agro C"]);
  assert.deepEqual(await proposed(other, one), ["from", "Agro C"]);
});

test("an undo says what was changed since, and leaves it", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const kept = await company(tenant, { name: "Moara SA" });
  const other = await company(tenant, { name: "Moara SA", phone: "0268 555 010" });
  await member.post(`/companies/${kept}/merge?with=${other}`, {});
  await tenant.put(`/api/v1/companies/${kept}`, { phone: "0268 555 011" });
  const [, undo] = /href="(\/merges\/\d+\/undo)"/.exec((await member.get(`/companies/${kept}`)).text) ?? [];
  assert.match((await member.get(String(undo))).text, /Changed since, and left as it is: 1 value\./);
  await member.post(String(undo), {});
  const after = await member.get(`/companies/${other}`);
  assert.match(after.text, /The merge was undone\. Changed since, and left as it is: 1 value\./);
});

test("forms that were open when their company was merged create for the kept one, and its other pages lead there", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const kept = await company(tenant, { name: "Kept" });
  const other = await company(tenant, { name: "Other" });
  const { body } = await tenant.post(`/api/v1/companies/${kept}/merge`, { from: other });
  assert.equal(typeof body.meta.merge_id, "number");

  for (const page of ["", "/edit", "/statement?from=2026-01-01", "/contacts/new", "/delete"]) {
    const { status, location } = await member.get(`/companies/${other}${page}`);
    assert.deepEqual([page, status, location], [page, 303, `/companies/${kept}`]);
  }
  assert.match((await member.get(`/invoices/new?company=${other}`)).text, new RegExp(`name="company" value="${kept}"`));
  const note = { kind: "note", note: "typed before", once: "1" };
  assert.equal((await member.post(`/companies/${other}/activities`, note)).location, `/companies/${kept}`);
  const contact = { first_name: "Ana", last_name: "Pop" };
  assert.match(String((await member.post(`/companies/${other}/contacts`, contact)).location), /^\/contacts\/\d+$/);
  const invoice = { company: String(other), number: "O-1", issued_on: "2026-11-01", currency: "RON", total: "5" };
  assert.match(String((await member.post("/invoices", invoice)).location), /^\/invoices\/\d+$/);

  const found = (await tenant.get(`/api/v1/companies/${kept}?include=contacts,invoices`)).body;
  assert.equal(found.data.contacts_count, 1);
  assert.equal((await tenant.get(`/api/v1/companies/${kept}/invoices`)).body.total, 1);
  assert.match((await member.get(`/companies/${kept}`)).text, /typed before/);
  // What removes a record is not done to another one.
  assert.equal((await member.post(`/companies/${other}/delete`)).location, `/companies/${kept}`);
  assert.match((await member.get(`/companies/${kept}`)).text, /This company was merged into the one below\./);
  assert.equal((await tenant.get(`/api/v1/companies/${kept}`)).body.data.name, "Kept");
});

test("values that were typed for a company that was merged meanwhile are proposed to the one that stays", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const kept = await company(tenant, { name: "Kept", city: "Cluj" });
  const other = await company(tenant, { name: "Other" });
  const typed = { name: "Other", city: "Turda", website: "other.example", version: "2026-01-01T00:00:00Z" };
  await tenant.post(`/api/v1/companies/${kept}/merge`, { from: other });

  const { status, text } = await member.post(`/companies/${other}`, typed);
  assert.equal(status, 409);
  assert.match(text, /this record was merged with another one, and the other one stays/);
  assert.match(text, new RegExp(`action="/companies/${kept}"`));
  assert.match(text, /id="city-note">The record that stays has Cluj\. This field shows your value\./);
  const shown = (name: string) => new RegExp(`value="([^"]*)" id="${name}"`).exec(text)?.[1];
  assert.deepEqual(["name", "city", "website"].map(shown), ["Other", "Turda", "other.example"]);
  const read = async () => (await tenant.get(`/api/v1/companies/${kept}`)).body.data;
  assert.deepEqual([(await read()).city, (await read()).website], ["Cluj", null]);
  const form = {
    name: "Kept",
    city: "Turda",
    website: "other.example",
    version: /name="version" value="([^"]*)"/.exec(text)?.[1] ?? "",
  };
  assert.equal((await member.post(`/companies/${kept}`, form)).location, `/companies/${kept}`);
  assert.deepEqual(
    [(await read()).name, (await read()).city, (await read()).website],
    ["Kept", "Turda", "other.example"],
  );
});
