import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { companyFields } from "../../../src/customers/companies/company.ts";
import { assertHarmless, hostileTexts } from "../../doors/pages/hostile-texts.ts";
import { signedIn, type Member } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";

const server = await startServer();
const API = "/api/v1/companies";

async function create(tenant: TestTenant, company: Record<string, unknown>): Promise<string> {
  return String((await tenant.post(API, company)).body.data.id);
}

async function stored(tenant: TestTenant, id: string): Promise<Record<string, unknown>> {
  return (await tenant.get(`${API}/${id}`)).body.data;
}

/** The fields of the form on a page, as a browser would send them. */
async function formOf(member: Member, path: string): Promise<Record<string, string>> {
  const { text } = await member.get(path);
  const form = text.slice(text.lastIndexOf('<form class="record"'));
  const inputs = [
    ...form.matchAll(
      /<input[^>]* name="([^"]+)" value="([^"]*)"|<input[^>]* value="([^"]*)" id="[^"]*" name="([^"]+)"/g,
    ),
  ];
  const areas = [...form.matchAll(/<textarea[^>]* name="([^"]+)"[^>]*>\n([^<]*)</g)];
  const selects = [...form.matchAll(/<select[^>]* name="([^"]+)"[^>]*>(.*?)<\/select>/gs)];
  return Object.fromEntries([
    ...inputs.map(([, name, value, otherValue, otherName]) => [
      name ?? otherName ?? "",
      unescaped(value ?? otherValue ?? ""),
    ]),
    ...areas.map(([, name, value]) => [name, unescaped(value ?? "")]),
    ...selects.map(([, name, options = ""]) => [name, /<option value="([^"]*)" selected/.exec(options)?.[1] ?? ""]),
  ]);
}

function unescaped(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

test("a form changes the fields that it has, and no others", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const id = await create(tenant, { name: "A", phone: "123", city: "Cluj", notes: "N" });
  const saved = await member.post(`/companies/${id}`, { city: "Turda", phone: "" });
  assert.equal(saved.location, `/companies/${id}`);
  assert.match((await member.get(`/companies/${id}`)).text, /Saved\./);
  const { name, phone, city, notes } = await stored(tenant, id);
  assert.deepEqual({ name, phone, city, notes }, { name: "A", phone: null, city: "Turda", notes: "N" });
});

test("a form that is opened and saved as it is changes nothing", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const id = await create(tenant, {
    name: 'A & "B"',
    phone: "+40 1",
    notes: "\n<x>\n",
    employee_count: 7,
    callback_date: "2026-12-01",
  });
  const before = await stored(tenant, id);
  assert.equal((await member.post(`/companies/${id}`, await formOf(member, `/companies/${id}/edit`))).status, 303);
  assert.deepEqual(await stored(tenant, id), before);
});

/** As a browser posts a form: an input drops its line breaks, and a text area has them as CR LF. */
async function postedBy(member: Member, path: string): Promise<Record<string, string>> {
  const form = await formOf(member, path);
  const { text } = await member.get(path);
  return Object.fromEntries(
    Object.entries(form).map(([name, value]) => [
      name,
      text.includes(`<textarea rows="4" id="${name}"`)
        ? value.replaceAll(/\r\n?|\n/g, "\r\n")
        : value.replaceAll(/[\r\n]/g, ""),
    ]),
  );
}

test("texts of several lines stay as they are when another field is edited, and when a colleague changed them", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const texts = { address: "Str. 1\nHala 3", phone: "0264 1\n0264 2", notes: "a\r\nb\rc", delivery_notes: "d\ne" };
  const id = await create(tenant, { name: "A", ...texts });
  const form = await postedBy(member, `/companies/${id}/edit`);
  assert.deepEqual([form.address, form.phone], ["Str. 1 Hala 3", "0264 1 0264 2"], "no words are joined");
  assert.equal((await member.post(`/companies/${id}`, { ...form, city: "Turda" })).status, 303);
  const { address, phone, notes, delivery_notes, city } = await stored(tenant, id);
  assert.deepEqual({ address, phone, notes, delivery_notes, city }, { ...texts, city: "Turda" });
  const changed = { address: "Str. 2\nHala 4", notes: "x\r\ny" };
  const again = await postedBy(member, `/companies/${id}/edit`);
  await tenant.put(`/api/v1/companies/${id}`, changed);
  const conflict = await member.post(`/companies/${id}`, { ...again, city: "Cluj" });
  assert.equal(conflict.status, 409);
  assert.equal(conflict.text.match(/You did not change this field/g)?.length, 2);
  assert.match(conflict.text, /value="Str\. 2 Hala 4"/);
  const typed = await postedBy(member, `/companies/${id}/edit`);
  assert.equal((await member.post(`/companies/${id}`, { ...typed, address: "Str. 3" })).status, 303);
  const last = await stored(tenant, id);
  assert.deepEqual([last.address, last.notes], ["Str. 3", changed.notes]);
});

