import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn, type Form, type Member } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { runWorker } from "../../running-worker.ts";
import { figuresOf } from "./import-figures.ts";
import { settled } from "./settled-import.ts";

const server = await startServer();
runWorker(server);

async function person(): Promise<{ tenant: TestTenant; member: Member }> {
  const tenant = await server.createTenant();
  return { tenant, member: await signedIn(server, tenant) };
}

async function uploaded(member: Member, csv: string, form: Form = {}): Promise<string> {
  const answer = await member.upload("/imports", form, { "file.csv": csv });
  assert.equal(answer.status, 303, answer.text);
  return String(answer.location);
}

/** The column's fields as the page shows them, as a form sends them back. */
function columnsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/<select id="(column\.\d+)".*?<\/select>/gs)].map(([select, name]) => [
      String(name),
      /<option value="([^"]*)" selected>/.exec(select)?.[1] ?? "",
    ]),
  );
}

/** Accepts the columns as guessed, and returns the page of the check. */
async function accepted(member: Member, path: string): Promise<string> {
  const { text } = await member.get(path);
  assert.equal((await member.post(`${path}/reading`, columnsOf(text))).location, path);
  return await settled(member, path);
}

const kindOf = (text: string) =>
  /<select id="kind".*?<option value="(\w+)" selected>/s.exec(text)?.[1] ?? "none is shown";

for (const [kind, csv] of [
  ["companies", "Denumire;CUI;Adresa;Oras;Persoana de contact;Telefon\nA SRL;RO1;Str. 1;Cluj;Ana;0264 1\n"],
  ["companies", "Firma;Cod fiscal;Judet;Tip\nA SRL;RO1;Cluj;en gros\n"],
  ["companies", "name,city\nA,Cluj\n"],
  ["contacts", "Firma;CUI;Nume;Prenume;Functie;Telefon;E-mail\nA SRL;RO1;Pop;Ana;director;0264 1;a@x.example\n"],
  ["addresses", "CUI client;Adresa;Oras;Judet;Cod postal\nRO1;Str. 1;Cluj;Cluj;400001\n"],
  ["invoices", "Nr factura;Data;Client;Total;Moneda\nF1;25.11.2026;A SRL;1.234,50;RON\n"],
  ["invoice_lines", "Factura;Nr crt;Produs;Cantitate;Pret unitar\nF1;1;Palet;2;10\n"],
  ["subscriptions", "Nr abonament;Titlu;Client;Suma;Data inceput\nS1;Curatenie;A SRL;100;01.11.2026\n"],
] as const) {
  test(`the kind of a file is guessed by its columns, and nobody names it: ${kind}, ${csv.slice(0, 20)}`, async () => {
    const { member } = await person();
    const { text } = await member.get(await uploaded(member, csv));
    assert.equal(kindOf(text), kind);
    assert.match(text, /This looks like/);
    assert.match(text, /Columns to choose/);
  });
}

test("another kind can be chosen without another upload, and its columns are guessed anew", async () => {
  const { tenant, member } = await person();
  await tenant.post("/api/v1/companies", { name: "A SRL", tax_id: "RO1" });
  const path = await uploaded(member, "Lista;;\nDenumire;CUI;Adresa\nDepozit;RO1;Str. Lungă 1\n");
  const first = (await member.get(path)).text;
  assert.equal(kindOf(first), "companies");
  assert.deepEqual(Object.values(columnsOf(first)), ["name", "tax_id", "address"]);
  assert.equal((await member.post(`${path}/kind`, { kind: "nonsense" })).location, path);
  assert.equal(kindOf((await member.get(path)).text), "companies");
  assert.equal((await member.post(`${path}/kind`, { kind: "addresses" })).location, path);
  const { text } = await member.get(path);
  assert.equal(kindOf(text), "addresses");
  assert.doesNotMatch(text, /This looks like/);
  assert.deepEqual(Object.values(columnsOf(text)), ["label", "company_tax_id", "address"]);
  assert.match(await accepted(member, path), /Import 1 address</);
  // Also after the check, and as long as nothing is written.
  await member.post(`${path}/kind`, { kind: "companies" });
  assert.match(await accepted(member, path), /1 company</);
  await member.post(`${path}/kind`, { kind: "addresses" });
  await accepted(member, path);
  await member.post(`${path}/start`);
  await settled(member, path);
  await member.post(`${path}/kind`, { kind: "companies" });
  const [row] = await server.sql("select kind, state from imports where tenant_id = $1", [tenant.id]);
  assert.deepEqual({ ...row }, { kind: "addresses", state: "done" });
});

