import assert from "node:assert/strict";
import { test } from "node:test";
import { changeLines } from "../../doors/pages/change-lines.ts";
import { assertHarmless, escaped, hostileTexts } from "../../doors/pages/hostile-texts.ts";
import { signedIn, type Visitor } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";

const server = await startServer();
const OURS = { "sec-fetch-site": "same-origin" };

/** All changes, page after page. */
async function all(member: Visitor, first: string): Promise<string[]> {
  const seen: string[] = [];
  for (let next: string | undefined = first; next !== undefined;) {
    const page = await member.get(next);
    assert.equal(page.status, 200);
    seen.push(...changeLines(page.text));
    const older = /<a rel="next" href="(\?[^"]+)"/.exec(page.text)?.[1]?.replaceAll("&amp;", "&");
    next = older === undefined ? undefined : `/history${older}`;
  }
  return seen;
}

async function workspace() {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { name: "Ana Pop" });
  return { tenant, member };
}

const company = async (tenant: TestTenant, fields: object = {}) =>
  (await tenant.post("/api/v1/companies", { name: "Acme", ...fields })).body.data.id as number;

const contact = async (tenant: TestTenant, of: number, fields: object = {}) =>
  (await tenant.post(`/api/v1/companies/${of}/contacts`, { first_name: "Ion", last_name: "Marin", ...fields })).body
    .data.id as number;

test("the history shows who did what, newest first, in the page's language, with each value before and after", async () => {
  const { tenant, member } = await workspace();
  const { token } = await tenant.createKey({ name: "ERP" });
  const id = await company(tenant, { city: "Turda" });
  const person = await contact(tenant, id);
  await member.post(`/contacts/${person}`, { last_name: "Pop", is_primary: "1", birth_date: "1985-03-14" }, OURS);
  await tenant.put(`/api/v1/companies/${id}`, { status: "active", city: null, assigned_to: member.userId }, { token });
  await member.post(`/contacts/${person}/delete`);
  await member.post(`/contacts/${person}/restore`);
  assert.deepEqual(changeLines((await member.get("/history")).text).slice(0, 4), [
    "Ana Pop restored the contact Ion Pop of Acme",
    "Ana Pop deleted the contact Ion Pop of Acme",
    "ERP (API key) changed the company Acme : city, status and owner City removed (Turda) Status from Prospect to Active Owner: Ana Pop",
    "Ana Pop changed the contact Ion Pop of Acme : last name, primary contact and birthday Last name from Marin to Pop Primary contact from No to Yes Birthday: 14 Mar 1985",
  ]);
  const inRomanian = await member.get("/history", { "accept-language": "ro" });
  assert.match(inRomanian.text, /<h1>Istoric<\/h1>/);
  assert.deepEqual(changeLines(inRomanian.text).slice(1, 4), [
    "Ana Pop a șters persoana de contact Ion Pop de la Acme",
    "ERP (cheie API) a modificat firma Acme : localitate, stare și responsabil Localitate : nimic (înainte Turda) Stare din Potențială în Activă Responsabil: Ana Pop",
    "Ana Pop a modificat persoana de contact Ion Pop de la Acme : nume, contact principal și zi de naștere Nume din Marin în Pop Contact principal din Nu în Da Zi de naștere: 14 mar. 1985",
  ]);
});