test("a form for a field that there is not is one for all of them", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const id = await create(tenant, { name: "A" });
  for (const field of ["ș", "a\r\nb: c", "__proto__", ""]) {
    const saved = await member.post(`/companies/${id}`, { city: "Turda", field });
    assert.deepEqual([saved.status, saved.location], [303, `/companies/${id}`], field);
    assert.equal((await member.post(`/companies/${id}`, { name: "", field })).status, 422);
    assert.equal((await member.get(`/companies/${id}/edit?field=${encodeURIComponent(field)}`)).status, 200);
  }
});

test("a company whose owner has left can be edited, and keeps the owner until another one is chosen", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const owner = await tenant.createUser("Ion Plecat");
  const id = await create(tenant, { name: "A", assigned_to: owner });
  await server.sql("update users set deactivated_at = now() where id = $1", [owner]);
  const form = await formOf(member, `/companies/${id}/edit`);
  assert.equal(form.assigned_to, String(owner));
  assert.equal((await member.post(`/companies/${id}`, { ...form, city: "Turda" })).status, 303);
  const only = await formOf(member, `/companies/${id}/edit?field=assigned_to`);
  assert.equal((await member.post(`/companies/${id}`, only)).status, 303);
  const { city, assigned_to: kept } = await stored(tenant, id);
  assert.deepEqual([city, kept], ["Turda", owner]);

  const nobody = await member.post(`/companies/${id}`, { assigned_to: "" });
  assert.equal(nobody.status, 303);
  assert.equal((await stored(tenant, id)).assigned_to, null);
  assert.equal((await member.post(`/companies/${id}`, { assigned_to: String(owner) })).status, 422);
  const history = await member.get(`/history?company=${id}&by=user:${member.userId}`);
  assert.match(history.text, /removed <span class="label">owner<\/span> \(Ion Plecat\)/);
});

for (const { language, message } of [
  { language: "en", message: "E-mail must be an e-mail address" },
  { language: "ro", message: "„E-mail” trebuie să fie o adresă de e-mail" },
]) {
  test(`a wrong value of a company is named at its field, and what was typed stays: ${language}`, async () => {
    const tenant = await server.createTenant();
    const member = await signedIn(server, tenant);
    const id = await create(tenant, { name: "A", email: "a@example.com" });
    const headers = { "accept-language": language, "sec-fetch-site": "same-origin" };
    const refused = await member.post(`/companies/${id}`, { name: "B", email: "no address" }, headers);
    assert.equal(refused.status, 422);
    assert.match(refused.text, new RegExp(`id="email-error">${message}`));
    assert.match(refused.text, /value="no address"/);
    assert.match(refused.text, /value="B"/);
    assert.equal((await stored(tenant, id)).name, "A");
    const inPlace = await member.post(`/companies/${id}`, { field: "email", email: "no address" }, headers);
    assert.equal(inPlace.status, 422);
    assert.match(inPlace.text, new RegExp(`<dd id="fact-email"><form[^]*id="email-error">${message}[^]*</form></dd>`));
  });
}

test("a fiscal id that another company has leads to it", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const holder = await create(tenant, { name: "Holder <1>", tax_id: "RO1" });
  const id = await create(tenant, { name: "A" });
  for (const path of ["/companies", `/companies/${id}`]) {
    const refused = await member.post(path, { name: "B", tax_id: "ro1" });
    assert.equal(refused.status, 422);
    assert.match(refused.text, new RegExp(`<a href="/companies/${holder}">Holder &lt;1&gt;</a>`));
    assert.match(refused.text, /value="ro1"/);
    assert.match(refused.text, /<input[^>]* id="tax_id"[^>]* aria-invalid="true"[^>]* autofocus/);
  }
});