test("an address that names a kind goes on to the check, and a file of nothing that is known asks for the kind", async () => {
  const { member } = await person();
  assert.match((await member.get("/imports/new?kind=contacts")).text, /type="hidden" name="kind" value="contacts"/);
  assert.doesNotMatch((await member.get("/imports/new?kind=nonsense")).text, /name="kind"/);
  const named = await uploaded(member, "name,tax_id\nA,RO1\n", { kind: "companies" });
  assert.match(await settled(member, named), /Import 1 company</);
  const { text } = await member.get(await uploaded(member, "qwe;rty\nuio;pas\n"));
  assert.equal(kindOf(text), "companies");
  assert.doesNotMatch(text, /This looks like/);
  assert.match(text, /No column matched name\. Choose one/);
});

test("the figures of a check are tabs with the rows of each, and the result says what was written", async () => {
  const { tenant, member } = await person();
  const same = (await tenant.post("/api/v1/companies", { name: "Same", tax_id: "RO1", city: "Cluj" })).body.data;
  await tenant.post("/api/v1/companies", { name: "Old", tax_id: "RO2" });
  const csv = [
    "name,tax_id,city,status,employee_count,email,notes",
    'New <b>,RO3,Iași,prospect,1200,a@example.com,"one, two"',
    "Same,RO1,Cluj,,,,",
    "Other,RO2,,,,,",
    "Bad,RO5,,nonsense,,,",
  ].join("\n");
  const path = await uploaded(member, csv, { kind: "companies" });
  const checked = await settled(member, path);
  assert.deepEqual(figuresOf({ text: checked }), { Created: 1, Changed: 1, Unchanged: 1, Skipped: 1 });
  const current = (text: string) => /<a href="[^"]*rows=(\w+)" aria-current="page">/.exec(text)?.[1];
  assert.equal(current(checked), "skip", "what needs a look is shown first");
  assert.match(checked, /<td class="why">Status is one of/);
  assert.match(checked, /<button class="main"[^>]*>Import 2 companies<\/button>/);
  assert.doesNotMatch(checked, /data-label="Row">2</);
  const create = (await member.get(`${path}?rows=create`)).text;
  assert.equal(current(create), "create");
  assert.match(create, /data-label="Row">2<\/td><td class="name">New &lt;b&gt;<\/td>/);
  assert.match(create, /Employees: 1,200.*Notes: one, two|Notes: one, two.*Employees: 1,200/);
  assert.match(create, /Status: Prospect/);
  assert.doesNotMatch(create, /class="why"|>Same</);
  const unchanged = (await member.get(`${path}?rows=same`)).text;
  assert.match(unchanged, new RegExp(`<a href="/companies/${same.id}">Same</a>`));
  const change = (await member.get(`${path}?rows=change`)).text;
  assert.match(change, /<span class="before">Old<\/span> → Other/);
  // The rows of the file are encrypted like the file.
  for (const { content } of await server.sql("select content from import_chunks where tenant_id = $1", [tenant.id])) {
    assert.doesNotMatch(String(content), /example|Iași/);
  }
  await member.post(`${path}/start`);
  const done = await settled(member, path);
  assert.match(done, /<p class="result">1 created, 1 changed, 1 the same, 1 skipped\.<\/p>/);
  assert.match(done, /<a class="button main" href="\/companies\?sort=-id">Show them<\/a>/);
  assert.match(done, new RegExp(`<a class="button danger" href="${path}/undo">`));
  const romanian = (await member.get(path, { "accept-language": "ro" })).text;
  assert.match(romanian, /S-a adăugat 1, s-a modificat 1, a rămas la fel 1, s-a omis 1\./);
});