test("every field of every noun has a name in both languages", async () => {
  const { tenant, member } = await workspace();
  const id = await company(tenant);
  const person = await contact(tenant, id);
  const place = (await tenant.post(`/api/v1/companies/${id}/addresses`, { address: "A" })).body.data.id as number;
  await tenant.post(`/api/v1/companies/${id}/invoices`, { number: "F-1" });
  for (const [table, row, type] of [
    ["companies", id, "company"],
    ["contacts", person, "contact"],
    ["addresses", place, "address"],
    ["invoices", 1, "invoice"],
  ] as const) {
    const [{ source } = {}] = await server.sql("select prosrc as source from pg_proc where proname = $1", [
      `${table}_updated`,
    ]);
    const names = [...String(source).matchAll(/"(\w+)":\{/g)].map(([, name = ""]) => name);
    assert.ok(names.length > 5);
    const changed = Object.fromEntries(names.map((name) => [name, { from: null, to: null }]));
    await server.sql(
      `insert into changes (tenant_id, at, type, resource_id, company_id, action, changed, changed_by)
       values ($1, now(), $2, $3, $4, 'updated', $5, 'command')`,
      [tenant.id, type, row, id, JSON.stringify(changed)],
    );
    const labels = async (language: string) => {
      const page = await member.get("/history", { "accept-language": language });
      const [line = ""] = page.text.split('<ul class="differences">').slice(1);
      return [...(line.split("</ul>")[0]?.matchAll(/<span class="label">([^<:]*):?<\/span>/g) ?? [])].map(
        ([, label]) => label,
      );
    };
    const [english, romanian] = [await labels("en"), await labels("ro")];
    assert.equal(english.length, Object.keys(changed).length);
    const nameless = Object.keys(changed).filter((name, n) =>
      [english[n], romanian[n]].includes(name.replaceAll("_", " ")),
    );
    assert.deepEqual(nameless, [], `${table}: names for them go into its *-words.ts, or into history-words.ts`);
  }
});

test("what is stored encrypted is on no page of the history, in clear or not", async () => {
  const { tenant, member } = await workspace();
  const id = await company(tenant, { phone: "+40 111 111" });
  const person = await contact(tenant, id, { phone: "+40 222 222", mobile: "+40 333 333" });
  await tenant.post(`/api/v1/companies/${id}/addresses`, { address: "A", phone: "+40 444 444" });
  await tenant.put(`/api/v1/companies/${id}`, { phone: "+40 555 555" });
  await member.post(`/contacts/${person}`, { mobile: "+40 666 666" });
  const rows = await server.sql("select id, changed from changes where tenant_id = $1", [tenant.id]);
  const pages = ["/history", `/history?company=${id}`, ...rows.map((row) => `/history/${String(row.id)}`)];
  assert.ok(pages.length >= 7);
  for (const path of pages) {
    const { text } = await member.get(path);
    assert.doesNotMatch(text, /\d{3} \d{3}|v1[.:]/, path);
  }
  assert.match((await member.get("/history")).text, /Mobile:<\/span> changed; the values are not kept in the history/);
});

test("the history is filtered by noun, action, actor, company and days, and by several of them", async () => {
  const { tenant, member } = await workspace();
  const { id: keyId, token } = await tenant.createKey({ name: "Shop" });
  const [a, b] = [await company(tenant, { name: "A" }), await company(tenant, { name: "B" })];
  // In the other order than their companies, so that no two of their ids are the same.
  const [, person] = [await contact(tenant, b, { first_name: "Dan" }), await contact(tenant, a)];
  await tenant.put(`/api/v1/companies/${b}`, { city: "Turda" }, { token });
  await member.post(`/companies/${a}`, { city: "Cluj" });
  await member.post(`/contacts/${person}/delete`);
  await server.sql("update companies set name = 'C' where tenant_id = $1 and id = $2", [tenant.id, b]);
  const first = async (query: string) =>
    changeLines((await member.get(`/history?${query}`)).text).map((line) =>
      line.replace(/ (?:: |\d+ fields?).*$/, "").replace(/ set (?:city|status).*/, " changed it"),
    );
  assert.deepEqual(await first("type=contact"), [
    "Ana Pop deleted the contact Ion Marin of A",
    "test (API key) created the contact Ion Marin of A",
    "test (API key) created the contact Dan Marin of C",
  ]);
  assert.deepEqual(await first("action=deleted"), ["Ana Pop deleted the contact Ion Marin of A"]);
  assert.deepEqual(await first(`by=key:${keyId}`), ["Shop (API key) changed the company C"]);
  assert.deepEqual(await first(`by=user:${member.userId}&type=company`), ["Ana Pop changed the company A"]);
  assert.deepEqual(await first("by=command&type=company"), ["The command line changed the company C"]);
  assert.deepEqual(await first(`company=${a}&action=updated`), ["Ana Pop changed it"]);
  assert.deepEqual(await first(`company=${a}&action=created`), [
    "test (API key) created the contact Ion Marin",
    "test (API key) created the company",
  ]);
  assert.deepEqual(await first(`company=${b}&action=created`), [
    "test (API key) created the contact Dan Marin",
    "test (API key) created the company",
  ]);
  assert.deepEqual(await first("type=nonsense&action=x&by=key:x&from=yesterday&company="), await first(""));
  const none = await member.get("/history?type=invoice");
  assert.match(none.text, /Nothing matches the filters\./);
});

test("days are those of the workspace's time zone, the first and the last included", async () => {
  const { tenant, member } = await workspace();
  await server.sql("update tenants set time_zone = 'Pacific/Auckland' where id = $1", [tenant.id]);
  const id = await company(tenant);
  // Midnight in Auckland is 11:00 of the day before in UTC.
  for (const [n, at] of [
    "2026-01-09T10:59:59.999999Z",
    "2026-01-09T11:00:00Z",
    "2026-01-10T10:59:59.999999Z",
    "2026-01-10T11:00:00Z",
  ].entries()) {
    await server.sql(
      `insert into changes (tenant_id, at, type, resource_id, company_id, action, changed, changed_by)
       values ($1, $2, 'company', $3, $3, 'erased', $4, 'worker')`,
      [tenant.id, at, id, JSON.stringify({ city: { from: null, to: `N${n}` } })],
    );
  }
  const found = async (query: string) => {
    const { text } = await member.get(`/history?type=company&action=erased&${query}`);
    return [...text.matchAll(/<\/span> (N\d)/g)].map(([, n]) => n);
  };
  assert.deepEqual(await found("from=2026-01-10&to=2026-01-10"), ["N2", "N1"]);
  assert.deepEqual(await found("from=2026-01-10"), ["N3", "N2", "N1"]);
  assert.deepEqual(await found("to=2026-01-10"), ["N2", "N1", "N0"]);
  assert.deepEqual(await found("from=2026-01-12"), []);
  const { text } = await member.get("/history?action=erased");
  assert.match(
    text,
    /<h2 class="day">11 Jan 2026<\/h2>\n<ul class="events"><li><time datetime="2026-01-10T11:00:00\.000000Z" title="11 Jan 2026, 00:00">00:00<\/time>/,
  );
});

test("an address, a person and an invoice that a change refers to have their names, deleted too", async () => {
  const { tenant, member } = await workspace();
  const id = await company(tenant);
  const post = async (path: string, body: object) => (await tenant.post(path, body)).body.data.id as number;
  const place = { label: "Magazin Nord", address: "Strada Lungă 1", city: "Brașov", type: "delivery" };
  const [north, south] = [
    await post(`/api/v1/companies/${id}/addresses`, place),
    await post(`/api/v1/companies/${id}/addresses`, { ...place, label: null, address: "Strada Scurtă 2" }),
  ];
  const invoice = await post(`/api/v1/companies/${id}/invoices`, { number: "A-1", delivery_address_id: north });
  await tenant.put(`/api/v1/invoices/${invoice}`, { delivery_address_id: south });
  const person = await contact(tenant, id);
  const call = { due_on: "2027-01-05", about: "Prices", assigned_to: "" };
  await member.post(`/companies/${id}/calls`, { ...call, contact_id: String(person), invoice_id: "" });
  const [{ planned }] = (await server.sql(`select id as planned from planned_calls where tenant_id = $1`, [
    tenant.id,
  ])) as [{ planned: string }];
  await member.post(`/calls/${planned}`, { ...call, contact_id: "", invoice_id: String(invoice) });
  await tenant.delete(`/api/v1/addresses/${north}`);
  const lines = async (path: string, language = "en") =>
    changeLines((await member.get(path, { "accept-language": language })).text).join("\n");
  const from = "Magazin Nord, Strada Lungă 1, Brașov";
  const moved = `from ${from} to Strada Scurtă 2, Brașov`;
  for (const path of ["/history", `/history?company=${id}`]) assert.ok((await lines(path)).includes(moved), path);
  assert.ok((await member.get(`/invoices/${invoice}`)).text.includes(from));
  assert.match(await lines("/history", "ro"), /livrare la din Magazin Nord, Strada Lungă 1, Brașov în Strada Scurtă 2/);
  assert.match(await lines("/history"), /Whom removed \(Ion Marin\) Invoice: A-1/);
  assert.doesNotMatch(await lines("/history"), /[ (]#\d/);
});

test("page after page shows every change once, also of one moment, and while others are written", async () => {
  const { tenant, member } = await workspace();
  const id = await company(tenant);
  await server.sql(
    `insert into changes (tenant_id, at, type, resource_id, company_id, action, changed, changed_by)
     select $1, timestamptz '2026-01-01' + interval '1 second' * (g / 60), 'company', $2, $2, 'updated',
       format('{"city":{"from":null,"to":"N%s"}}', g), 'command' from generate_series(1, 260) g`,
    [tenant.id, id],
  );
  const expected = (
    await server.sql(
      "select changed from changes where tenant_id = $1 and action = 'updated' order by at desc, id desc",
      [tenant.id],
    )
  ).map(({ changed }) => (JSON.parse(String(changed)) as { city: { to: string } }).city.to);
  for (const query of ["", `?company=${id}`, "?action=updated"]) {
    const seen = await all(member, `/history${query}`);
    await tenant.put(`/api/v1/companies/${id}`, { notes: `A note ${query}` });
    assert.deepEqual(
      seen.flatMap((line) => /(?:to|:) (N\d+)/.exec(line)?.[1] ?? []),
      expected,
      query,
    );
  }
});

test("a filter that hardly anything passes costs no more, and says how far it came", async () => {
  const { tenant, member } = await workspace();
  const id = await company(tenant);
  await server.sql(
    `insert into changes (tenant_id, at, type, resource_id, company_id, action, changed, changed_by)
     select $1, timestamptz '2026-01-01' + interval '1 second' * g, 'company', $2, $2,
       case when g = 1 then 'erased' else 'updated' end, '{"city":{"from":null,"to":"N"}}', 'command'
     from generate_series(1, 10100) g`,
    [tenant.id, id],
  );
  const first = await member.get("/history?action=erased");
  assert.deepEqual(changeLines(first.text), []);
  assert.match(first.text, /Looked through everything back to 1 Jan 2026, 02:01\./);
  assert.equal((await all(member, "/history?action=erased")).length, 1);
});

test("a cursor of the history that is none means its beginning", async () => {
  const { tenant, member } = await workspace();
  await company(tenant);
  for (const before of [
    "x",
    "2026-01-01",
    "2026-01-01T00:00:00Z",
    "2026-02-30T00:00:00Z_1",
    "infinity_1",
    "2026-01-01T00:00:00Z_99999999999999999999",
    "_",
    "'",
  ]) {
    const page = await member.get(`/history?type=company&before=${encodeURIComponent(before)}`);
    assert.deepEqual([page.status, changeLines(page.text).length], [200, 1], before);
  }
});

test("a resource is linked while it is there, a deleted company's history stays", async () => {
  const { tenant, member } = await workspace();
  const id = await company(tenant);
  const person = await contact(tenant, id);
  const linked = (await member.get("/history")).text;
  assert.ok(linked.includes(`<a href="/contacts/${person}">Ion Marin</a>`));
  assert.ok(linked.includes(`<a href="/companies/${id}">Acme</a>`));
  assert.equal((await tenant.delete(`/api/v1/companies/${id}`)).status, 200);
  for (const path of ["/history", `/history?company=${id}`]) {
    const { text, status } = await member.get(path);
    assert.equal(status, 200);
    assert.doesNotMatch(text, /href="\/(?:contacts|companies)\/\d/, path);
    assert.match(changeLines(text)[0] ?? "", /^test \(API key\) deleted the company(?: Acme)?$/);
  }
  assert.match((await member.get(`/history?company=${id}`)).text, /<h1>History of Acme<\/h1>/);
});

test("a long value is cut, with the whole behind it; a very long one has a page of its own", async () => {
  const { tenant, member } = await workspace();
  const id = await company(tenant);
  const long = "word ".repeat(100).trim();
  const longest = "x".repeat(65_535);
  await tenant.put(`/api/v1/companies/${id}`, { notes: long });
  const [line = ""] = (await member.get("/history")).text.split('<ul class="events">').slice(1);
  assert.match(line, new RegExp(`<summary[^>]*>${long.slice(0, 80)}…</summary><span class="said">${long}</span>`));
  await tenant.put(`/api/v1/companies/${id}`, { notes: longest });
  const { text } = await member.get("/history");
  assert.ok(text.length < 60_000);
  const own = /<a href="(\/history\/\d+)">A long text: show all of it<\/a>/.exec(text)?.[1] ?? "";
  const whole = await member.get(own);
  assert.ok(whole.text.includes(longest) && whole.text.includes(long));
});

test("another tenant's company and changes are missing, and its history is nowhere", async () => {
  const { tenant, member } = await workspace();
  const id = await company(tenant, { name: "Secret" });
  const [row] = await server.sql("select id from changes where tenant_id = $1", [tenant.id]);
  const stranger = (await workspace()).member;
  for (const path of [
    `/history?company=${id}`,
    `/history/${String(row?.id)}`,
    "/history?company=999999999",
    "/history/x",
  ]) {
    const answer = await stranger.get(path);
    assert.equal(answer.status, 404, path);
  }
  assert.doesNotMatch((await stranger.get("/history")).text, /Secret/);
  await server.sql("delete from changes where tenant_id <> $1", [tenant.id]);
  assert.match((await stranger.get("/history")).text, /Nothing has happened here yet\./);
  assert.match((await stranger.get(`/history?by=user:${member.userId}`)).text, /Nothing matches the filters\./);
});

test("no text runs a script in the history, before or after, in names, values and filters", async () => {
  const { tenant, member } = await workspace();
  for (const hostile of hostileTexts) {
    const { token } = await tenant.createKey({ name: hostile.slice(0, 100) });
    const id = (await tenant.post("/api/v1/companies", { name: hostile, city: hostile }, { token })).body.data
      .id as number;
    await tenant.put(`/api/v1/companies/${id}`, {
      city: `${hostile} `.repeat(3).slice(0, 100),
      notes: `${hostile} `.repeat(20),
    });
    await contact(tenant, id, { first_name: hostile });
    const query = encodeURIComponent(hostile);
    for (const path of [
      "/history",
      `/history?company=${id}`,
      `/history?type=${query}&by=${query}&from=${query}&before=${query}&company=${query}`,
    ]) {
      const { text } = await member.get(path);
      assertHarmless(text, `${path} ${hostile}`);
    }
    assert.ok(
      (await member.get(`/history?company=${id}`)).text.includes(`History of ${escaped(hostile)}</h1>`),
      hostile,
    );
  }
});

for (const { language, summary } of [
  { language: "en", summary: "Ana Pop changed the company Acme: city, county and postal code" },
  { language: "ro", summary: "Ana Pop a modificat firma Acme: localitate, județ și cod poștal" },
]) {
  test(`neighbouring changes of one person and one resource are one line, which opens: ${language}`, async () => {
    const { tenant, member } = await workspace();
    const [id, other] = [await company(tenant), await company(tenant, { name: "Beta" })];
    await member.post(`/companies/${other}`, { city: "Iași" }, OURS);
    for (const form of [{ postal_code: "400114" }, { county: "Cluj" }, { city: "Turda" }]) {
      await member.post(`/companies/${id}`, form, OURS);
    }
    const { text } = await member.get("/history", { "accept-language": language });
    const folded = text.split('<details class="folded">').slice(1);
    assert.equal(folded.length, 1, "another company's change stays alone");
    const said = /<summary>([^]*?)<\/summary>/.exec(folded[0] ?? "")?.[1]?.replaceAll(/<[^>]+>/g, "");
    assert.equal(said, summary);
    assert.equal(changeLines(text).filter((line) => /Acme|Beta/.test(line)).length, 6);
    const ofCompany = await member.get(`/history?company=${id}`, { "accept-language": language });
    assert.equal(ofCompany.text.split('<details class="folded">').length, 2);
  });
}

test("three resources or more with one kind of change are one line on the page of all companies", async () => {
  const { tenant, member } = await workspace();
  const ids: number[] = [];
  for (const name of ["Acme", "Beta", "Gama"]) ids.push(await company(tenant, { name }));
  const admin = await signedIn(server, tenant, { role: "admin", name: "Dan Rus" });
  for (const id of ids) {
    const form = { wms_subdomain: "sud", wms_api_key: "a-key-of-the-warehouse" };
    assert.equal((await admin.post(`/companies/${id}/warehouse`, form, OURS)).status, 303);
  }
  for (const [index, id] of ids.entries()) await member.post(`/companies/${id}`, { city: `City ${index}` }, OURS);
  const summaries = async (path: string, language: string) => {
    const { text } = await member.get(path, { "accept-language": language });
    return Array.from(text.matchAll(/class="folded"><summary>([^]*?)<\/summary>/g), ([, said]) =>
      said?.replaceAll(/<[^>]+>/g, ""),
    );
  };
  assert.deepEqual(await summaries("/history", "en"), [
    "Ana Pop changed 3 companies: Gama, Beta and Acme",
    "Dan Rus connected 3 companies to sud",
    "test (API key) created 3 companies: Gama, Beta and Acme",
  ]);
  assert.deepEqual((await summaries("/history", "ro")).slice(0, 2), [
    "Ana Pop a modificat 3 firme: Gama, Beta și Acme",
    "Dan Rus a conectat 3 firme la sud",
  ]);
  assert.deepEqual(await summaries(`/history?company=${ids[0]}`, "en"), []);
});

test("a credit limit is written as amounts are, in both languages", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const company = { name: "Acme", terms: { credit_limit: "1500" } };
  const { id } = (await tenant.post("/api/v1/companies", company)).body.data;
  await tenant.put(`/api/v1/companies/${id}`, { terms: { credit_limit: "25000.50" } });
  const shown = async (language: string) =>
    changeLines((await member.get("/history?type=company", { "accept-language": language })).text).join("\n");
  assert.match(await shown("en"), /from 1,500\.00 to 25,000\.50/);
  assert.match(await shown("ro"), /din 1\.500,00 în 25\.000,50/);
});