for (const { language, said, created } of [
  { language: "en", said: "Looks like Panificația Brașov SA, Brașov.", created: "Another one looks the same." },
  { language: "ro", said: "Seamănă cu Panificația Brașov SA, Brașov.", created: "Alta seamănă cu ea." },
]) {
  test(`a new company with the name of another leads to the other: ${language}`, async () => {
    const tenant = await server.createTenant();
    const member = await signedIn(server, tenant);
    const headers = { "accept-language": language, "sec-fetch-site": "same-origin" };
    const other = await create(tenant, { name: "Panificația Brașov SA", city: "Brașov" });
    await create(tenant, { name: "Panificația Brașov Nord SA" });
    const stranger = await server.createTenant();
    await create(stranger, { name: "Panificatia Brasov" });
    for (const name of ["PANIFICATIA brasov", "Panificația Brașov S.A.", "SC Panificatia Brasov SRL"]) {
      const { text } = await member.get(`/companies/new?name=${encodeURIComponent(name)}`, headers);
      const links = text.match(/<span id="alike-name"[^]*?<\/span><\/span>/)?.[0].match(/(?<=href=")[^"]+/g);
      assert.deepEqual(links, [`/companies/${other}`], name);
      assert.ok(text.includes(said), text);
    }
    const unseen = await member.post("/companies", { name: "Panificatia Brasov SA" }, headers);
    assert.equal(unseen.status, 303);
    const next = await member.get(String(unseen.headers.get("location")), headers);
    assert.match(next.text, new RegExp(`${created} <a href="/companies/${other}">`));
    const [{ id } = {}] = await server.sql("select max(id) as id from companies where tenant_id = $1", [tenant.id]);
    const seen = { name: "Panificatia Brasov SA", "shown.alike": [other, String(id)] };
    const again = await member.post("/companies", seen, headers);
    assert.ok(!(await member.get(String(again.headers.get("location")), headers)).text.includes(created));
    const hostile = await member.get(`/companies/new?name=${encodeURIComponent("\u001f\u0000'%_\\")}`);
    assert.equal(hostile.status, 200);
    assert.match(hostile.text, /<span id="alike-name"[^>]*><\/span>/);
  });
}

test("a fiscal id, a phone or an e-mail domain of another company leads to it while it is typed, and after Create", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const other = await create(tenant, {
    name: "Alfa SRL",
    tax_id: "RO 14399840",
    phone: "+40 264 123 456",
    email: "office@alfa.example",
  });
  await create(tenant, { name: "Beta SRL", tax_id: "RO18547290", phone: "+40 264 999 999", email: "b@gmail.com" });
  await create(await server.createTenant(), { name: "Alfa SRL", tax_id: "14399840", phone: "0264 123 456" });
  const linksOf = async (field: string, value: string) => {
    const { text } = await member.get(`/companies/new?${field}=${encodeURIComponent(value)}`);
    const [note = ""] = text.match(new RegExp(`<span id="alike-${field}"[^]*?(?=</div>)`)) ?? [];
    return note.match(/(?<=href=")[^"]+/g) ?? [];
  };
  for (const [field, values] of Object.entries({
    tax_id: ["14399840", "ro14399840", "RO 14 399 840"],
    phone: ["0264 123 456", "+40264123456"],
    email: ["ana@alfa.example", "ANA@ALFA.EXAMPLE"],
  })) {
    for (const value of values) assert.deepEqual(await linksOf(field, value), [`/companies/${other}`], value);
  }
  for (const [field, value] of [
    ["tax_id", "143998"],
    ["phone", "0264 123"],
    ["email", "c@gmail.com"],
    ["email", "\u001f@'%_\\"],
  ] as const) {
    assert.deepEqual(await linksOf(field, value), [], value);
  }
  const unseen = await member.post("/companies", { name: "Gamma SRL", phone: "0264.123.456" });
  const next = await member.get(String(unseen.headers.get("location")));
  assert.match(next.text, new RegExp(`Another one looks the same. <a href="/companies/${other}">`));
});