test("columns beyond those of the form keep their guesses, unless another column has the field", async () => {
  const { tenant, member } = await person();
  const names = Array.from({ length: 104 }, (_, at) => `X${at}`);
  const header = ["Denumire", ...names, "Localitate", "Telefon"].join(";");
  const cells = ["A SRL", "Turda", ...names.slice(1).map(() => ""), "Cluj", "0264 1"].join(";");
  const [csv, seen] = [`${header}\n${cells}\n`, async (path: string) => columnsOf((await member.get(path)).text)];
  const path = await uploaded(member, csv);
  assert.match(await accepted(member, path), /Import 1 company/);
  const page = await member.post(`${path}/reading`, { ...(await seen(path)), "column.1": "city" });
  assert.equal(page.location, path);
  await settled(member, path);
  await member.post(`${path}/start`);
  await settled(member, path);
  const [{ city, phone }] = (await tenant.get("/api/v1/companies")).body.data;
  assert.deepEqual([city, phone], ["Turda", "0264 1"]);
  const [{ mapping }] = (await server.sql("select mapping from import_mappings where tenant_id = $1", [tenant.id])) as [
    { mapping: string },
  ];
  assert.doesNotMatch(mapping, /telefon/i, "what was accepted is no choice");
});

test("what a check would create comes page by page up to a thousand rows", async () => {
  const { member } = await person();
  const rows = Array.from({ length: 1_100 }, (_, at) => `Company ${at},Cluj`);
  const path = await uploaded(member, ["name,city", ...rows].join("\n"), { kind: "companies" });
  const checked = await settled(member, path);
  assert.match(checked, /rows=create" aria-current="page">Create <b>1,100<\/b>/);
  const seen: string[] = [];
  for (let next: string | undefined = `${path}?rows=create`; next !== undefined;) {
    const { text }: { text: string } = await member.get(next);
    assert.match(text, /The first 1,000 of 1,100\./);
    seen.push(...[...text.matchAll(/<td class="name"[^>]*>([^<]+)/g)].map(([, name]) => String(name)));
    next = /href="([^"]*&amp;from=[1-9]\d*)"/.exec(text)?.[1]?.replace("&amp;", "&");
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 1_000 }, (_, at) => `Company ${at}`),
  );
  assert.equal((await member.get(`${path}?rows=create&from=99999`)).status, 200);
});

test("what an import of contacts wrote is listed on its page", async () => {
  const { tenant, member } = await person();
  const { id } = (await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO1" })).body.data;
  const rows = Array.from({ length: 60 }, (_, at) => `Ana,Pop ${at},RO1`);
  const csv = ["first_name,last_name,company_tax_id", ...rows].join("\n");
  const path = await uploaded(member, csv, { kind: "contacts" });
  await settled(member, path);
  await member.post(`${path}/start`);
  const done = await settled(member, path);
  const [, href = ""] = /<a class="button main" href="([^"]+)">Show them</.exec(done) ?? [];
  const first = (await member.get(href.replace("#written", ""))).text;
  assert.equal([...first.matchAll(/<a href="\/contacts\/\d+">Ana Pop \d+<\/a><\/td><td>created</g)].length, 50);
  const [, next = ""] = /href="([^"]*after=\d+)#written"/.exec(first) ?? [];
  const second = (await member.get(next.replace("&amp;", "&"))).text;
  assert.equal([...second.matchAll(/<a href="\/contacts\/\d+">Ana Pop \d+<\/a>/g)].length, 10);
  assert.equal((await tenant.get(`/api/v1/companies/${id}/contacts`)).body.total, 60);
});