test("the field of a value is its own form, at the place of the value", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const id = await create(tenant, { name: "A", phone: "+40 264", website: "www.acme.example" });
  const page = await member.get(`/companies/${id}`);
  const link = `href="/companies/${id}/edit?field=phone" data-swap="fact-phone"`;
  assert.match(
    page.text,
    new RegExp(
      `<dd id="fact-phone"><a href="tel:\\+40264">\\+40 264</a>(?:<button[^]*?</button>)?<a [^>]*${link.replace("?", "\\?")}`,
    ),
  );
  assert.match(page.text, /<a href="https:\/\/www\.acme\.example" rel="noopener noreferrer">/);
  const form = await member.get(`/companies/${id}/edit?field=phone`);
  assert.match(form.text, /<dd id="fact-phone"><form[^]*name="phone"/);
  assert.doesNotMatch(form.text, /name="city"/);
  const saved = await member.post(`/companies/${id}`, { field: "phone", phone: "+40 1" });
  assert.equal(saved.location, `/companies/${id}#fact-phone`);
  assert.equal((await stored(tenant, id)).phone, "+40 1");
});

test("a website is a link where it is an address of the web, and else a text", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  for (const [website, href] of [
    ["https://acme.example/a?b=1", "https://acme.example/a?b=1"],
    ["HTTP://acme.example", "HTTP://acme.example"],
    ["acme.example/shop", "https://acme.example/shop"],
    ["javascript:alert(1)", null],
    [" javascript:alert(1)", null],
    ["data:text/html,x", null],
    ["javascript://acme.example/%0aalert(1)", null],
    ["ftp://acme.example", null],
    ["https://", null],
    ["none yet", null],
  ] as const) {
    const id = await create(tenant, { name: "A", website });
    const { text } = await member.get(`/companies/${id}`);
    const [, found = null] = /<dd id="fact-website"><a href="([^"]*)" rel="noopener noreferrer">/.exec(text) ?? [];
    assert.equal(found, href, website);
  }
});

test("two people edit: the second sees the first one's changes, and no input is lost", async () => {
  const tenant = await server.createTenant();
  const ana = await signedIn(server, tenant, { name: "Ana Pop" });
  const dan = await signedIn(server, tenant, { name: "Dan Ilie" });
  const id = await create(tenant, { name: "Old", city: "Cluj", phone: "1", notes: "N" });
  const edit = `/companies/${id}/edit`;
  const [his, hers] = [await formOf(dan, edit), await formOf(ana, edit)];
  assert.equal((await ana.post(`/companies/${id}`, { ...hers, name: "Ana's", city: "Turda", phone: "2" })).status, 303);

  const refused = await dan.post(`/companies/${id}`, { ...his, name: "Dan's", notes: "Dan's too" });
  assert.equal(refused.status, 409);
  assert.match(refused.text, /While you were editing, Ana Pop saved changes/);
  assert.match(refused.text, /id="name-note">Ana Pop changed this from Old to Ana&#39;s\. This field shows your value/);
  assert.match(refused.text, /id="city-note">Ana Pop changed this from Cluj to Turda\. You did not change this field/);
  assert.match(refused.text, /id="phone-note">Ana Pop changed this\. You did not change this field/);
  assert.equal((await stored(tenant, id)).name, "Ana's");

  const version = /name="version" value="([^"]+)"/.exec(refused.text)?.[1] ?? "";
  const shown = { name: /id="name" name="name"/.test(refused.text) };
  assert.ok(shown.name);
  for (const value of ["Dan&#39;s", "Turda", "2"]) assert.ok(refused.text.includes(`value="${value}"`), value);
  assert.ok(refused.text.includes("Dan&#39;s too"));
  const again = { ...his, version, name: "Dan's", city: "Turda", phone: "2", "was-phone": "2", notes: "Dan's too" };
  assert.equal((await dan.post(`/companies/${id}`, again)).status, 303);
  const { name, city, phone, notes } = await stored(tenant, id);
  assert.deepEqual({ name, city, phone, notes }, { name: "Dan's", city: "Turda", phone: "2", notes: "Dan's too" });
});

test("fields that are edited in place conflict where the same one was changed, and not otherwise", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const id = await create(tenant, { name: "A", city: "Cluj" });
  const version = String((await stored(tenant, id)).updated_at);
  await tenant.put(`${API}/${id}`, { name: "B" });
  assert.equal((await member.post(`/companies/${id}`, { field: "city", city: "Turda", version })).status, 303);
  const refused = await member.post(`/companies/${id}`, { field: "name", name: "C", version });
  assert.equal(refused.status, 409);
  assert.match(refused.text, /<dd id="fact-name"><form[^]*test \(API key\) changed this from A to B[^]*<\/dd>/);
  const { name, city } = await stored(tenant, id);
  assert.deepEqual({ name, city }, { name: "B", city: "Turda" });
});

test("of people who save the same version of a company at the same moment one is first, and the others get a 409", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const id = await create(tenant, { name: "A" });
  const version = String((await stored(tenant, id)).updated_at);
  const names = Array.from({ length: 8 }, (_, index) => `Name ${index}`);
  const answers = await Promise.all(
    names.map(async (name) => await member.post(`/companies/${id}`, { name, version })),
  );
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [303, ...Array.from({ length: 7 }, () => 409)],
  );
  assert.equal((await stored(tenant, id)).name, names[statuses.indexOf(303)]);
});

test("a company's form with a version that is none is saved as one without", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const id = await create(tenant, { name: "A" });
  for (const version of ["", "x", "2026-02-30T00:00:00Z", "'; drop table"]) {
    assert.equal((await member.post(`/companies/${id}`, { name: `B ${version}`, version })).status, 303, version);
  }
});

test("a company that something belongs to says what, and how many", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const id = await create(tenant, { name: "A" });
  await server.sql(
    "insert into invoices (tenant_id, company_id, number) select $1, $2, 'F' || g from generate_series(1, 21) g",
    [tenant.id, id],
  );
  await server.sql("insert into tickets (tenant_id, company_id, title) values ($1, $2, 'T')", [tenant.id, id]);
  const asked = await member.get(`/companies/${id}/delete`);
  assert.match(asked.text, new RegExp(`<a href="/companies/${id}/invoices">21 invoices</a>`));
  assert.match(asked.text, /1 ticket</);
  assert.doesNotMatch(asked.text, /offers|Delete company/);
  const romanian = await member.get(`/companies/${id}/delete`, { "accept-language": "ro" });
  assert.match(romanian.text, /21 de facturi/);
  const refused = await member.post(`/companies/${id}/delete`);
  assert.equal(refused.status, 422);
  assert.match(refused.text, /21 invoices/);
  assert.equal((await stored(tenant, id)).name, "A");
});

test("deleting says what it hides, and is undone as it was", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { name: "Ana Pop" });
  const id = await create(tenant, { name: "A", tax_id: "RO7", status: "active", phone: "123" });
  for (const first_name of ["A", "B", "C"]) {
    await tenant.post(`${API}/${id}/contacts`, { first_name, last_name: "X" });
  }
  await tenant.post(`${API}/${id}/addresses`, { address: "Strada 1" });
  const { updated_at: _before, ...before } = await stored(tenant, id);
  assert.match((await member.get(`/companies/${id}/delete`)).text, /This hides 3 contacts and 1 address\./);

  assert.equal((await member.post(`/companies/${id}/delete`)).location, "/companies");
  const list = await member.get("/companies");
  assert.match(list.text, new RegExp(`Deleted A\\.\\s*<form method="post" action="/companies/${id}/restore">`));
  assert.match(list.text, /id="total">0</);
  assert.equal((await member.get(`/companies/${id}`)).status, 404);
  assert.match((await member.get("/companies?deleted=1")).text, new RegExp(`/companies/${id}/restore`));

  const dan = await signedIn(server, tenant, { name: "Dan Ilie" });
  const restored = await dan.post(`/companies/${id}/restore`);
  assert.equal(restored.location, `/companies/${id}`);
  const { updated_at: version, ...after } = await stored(tenant, id);
  assert.deepEqual(after, before);
  assert.match((await member.get("/companies")).text, /id="total">1</);
  assert.doesNotMatch((await member.get("/companies?deleted=1")).text, /\/restore/);
  const history = await tenant.get(`${API}/${id}/history`);
  assert.deepEqual(
    history.body.data.slice(0, 2).map(({ action, by }: { action: string; by: { name: string } }) => [action, by.name]),
    [
      ["restored", "Dan Ilie"],
      ["deleted", "Ana Pop"],
    ],
  );
  // Twice is no harm.
  assert.equal((await member.post(`/companies/${id}/restore`)).status, 303);
  assert.equal((await tenant.get(`${API}/${id}/history`)).body.total, history.body.total);
  assert.equal((await stored(tenant, id)).updated_at, version);
});