test("a company is named by its name, without case and accents, where exactly one live company has it", async () => {
  const { tenant, member } = await person();
  const add = async (fields: object) => (await tenant.post("/api/v1/companies", fields)).body.data.id as number;
  const bakery = await add({ name: "Panificația Brașov SRL", tax_id: "RO1", city: "Brașov" });
  // A longer name begins like a shorter one, and a deleted company has none.
  await add({ name: "Panificația Brașov SRL Nord" });
  const gone = await add({ name: "Panificatia Brasov SRL" });
  await tenant.delete(`/api/v1/companies/${gone}`);
  await add({ name: "Alfa SRL", tax_id: "RO2" });
  const alfa = await add({ name: "ALFA SRL", tax_id: "RO3" });
  const other = await server.createTenant();
  await other.post("/api/v1/companies", { name: "Beta SRL" });
  const csv = [
    "Firma;Nume;Prenume;CUI",
    "PANIFICATIA BRASOV SRL;Pop;Ana;",
    "Alfa SRL;Marin;Ion;",
    "Beta SRL;Ionescu;Maria;",
    "Whatever it is called;Radu;Ilie;RO3",
    ";Nimeni;Dan;",
  ].join("\n");
  const path = await uploaded(member, csv);
  const columns = columnsOf((await member.get(path)).text);
  assert.deepEqual(Object.values(columns), ["company_name", "last_name", "first_name", "company_tax_id"]);
  const checked = await accepted(member, path);
  assert.deepEqual(figuresOf({ text: checked }), { Created: 2, Changed: 0, Unchanged: 0, Skipped: 3 });
  const why = [...checked.matchAll(/<td class="why">(.*?)<\/td>/g)].map(([, message]) => message);
  assert.deepEqual(why, [
    "More than one company is called “Alfa SRL”: use the fiscal id.",
    "No company has this name or fiscal id; the file has “Beta SRL”.",
    "Company is required.",
  ]);
  // The name and the fiscal id are fields, and the others are not.
  assert.match(checked, /<input name="cell\.3\.0" value="Alfa SRL">/);
  assert.match(checked, /<input name="cell\.3\.3" value="">/);
  assert.doesNotMatch(checked, /name="cell\.3\.1"/);
  const cells = { "cell.3.3": "RO3", "cell.4.0": "ro1", "cell.6.0": "alfa  srl" };
  assert.equal((await member.post(`${path}/corrections`, cells)).location, path);
  assert.equal(figuresOf({ text: await settled(member, path) }).Created, 4);
  await member.post(`${path}/start`);
  await settled(member, path);
  const found = await server.sql("select last_name, company_id from contacts where tenant_id = $1 order by last_name", [
    tenant.id,
  ]);
  assert.deepEqual(
    found.map(({ last_name: name, company_id: company }) => [name, Number(company)]),
    [
      ["Ionescu", bakery],
      ["Marin", alfa],
      ["Pop", bakery],
      ["Radu", alfa],
    ],
  );
});

test("an invoice's company is named by its name too, and the API and batches stay strict", async () => {
  const { tenant, member } = await person();
  const { id } = (await tenant.post("/api/v1/companies", { name: "A SRL" })).body.data;
  const path = await uploaded(member, "Nr factura;Client;Total\nF1;a srl;10\n");
  assert.match(await accepted(member, path), /Import 1 invoice</);
  await member.post(`${path}/start`);
  await settled(member, path);
  const [row] = await server.sql("select company_id from invoices where tenant_id = $1", [tenant.id]);
  assert.equal(Number(row?.company_id), id);
  const items = [{ company_name: "A SRL", first_name: "Ana", last_name: "Pop" }];
  const { body } = await tenant.post("/api/v1/contacts/batch", { items });
  assert.deepEqual(
    [body.created, body.rejected, body.results[0].errors],
    [0, 1, { company_id: ["The company id field is required."] }],
  );
});