test("a notice of a deleted company that somebody forged says nothing of his own", async () => {
  const member = await signedIn(server, await server.createTenant());
  for (const hostile of hostileTexts) {
    const forged = { name: "company-deleted", values: { id: `9/../../keys?${hostile}`, name: hostile } };
    member.cookies.set("liaison-notice", Buffer.from(JSON.stringify(forged)).toString("base64url"));
    const page = await member.get("/companies");
    assertHarmless(page.text, hostile);
    assert.doesNotMatch(page.text, /keys\?/);
  }
});

test("a company whose fiscal id was given away meanwhile stays deleted, and leads to its holder", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const id = await create(tenant, { name: "A", tax_id: "RO7" });
  await tenant.delete(`${API}/${id}`);
  const holder = await create(tenant, { name: "Holder", tax_id: "ro7" });
  const refused = await member.post(`/companies/${id}/restore`);
  assert.equal(refused.status, 409);
  assert.match(refused.text, new RegExp(`RO7[^<]*<a href="/companies/${holder}">Holder</a>`));
  assert.equal((await tenant.get(`${API}/${id}`)).status, 404);
  await tenant.put(`${API}/${holder}`, { tax_id: null });
  assert.equal((await member.post(`/companies/${id}/restore`)).status, 303);
});

test("a company's page has everything about it, with counts", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { name: "Ana Pop" });
  const id = await create(tenant, { name: "A", phone: "+40 1" });
  const contact = await tenant.post(`${API}/${id}/contacts`, {
    first_name: "Ion",
    last_name: "Marin",
    mobile: "+40 722",
  });
  const address = await tenant.post(`${API}/${id}/addresses`, { address: "Strada 1", type: "delivery" });
  await server.sql(
    `insert into invoices (tenant_id, company_id, number, issued_on, total, currency, status, wms_order_id, wms_instance, wms_order_number, wms_status)
     select $1, $2, 'F-' || g, date '2026-11-01' + g, 1234.5, 'RON', 'paid', g, 'north', 'DMO-' || g, 'picking' from generate_series(1, 7) g`,
    [tenant.id, id],
  );
  for (const kind of ["offers", "deals", "tickets", "subscriptions"]) {
    await server.sql(
      `insert into ${kind} (tenant_id, company_id, title, status) values ($1, $2, 'One of ${kind}', 'in_${kind}')`,
      [tenant.id, id],
    );
  }
  await member.post(`/companies/${id}`, { field: "phone", phone: "+40 secret" });
  await member.post(`/companies/${id}`, { field: "city", city: "Turda" });
  const { text } = await member.get(`/companies/${id}`);
  for (const expected of [
    `<a href="/contacts/${contact.body.data.id}">Ion Marin</a>`,
    '<a href="tel:+40722">+40 722</a>',
    `href="/companies/${id}/contacts/new"`,
    `<a href="/addresses/${address.body.data.id}">Strada 1</a>`,
    "Delivery",
    "F-7",
    "1,234.50 RON",
    `<a href="/companies/${id}/invoices">Show all 7</a>`,
    "DMO-1",
    "One of subscriptions",
    '<span class="state neutral">In tickets</span>',
    '<span class="state waiting">Picking</span>',
    `href="/history?company=${id}"`,
    'set <span class="label">city</span> to Turda',
  ]) {
    assert.ok(text.includes(expected), expected);
  }
  assert.match(
    text,
    /<strong>Ana Pop<\/strong> changed <span class="label">phone:<\/span> changed; the values are not kept/,
  );
  assert.equal(
    text.split("+40 secret").length - 1,
    2,
    "the phone is in the heading and the details, and not in its history",
  );
  for (const [section, count] of [
    ["contacts", 1],
    ["invoices", 7],
    ["addresses", 1],
    ["offers", 1],
  ]) {
    assert.match(
      text,
      new RegExp(`<section class="section" id="${section}"[^>]*>[^]*?<span class="count">${count}<`),
      String(section),
    );
  }
});

test("a part of a company's page that cannot be read says so, and the others are there", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const id = await create(tenant, { name: "A" });
  await tenant.post(`${API}/${id}/contacts`, { first_name: "Ion", last_name: "Marin" });
  const blocker = new pg.Client(server.connection);
  await blocker.connect();
  try {
    await blocker.query("begin");
    await blocker.query("lock table offers in access exclusive mode");
    const { status, text } = await member.get(`/companies/${id}`);
    assert.equal(status, 200);
    assert.match(text, /id="offers"><header><h2>Offers<\/h2><\/header>\s*<p class="trouble">This part cannot be shown/);
    assert.equal(text.split('class="trouble"').length - 1, 1);
    assert.match(text, /Ion Marin/);
  } finally {
    await blocker.end();
  }
  assert.doesNotMatch((await member.get(`/companies/${id}`)).text, /class="trouble"/);
});

test("nothing that is stored of a company becomes markup on any of its pages", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  for (const [index, attack] of hostileTexts.entries()) {
    const texts = companyFields
      .filter(({ kind }) => kind === "string")
      .map(({ name, max = 0 }) => [name, attack.slice(0, max)]);
    const company = { ...Object.fromEntries(texts), tax_id: `${index}<b>"'`, status: "active" };
    const made = await tenant.post(API, company);
    assert.equal(made.status, 201, made.text);
    const id = String(made.body.data.id);
    await tenant.put(`${API}/${id}`, { name: `${attack} 2`, city: `${attack} 2`, notes: `${attack} 2` });
    const child = await tenant.post(`${API}/${id}/contacts`, {
      first_name: attack,
      last_name: attack,
      position: attack,
      mobile: attack.slice(0, 30),
    });
    assert.equal(child.status, 201, child.text);
    await tenant.post(`${API}/${id}/addresses`, { address: attack, city: attack, label: attack });
    await server.sql(
      "insert into offers (tenant_id, company_id, title, status, currency) values ($1, $2, $3, $3, $3)",
      [tenant.id, id, attack],
    );
    const visits = [
      await member.get(`/companies/${id}`),
      await member.get(`/companies/${id}/edit`),
      ...(await Promise.all(
        companyFields.map(async ({ name }) => await member.get(`/companies/${id}/edit?field=${name}`)),
      )),
      await member.get(`/companies/${id}/delete`),
      await member.get(`/companies?search=${encodeURIComponent(attack)}`),
      await member.get(`/companies/new?name=${encodeURIComponent(attack)}`),
      await member.post(`/companies/${id}`, { name: attack, email: attack, tax_id: `${index}<b>"'` }),
      await member.post(`/companies/${id}`, { name: `${attack} 3`, version: String(made.body.data.updated_at) }),
      await member.post("/companies", { name: attack, tax_id: `${index}<b>"'` }),
    ];
    await server.sql("delete from offers where tenant_id = $1", [tenant.id]);
    await member.post(`/companies/${id}/delete`);
    visits.push(await member.get("/companies"), await member.get("/companies?deleted=1"));
    await tenant.post(API, { name: attack, tax_id: `${index}<B>"'` });
    visits.push(await member.post(`/companies/${id}/restore`));
    visits.push(await member.post("/companies/bulk", { id, status: "active", to: attack }));
    for (const { status, text } of visits) {
      assert.ok(status < 500 && text.includes("</html>"), `${attack}: ${status}`);
      assertHarmless(text, attack);
    }
  }
});

test("what a company has none of is one line, its warehouse is among its facts, and an invoice is sent from its row", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const id = await create(tenant, { name: "A" });
  const before = (await member.get(`/companies/${id}`)).text;
  assert.match(before, /<p class="muted">No offers, deals, tickets or subscriptions\.<\/p>/);
  assert.match(before, new RegExp(`Not connected</span> <a[^>]* href="/companies/${id}/warehouse">Connect</a>`));
  assert.deepEqual(
    [...before.matchAll(/<section class="fact-group"><h3>([^<]+)/g)].map(([, group]) => group),
    ["Contact", "Address", "Registration", "Relationship"],
  );
  assert.match(
    (await member.get(`/companies/${id}`, { "accept-language": "ro" })).text,
    /Fără oferte, oportunități, tichete sau abonamente\./,
  );
  const { id: invoice } = (await tenant.post(`${API}/${id}/invoices`, { number: "F-1" })).body.data;
  await server.sql("update companies set wms_subdomain = 'north' where tenant_id = $1 and id = $2", [tenant.id, id]);
  const keyless = (await member.get(`/companies/${id}`)).text;
  assert.match(keyless, /Not connected<\/span>/);
  assert.doesNotMatch(keyless, /formaction="[^"]*\/send"/);
  assert.match(
    (await member.get(`/companies/${id}/invoices`)).text,
    /warehouse"><span class="state neutral">No warehouse</,
  );
  await server.sql("update companies set wms_api_key = 'x' where tenant_id = $1 and id = $2", [tenant.id, id]);
  const page = (await member.get(`/companies/${id}`)).text;
  assert.match(page, /<dt>Warehouse<\/dt>\s*<dd>north · connected/);
  assert.match(page, new RegExp(`<button formaction="/invoices/${invoice}/send" aria-keyshortcuts="s">Send`));
  const sent = await member.post(`/invoices/${invoice}/send`, { to: `/companies/${id}` });
  assert.deepEqual([sent.status, sent.location], [303, `/companies/${id}`]);
  assert.match((await member.get(`/companies/${id}`)).text, /class="state waiting">In the queue/);
});

test("a company that cannot be deleted can be made inactive there", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const id = await create(tenant, { name: "A" });
  await tenant.post(`${API}/${id}/invoices`, { number: "F-1" });
  const page = await member.get(`/companies/${id}/delete`);
  assert.match(page.text, /<button class="main" name="status" value="inactive">Make it inactive<\/button>/);
  assert.equal((await member.post(`/companies/${id}`, { status: "inactive" })).status, 303);
  assert.equal((await tenant.get(`${API}/${id}`)).body.data.status, "inactive");
  assert.doesNotMatch((await member.get(`/companies/${id}/delete`)).text, /Make it inactive/);
});

test("a company without a fiscal id is asked for it, and its heading is not empty", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const id = await create(tenant, { name: "Without" });
  const { text } = await member.get(`/companies/${id}`);
  assert.match(
    text,
    new RegExp(
      `<h3>Registration</h3>[^]*?href="/companies/${id}/edit\\?field=tax_id"[^>]*>Add fiscal id</a>[^]*?<h3>Relationship`,
    ),
  );
  await tenant.put(`/api/v1/companies/${id}`, { tax_id: "RO7654321" });
  assert.doesNotMatch((await member.get(`/companies/${id}`)).text, /Add fiscal id/);
});

test("a fiscal id that cannot be right is remarked on at the field, and stored", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const remark = /does not look right/;
  const ids: [taxId: string, isOdd: boolean, country?: string][] = [
    ["RO18547290", false],
    ["ro 185-472-90", false],
    ["18547290", false],
    ["RO18547291", true],
    ["18547291", true],
    ["18547291", false, "Chile"],
    ["1800101221144", false],
    ["1800101221145", true],
    ["J12/345", true],
    ["DE123456789", false],
    ["DE12345678", true],
    ["ATU12345678", false],
    ["AT12345678", true],
    ["IT12345678901", false],
  ];
  for (const [taxId, isOdd, country = "Romania"] of ids) {
    const name = `${taxId} ${country}`;
    const made = await member.post("/companies", { name, tax_id: taxId, country, status: "prospect" });
    assert.equal(made.status, 303, made.text);
    for (const page of [String(made.location), `${made.location}/edit`, `${made.location}/edit?field=tax_id`]) {
      assert.equal(remark.test((await member.get(page)).text), isOdd, `${name} ${page}`);
    }
    await server.sql("update companies set deleted_at = now() where tenant_id = $1", [tenant.id]);
  }
  assert.match((await member.get("/companies/new?tax_id=RO1")).text, remark, "while it is typed");
  assert.doesNotMatch((await member.get("/companies/new")).text, remark);
});
