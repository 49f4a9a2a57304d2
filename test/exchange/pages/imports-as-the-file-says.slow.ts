import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn, type Form, type Member } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { runWorker } from "../../running-worker.ts";
import { workbook } from "../imports/workbooks.ts";
import { figuresOf } from "./import-figures.ts";
import { settled } from "./settled-import.ts";

const server = await startServer();
runWorker(server);

async function person(language = "ro"): Promise<{ tenant: TestTenant; member: Member }> {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  await server.sql("update users set language = $2 where tenant_id = $1", [tenant.id, language]);
  return { tenant, member };
}

/** Uploads a file without naming its kind, and returns the address of the import. */
async function uploaded(member: Member, csv: string, form: Form = {}): Promise<string> {
  const answer = await member.upload("/imports", form, { "file.csv": Buffer.from(csv) });
  assert.equal(answer.status, 303, answer.text);
  return String(answer.location);
}

/** Takes the proposed columns, and returns the checked page. */
async function checked(member: Member, csv: string, form: Form = {}): Promise<{ path: string; text: string }> {
  const path = await uploaded(member, csv, form);
  const columns = await columnsOf(member, path);
  if ((await settled(member, path)).includes("/reading")) await member.post(`${path}/reading`, asForm(columns));
  return { path, text: await settled(member, path) };
}

async function imported(member: Member, csv: string, form: Form = {}): Promise<string> {
  const { path } = await checked(member, csv, form);
  await member.post(`${path}/start`);
  return await settled(member, path);
}

const asForm = (columns: string[]) => Object.fromEntries(columns.map((field, index) => [`column.${index}`, field]));

/** The field of each column, as the page proposes it. */
async function columnsOf(member: Member, path: string): Promise<string[]> {
  const { text } = await member.get(path);
  return [...text.matchAll(/<select id="column\.\d+".*?<\/select>/gs)].map(
    ([select]) => /<option value="([^"]*)" selected>/.exec(select)?.[1] ?? "",
  );
}

const companies = async (tenant: TestTenant) => (await tenant.get("/api/v1/companies?per_page=200")).body.data;

/** The values of a kind's rows, in the order of their ids; phones by the API. */
async function stored(tenant: TestTenant, table: string, ...fields: string[]): Promise<unknown[][]> {
  const sql = `select to_jsonb(t) as row from ${table} t where tenant_id = $1 and deleted_at is null order by id`;
  return (await server.sql(sql, [tenant.id])).map(({ row }) =>
    fields.map((name) => (row as Record<string, unknown>)[name]),
  );
}

for (const [what, first, later, field] of [
  [
    "the second of two columns of a name",
    "Denumire;CUI;Telefon;Telefon\nA SRL;RO1111;0722000111;0257555100\n",
    "Denumire;CUI;Telefon\nB SRL;RO2222;0722000222\n",
    "phone",
  ],
  [
    "a column whose values do not fit",
    "Denumire;CUI;De sunat\nA SRL;RO1111;luni\n",
    "Denumire;CUI;De sunat\nB SRL;RO2222;2026-12-01\n",
    "callback_date",
  ],
  [
    "a number that is none",
    "Denumire;CUI;Angajati\nA SRL;RO1111;10-50\n",
    "Denumire;CUI;Angajati\nB SRL;RO2222;25\n",
    "employee_count",
  ],
] as const) {
  test(`what nobody chose is guessed again in the next file: ${what}`, async () => {
    const { tenant, member } = await person();
    await imported(member, first);
    const path = await uploaded(member, later);
    assert.ok((await columnsOf(member, path)).includes(field));
    await member.post(`${path}/reading`, asForm(await columnsOf(member, path)));
    await settled(member, path);
    await member.post(`${path}/start`);
    await settled(member, path);
    const found = (await companies(tenant)).find(({ name }: { name: string }) => name === "B SRL");
    assert.notEqual(found[field], null);
  });
}

test("a column that a person left out stays left out, the page says since when, and one click uses it again", async () => {
  const { member } = await person("en");
  const csv = "Name;VAT;Phone;Phone\nA Ltd;RO1111;0722000111;0722000112\n";
  const first = await uploaded(member, csv);
  await member.post(`${first}/reading`, asForm(["name", "tax_id", "", ""]));
  await settled(member, first);
  const next = await uploaded(member, csv.replaceAll("1111", "2222"));
  const { text } = await member.get(next);
  // The second column of the name was proposed as nothing, so nobody chose that.
  assert.deepEqual(await columnsOf(member, next), ["name", "tax_id", "", "phone"]);
  assert.match(text, /Left out, as on \d+ \w+ \d{4}\./);
  assert.match(text, /name="use" value="2\.phone">Use it as “Phone”/);
  const columns = asForm(["name", "tax_id", "", ""]);
  assert.equal((await member.post(`${next}/reading`, { ...columns, use: "2.phone" })).location, next);
  assert.deepEqual(await columnsOf(member, next), ["name", "tax_id", "phone", ""]);
  const last = await uploaded(member, csv.replaceAll("1111", "3333"));
  assert.deepEqual(await columnsOf(member, last), ["name", "tax_id", "phone", ""]);
});

test("equal numbers are no fiscal ids, and a fiscal id that several names have is questioned", async () => {
  const { tenant, member } = await person();
  const zips = "Account Name,Billing Zip/Postal Code,Phone\nA SRL,310001,0257 555 101\nB SRL,310001,0257 555 102\n";
  await imported(member, `${zips}C SRL,310001,0257 555 103\n`);
  const found = (await companies(tenant)).map(({ name, tax_id, postal_code }: Record<string, unknown>) => [
    name,
    tax_id,
    postal_code,
  ]);
  assert.deepEqual(found, [
    ["A SRL", null, "310001"],
    ["B SRL", null, "310001"],
    ["C SRL", null, "310001"],
  ]);
  const path = await uploaded(member, zips.replace("Billing Zip/Postal Code", "Cod"));
  await member.post(`${path}/reading`, asForm(["name", "tax_id", "phone"]));
  const text = await settled(member, path);
  assert.match(text, /2 rânduri cu denumiri diferite au codul fiscal 310001\. Este această coloană codul fiscal\?/);
  assert.deepEqual(figuresOf({ text: text.replaceAll("Noi", "Create").replaceAll("Omise", "Skip") }).Skipped, 1);
  // Nothing is imported before the question is answered.
  const numberOf = async () => (await companies(tenant)).length;
  assert.match(text, /<button class="main"[^>]*>Răspundeți întâi: este codul fiscal\?<\/button>/);
  assert.equal((await member.post(`${path}/start`)).location, `${path}#words`);
  assert.doesNotMatch(await settled(member, path), /progress/);
  await member.post(`${path}/start`, { "choice.tax_id": "leave" });
  assert.match(await settled(member, path), /<option value="leave" selected>Nu este: lasă coloana deoparte/);
  assert.equal(await numberOf(), 3);
  await member.post(`${path}/start`, { "choice.tax_id": "keep" });
  assert.match(await settled(member, path), /Importă 1 firmă/);
  await member.post(`${path}/start`);
  await settled(member, path);
  assert.equal(await numberOf(), 4);
});

test("of a file's header with a bad byte, the other names are known, and no row is lost", async () => {
  const { tenant, member } = await person();
  const text = "Denumire;Localitate;Telefon;Adres\u0000;CUI\nȚesătorul SRL;Brașov;0722 000 811;Str. Lungă 8;RO811\n";
  const bytes = Buffer.from(text.replace("Adres\u0000", "Adresa\u0000"));
  bytes[bytes.indexOf(0)] = 0xff;
  const answer = await member.upload("/imports", {}, { "f.csv": bytes });
  const path = String(answer.location);
  assert.deepEqual(await columnsOf(member, path), ["name", "city", "phone", "address", "tax_id"]);
  assert.match((await member.get(path)).text, /Adresa\ufffd/);
  await member.post(`${path}/reading`, asForm(await columnsOf(member, path)));
  await settled(member, path);
  await member.post(`${path}/start`);
  await settled(member, path);
  assert.deepEqual(await stored(tenant, "companies", "name", "city", "address", "tax_id"), [
    ["Țesătorul SRL", "Brașov", "Str. Lungă 8", "RO811"],
  ]);
});

for (const [what, days, expected] of [
  [
    "month first, as one day proves",
    ["03/04/1980", "12/01/1979", "11/25/1985"],
    ["1980-03-04", "1979-12-01", "1985-11-25"],
  ],
  ["day first, as one day proves", ["03/04/1980", "25/11/1985"], ["1980-04-03", "1985-11-25"]],
  ["dots, in each language", ["3.4.1980", "25.11.26"], ["1980-04-03", "2026-11-25"]],
  [
    "names of months",
    ["25-Nov-26", "25 noiembrie 2026 ora 14:30", "Nov 25, 2026", "1 mai 1980", "May 2nd, 1981", "3rd March 1982"],
    ["2026-11-25", "2026-11-25", "2026-11-25", "1980-05-01", "1981-05-02", "1982-03-03"],
  ],
  [
    "names of months in other languages",
    ["25. März 2026", "14 juillet 2026", "2026. november 25.", "1er déc. 2026", "14 jui 2026"],
    ["2026-03-25", "2026-07-14", "2026-11-25", "2026-12-01", null],
  ],
  [
    "the year first",
    ["20261125", "2026/11/25", "2026-11-25T22:00:00.000Z", "2026-11-25 22:00:00+00"],
    Array.from({ length: 4 }, () => "2026-11-25"),
  ],
  ["with a time", ["25/11/2026 2:30 PM", "25.11.2026 14:30:00", "20261125T101112Z"], Array(3).fill("2026-11-25")],
  [
    "with a weekday",
    ["vineri, 5 martie 2027", "Friday, March 5, 2027", "Fri, 5 Mar 2027"],
    Array(3).fill("2027-03-05"),
  ],
  [
    "empty ones and none",
    ["00.00.0000", "0/0/00", "0000-00-00", "31.02.2026", "--05-01", "25.11.0026", "1980-05-01"],
    [null, null, null, null, null, null, "1980-05-01"],
  ],
  ["two digits of a year", ["31/12/29", "31/12/30"], ["2029-12-31", "1930-12-31"]],
] as const) {
  for (const language of ["ro", "en"]) {
    test(`days are read by their column, in ${language}: ${what}`, async () => {
      const { tenant, member } = await person(language);
      await tenant.post("/api/v1/companies", { name: "A SRL" });
      const rows = days.map((day, index) => `P${index};Pop;A SRL;"${day}"`);
      await imported(member, `Prenume;Nume;Firma;Data nasterii\n${rows.join("\n")}\n`);
      assert.deepEqual(
        await stored(tenant, "contacts", "birth_date"),
        expected.map((day) => [day]),
      );
    });
  }
}

test("a day with two readings skips its row with both, until a person says which", async () => {
  const { tenant, member } = await person("en");
  await tenant.post("/api/v1/companies", { name: "A SRL" });
  const csv =
    "First name;Last name;Company;Birthday\nAna;Pop;A SRL;03/04/1980\nIon;Pop;A SRL;12/31/1979\nDan;Pop;A SRL;31/12/1979\n";
  const { path, text } = await checked(member, csv);
  assert.match(text, /Birthday can mean 3 Apr 1980 or 4 Mar 1980\. The file has “03\/04\/1980”\./);
  assert.equal(figuresOf({ text }).Created, 2);
  assert.match(text, /<option value="mdy">“03\/04\/1980” is 4 Mar 1980<\/option>/);
  // The button to import applies what is not applied yet, and imports nothing.
  await member.post(`${path}/start`, { "choice.birth_date": "mdy" });
  assert.equal(figuresOf({ text: await settled(member, path) }).Created, 3);
  assert.deepEqual(await stored(tenant, "contacts", "birth_date"), []);
  await member.post(`${path}/start`, { "choice.birth_date": "mdy" });
  await settled(member, path);
  assert.deepEqual(await stored(tenant, "contacts", "birth_date"), [["1980-03-04"], ["1979-12-31"], ["1979-12-31"]]);
});

test("cells of optional fields that do not fit are left out with a note, or their rows skipped", async () => {
  const { tenant, member } = await person("en");
  const csv =
    "Name;Tax ID;E-mail;Employees;Call back\nA;RO11;nobody;many;some day\nB;RO12;b@x.example;1,200;2026-12-01\n";
  const path = await uploaded(member, csv);
  await member.post(`${path}/reading`, asForm(["name", "tax_id", "email", "employee_count", "callback_date"]));
  const text = await settled(member, path);
  assert.equal(figuresOf({ text }).Created, 2);
  assert.match(text, /E-mail: not valid.*“nobody” \(row 2\)/s);
  await member.post(`${path}/corrections`, { "choice.email": "skip" });
  assert.equal(figuresOf({ text: await settled(member, path) }).Created, 1);
  await member.post(`${path}/corrections`, { "choice.email": "" });
  await settled(member, path);
  await member.post(`${path}/start`);
  await settled(member, path);
  const found = await stored(tenant, "companies", "name", "email", "employee_count", "callback_date");
  assert.deepEqual(found, [
    ["A", null, null, null],
    ["B", "b@x.example", 1200, "2026-12-01"],
  ]);
});

test("an owner is found by name, e-mail address or number, and an unknown one is left out", async () => {
  const { tenant, member } = await person("en");
  const [user] = await server.sql("select id, name, email from users where tenant_id = $1 limit 1", [tenant.id]);
  const { id, name, email } = user as { id: string; name: string; email: string };
  const rows = [name.toUpperCase(), email, id, "Nobody Here"].map((owner, index) => `C${index};RO1${index};${owner}`);
  const { text, path } = await checked(member, `Name;Tax ID;Account manager\n${rows.join("\n")}\n`);
  assert.match(text, /Owner: not the name of one active user.*“Nobody Here” \(row 5\)/s);
  await member.post(`${path}/start`);
  await settled(member, path);
  const found = await stored(tenant, "companies", "assigned_to");
  assert.deepEqual(
    found.map(([owner]) => owner),
    [Number(id), Number(id), Number(id), null],
  );
});

test("an owner's name counts without case and accents, where one active user has it", async () => {
  const { tenant, member } = await person("en");
  const ids = new Map<string, number>();
  for (const [name, email, leftAt] of [
    ["Ștefan Țîrlea", "Stefan@Firma.example", null],
    ["Ion Popescu", "ion1@x.example", null],
    ["Ion Popescu", "ion2@x.example", null],
    ["Maria Plecată", "maria@x.example", "2026-01-01"],
    ["Zoë O'Brien", "zoe@x.example", null],
    ["Zoe O'Brien", "zoe2@x.example", "2026-01-01"],
  ] as const) {
    const values = [tenant.id, name, email, leftAt];
    const [row] = await server.sql(
      "insert into users (tenant_id, name, email, role, deactivated_at) values ($1, $2, $3, 'member', $4) returning id",
      values,
    );
    ids.set(email, Number(row?.id));
  }
  const [stefan, zoe] = ["Stefan@Firma.example", "zoe@x.example"];
  const owners = [
    ["STEFAN TIRLEA", stefan],
    ["Ştefan  ţîrlea", stefan],
    ["stefan@FIRMA.example", stefan],
    ["Zoe O’Brien", zoe],
    ["ion2@x.example", "ion2@x.example"],
    ["Ion Popescu", ""],
    ["Maria Plecată", ""],
    ["maria@x.example", ""],
    ["Ștefan", ""],
    ["Țîrlea Ștefan", stefan],
    ["ȚÎRLEA, Ștefan", stefan],
    ["Popescu Ion", ""],
    ["Ștefan Țîrlea <stefan@firma.example>", stefan],
  ] as const;
  const rows = owners.map(([owner], index) => `C${index};RO1${index};${owner}`);
  const { text, path } = await checked(member, `Name;Tax ID;Account manager\n${rows.join("\n")}\n`);
  assert.match(text, /Owner: not the name of one active user.*“Ion Popescu” \(row 7\)/s);
  await member.post(`${path}/start`);
  await settled(member, path);
  const found = await stored(tenant, "companies", "assigned_to");
  assert.deepEqual(
    found.flat(),
    owners.map(([, email]) => ids.get(email) ?? null),
  );
});

test("a full name is split at its last blank", async () => {
  const { tenant, member } = await person("en");
  await tenant.post("/api/v1/companies", { name: "A SRL" });
  await imported(member, "Full name,Company,E-mail\nAna Maria Pop,A SRL,a@x.example\nMadonna,A SRL,m@x.example\n");
  assert.deepEqual(await stored(tenant, "contacts", "first_name", "last_name"), [["Ana Maria", "Pop"]]);
});

test("rows below a total are not read, and a company may be called Total", async () => {
  const { tenant, member } = await person("en");
  const csv = "Name;Tax ID;City\nTotal;RO9916487108;Arad\nB SRL;RO12;Cluj\nTotal;;\nÎntocmit: Maria Ionescu;;\n";
  const { path, text } = await checked(member, csv);
  assert.match(text, /The row is below the total in row 4\./);
  await member.post(`${path}/start`);
  await settled(member, path);
  assert.deepEqual(await stored(tenant, "companies", "name"), [["Total"], ["B SRL"]]);
});

for (const [first, other] of [
  ["RO1816487", "1816487"],
  ["1816487", "RO 1816487"],
  ["RO-1816487", "ro1816487"],
  ["RO.1816487", "RO\u00a01816487"],
  ["RO 1816487", "RO\u200b1816487"],
  ["RO1816487", "\uff32\uff2f1816487"],
  ["DE 181 648 799", "DE181648799"],
] as const) {
  test(`a fiscal id is one in each spelling: ${JSON.stringify(first)}, ${JSON.stringify(other)}`, async () => {
    const { tenant, member } = await person("en");
    await tenant.post("/api/v1/companies", { name: "A SRL", tax_id: first });
    await imported(member, `Name;Tax ID;City\nA SRL;${other};Arad\n`);
    assert.deepEqual(await stored(tenant, "companies", "tax_id", "city"), [[first, "Arad"]]);
    await imported(member, `Prenume;Nume;CUI firma\nAna;Pop;${other}\n`);
    assert.equal((await stored(tenant, "contacts", "id")).length, 1);
  });
}

test("two prefixes are two firms, and a number that both have skips its row and says so", async () => {
  const { tenant, member } = await person("en");
  await imported(member, "Name;Tax ID\nA;RO813002\nB;DE813002\n");
  assert.deepEqual(await stored(tenant, "companies", "tax_id"), [["RO813002"], ["DE813002"]]);
  const { text } = await checked(member, "Name;Tax ID;City\nA;813002;Arad\n");
  assert.match(text, /The fiscal id 813002 may be RO813002 or DE813002/);
});

test("contacts that a file has again are updated, added or left out, as a person says", async () => {
  const { tenant, member } = await person("en");
  await tenant.post("/api/v1/companies", { name: "A SRL" });
  const csv = "First name;Last name;Company;E-mail;Department\nIon;Popescu;A SRL;ion@x.example;\nAna;Marin;A SRL;;\n";
  await imported(member, csv);
  const { path, text } = await checked(member, csv.replaceAll(";\n", ";Sales\n").replace("Ion;", "Ioan;"));
  assert.match(text, /There already<\/label><\/td>\s*<td class="number" data-label="Rows">2</);
  assert.equal(figuresOf({ text }).Changed, 2);
  await member.post(`${path}/corrections`, { again: "skip" });
  assert.equal(figuresOf({ text: await settled(member, path) }).Skipped, 2);
  await member.post(`${path}/corrections`, { again: "add" });
  assert.equal(figuresOf({ text: await settled(member, path) }).Created, 2);
  await member.post(`${path}/corrections`, { again: "update" });
  await settled(member, path);
  await member.post(`${path}/start`);
  await settled(member, path);
  const found = await stored(tenant, "contacts", "first_name", "last_name", "department");
  assert.deepEqual(found, [
    ["Ioan", "Popescu", "Sales"],
    ["Ana", "Marin", "Sales"],
  ]);
});

test("of rows that mean one stored contact by its address and by its name, the first counts", async () => {
  const { tenant, member } = await person("en");
  await tenant.post("/api/v1/companies", { name: "A SRL" });
  const head = "First name;Last name;Company;E-mail;Department\n";
  await imported(member, `${head}Ion;Pop;A SRL;ion@x.example;\n`);
  const { path, text } = await checked(member, `${head}Ioan;Popescu;A;ion@x.example;Sales\nIon;Pop;A SRL;;Legal\n`);
  assert.match(text, /The row means the same record as row 2\./);
  assert.deepEqual(figuresOf({ text }), { Created: 0, Changed: 1, Unchanged: 0, Skipped: 1 });
  await member.post(`${path}/start`);
  await settled(member, path);
  assert.deepEqual(await stored(tenant, "contacts", "last_name", "department"), [["Popescu", "Sales"]]);
});

test("a company without a fiscal id is the only one of its name, whatever its legal form and blanks", async () => {
  const { tenant, member } = await person("en");
  await tenant.post("/api/v1/companies", { name: "Numele SRL", tax_id: "RO77" });
  const csv = "Denumire;Oraș;Telefon\nNUMELE\u00a0S.R.L.;Arad;0722000111\nNumele;Cluj;0722000112\n";
  const { path, text } = await checked(member, csv);
  assert.match(text, /The row means the same record as row 2\./);
  await member.post(`${path}/start`);
  await settled(member, path);
  assert.deepEqual(await stored(tenant, "companies", "name", "city"), [["Numele SRL", "Arad"]]);
});

test("the ids of another installation's export mean nothing here, and are said", async () => {
  const [here, there] = [await person(), await person()];
  for (const [{ tenant }, name, tax_id] of [
    [here, "Aici SRL", "RO601"],
    [there, "Acolo SRL", "RO501"],
  ] as const) {
    await tenant.post("/api/v1/companies", { name, tax_id });
    await tenant.post("/api/v1/companies", { name: `${name} 2` });
    for (const { id } of await companies(tenant)) {
      await tenant.post(`/api/v1/companies/${id}/contacts`, { first_name: "Ion", last_name: name });
      await tenant.post(`/api/v1/companies/${id}/addresses`, { address: `Str. ${name}`, city: "Arad" });
    }
  }
  const idsOf = async ({ tenant }: typeof here, table: string) =>
    (await stored(tenant, table, "id")).flat().map(String);
  for (const table of ["companies", "contacts", "addresses"]) {
    const [theirs, ours] = [await idsOf(there, table), await idsOf(here, table)];
    const [theirCompanies, ourCompanies] = [await idsOf(there, "companies"), await idsOf(here, "companies")];
    const { text: csv } = await there.member.get(`/export/${table}.csv`, { "accept-language": "ro" });
    const rows = csv
      .replace("\ufeff", "")
      .split("\r\n")
      .map((row) => {
        const [id = "", company = "", ...others] = row.split(";");
        const ofCompany = table !== "companies" ? (ourCompanies[theirCompanies.indexOf(company)] ?? company) : company;
        return [ours[theirs.indexOf(id)] ?? id, ofCompany, ...others].join(";");
      });
    const { path, text } = await checked(here.member, rows.join("\r\n"));
    assert.match(text, /Id: aici nu indică nimic sau indică altceva/);
    await here.member.post(`${path}/start`);
    await settled(here.member, path);
  }
  const found = await stored(here.tenant, "companies", "name");
  assert.deepEqual(found.flat(), ["Aici SRL", "Aici SRL 2", "Acolo SRL", "Acolo SRL 2"]);
  // What is of a company without a fiscal id names no company here, and is skipped.
  const contacts = await stored(here.tenant, "contacts", "last_name");
  assert.deepEqual(contacts.flat(), ["Aici SRL", "Aici SRL", "Acolo SRL"]);
  const addresses = await stored(here.tenant, "addresses", "address");
  assert.deepEqual(addresses.flat(), ["Str. Aici SRL", "Str. Aici SRL", "Str. Acolo SRL"]);
});

for (const language of ["ro", "en"]) {
  test(`the export of each kind is the same again, in ${language}`, async () => {
    const { tenant, member } = await person(language);
    const company = {
      name: "=1+1 SRL",
      tax_id: "RO 18547290",
      phone: "0722 000 111 int. 5",
      address: "'x",
      city: "@y",
    };
    await tenant.post("/api/v1/companies", {
      ...company,
      notes: '-5\n"q"; \t',
      county: "NULL",
      callback_date: "2026-12-01",
    });
    const [{ id }] = await companies(tenant);
    const path = `/api/v1/companies/${id}`;
    await tenant.post(`${path}/contacts`, {
      first_name: "Ion",
      last_name: "-",
      is_primary: true,
      birth_date: "1980-04-03",
    });
    await tenant.post(`${path}/addresses`, { label: "Depozit", address: "Str. 1", city: "Arad", type: "delivery" });
    const lines = ["1.234", "1.2340", "-5.00", "1234.567"].map((unit_price) => ({
      description: "-",
      quantity: "12.500",
      unit_price,
    }));
    await tenant.post(`${path}/invoices`, {
      number: "0042/2026",
      total: "1.234",
      currency: "EUR",
      issued_on: "2026-03-04",
      lines,
    });
    const records = ["offers", "deals", "tickets", "subscriptions"];
    for (const table of records) {
      const sql = `insert into ${table} (tenant_id, company_id, number, title, amount, starts_on) values ($1, $2, 'N-1', '=x', 1.2340, '2026-03-04')`;
      await server.sql(sql, [tenant.id, id]);
    }
    for (const kind of ["companies", "contacts", "addresses", "invoices", "invoice_lines", ...records]) {
      const { text: csv } = await member.get(`/export/${kind}.csv`, { "accept-language": language });
      const answer = await member.upload("/imports", {}, { [`${kind}.csv`]: Buffer.from(csv) });
      const at = String(answer.location);
      const columns = asForm(await columnsOf(member, at));
      if ((await settled(member, at)).includes("/reading")) await member.post(`${at}/reading`, columns);
      const { Created, Changed, Skipped, Unchanged } = figuresOf({ text: inEnglish(await settled(member, at)) });
      const expected = kind === "invoice_lines" ? 4 : 1;
      assert.deepEqual([kind, Created, Changed, Skipped, Unchanged], [kind, 0, 0, 0, expected]);
      const [found] = await server.sql("select kind from imports where tenant_id = $1 order by id desc limit 1", [
        tenant.id,
      ]);
      assert.equal(found?.kind, kind);
    }
  });
}

/** The tabs of a page in Romanian, as figuresOf() knows them. */
function inEnglish(text: string): string {
  const words = { Noi: "Create", Modificate: "Change", Neschimbate: "Same", Omise: "Skip" };
  return Object.entries(words).reduce((said, [ro, en]) => said.replaceAll(`>${ro} <b>`, `>${en} <b>`), text);
}

test("the currency of a line's price is that of its invoice, or the line is skipped with both", async () => {
  const { tenant, member } = await person();
  await tenant.post("/api/v1/companies", { name: "A SRL", tax_id: "RO7" });
  await imported(member, "Nr factura;CUI;Data;Moneda\nF1;RO7;25.11.2026;EUR\nF2;RO7;25.11.2026;\nF3;RO7;25.11.2026;\n");
  const header = "Nr factura;Linie;Denumire;Cantitate;Pret unitar";
  await imported(member, `${header}\nF3;1;Cuie;2;12,50\n`);
  const ofOthers = "F1;1;Cuie;2;12,50 EUR\nF1;2;Cuie;2;12,50 lei\nF2;1;Cuie;2;12,50 EUR\nF2;2;Cuie;2;$ 3";
  // Its line exists, and does not change.
  const lines = `${ofOthers}\nF3;1;Cuie;2;12,50 lei`;
  const { path, text } = await checked(member, `${header}\n${lines}\n`);
  assert.match(text, /Suma este în RON, iar factura este în EUR\./);
  assert.match(text, /Suma este în USD, iar factura este în EUR\./);
  await member.post(`${path}/start`);
  await settled(member, path);
  const found = await server.sql("select number, currency, lines from invoices where tenant_id = $1 order by id", [
    tenant.id,
  ]);
  assert.deepEqual(
    found.map(({ number, currency, lines: of }) => [number, currency, JSON.parse(String(of)).length]),
    [
      ["F1", "EUR", 1],
      ["F2", "EUR", 1],
      ["F3", "RON", 1],
    ],
  );
});

test("a check names the columns that it leaves out, an encoding that is a guess, and one fiscal id of many rows once", async () => {
  const { member } = await person();
  const left = await checked(member, "Denumire;CUI;Culoare;Fax\nA;RO5;;0257\nB;RO6;;0258\nC;RO 6;;\nD;ro6;;\n");
  assert.match(left.text, /Coloane care nu se importă, cu numărul celulelor: Fax 2\./);
  assert.match(left.text, /3 rânduri cu denumiri diferite au codul fiscal RO 6\./);
  assert.equal(left.text.match(/Este această coloană codul fiscal/g)?.length, 1);
  const bytes = Buffer.from("Denumire;CUI\nCaf\u00e9 \u00fear\u00e3 SRL;RO1\n", "latin1");
  const answer = await member.upload("/imports", {}, { "file.csv": bytes });
  const path = String(answer.location);
  await member.post(`${path}/reading`, asForm(await columnsOf(member, path)));
  assert.match(await settled(member, path), /se citește ca Windows-1250 \(Europa Centrală\): „Café ţară SRL”/);
});

test("a check counts the texts that mean no value, a fiscal id without a digit too, and quotes the first", async () => {
  const { member } = await person();
  const { text } = await checked(member, "Denumire;CUI;Localitate\nA;-;n/a\nB;fără;Cluj\nC;RO5;#N/A\nD;;Turda\n");
  assert.match(text, /Celule goale: Cod fiscal 1\./);
  assert.match(text, /Celule citite ca goale: Cod fiscal 2 \(„-”\), Localitate 1 \(„n\/a”\)\./);
});

test("a currency is that of a column's name too, and names of columns that come again are no row", async () => {
  const { tenant, member } = await person();
  await tenant.post("/api/v1/companies", { name: "Alfa SRL" });
  const header = "Nr. factură;Client;Data;Valoare EUR";
  const rows = ["F1;Alfa SRL;25.11.2026;1,50", header, "F2;Alfa SRL;25.11.2026;2,50 lei", "F3;Alfa SRL;25.11.2026;3 €"];
  const { path, text } = await checked(member, [header, ...rows].join("\n"));
  assert.match(text, /Rândul repetă sau numerotează numele coloanelor\..*Suma este în RON, dar rândul spune și EUR\./s);
  await member.post(`${path}/start`);
  await settled(member, path);
  await imported(member, "Număr;Firma;Total;Moneda\nF4;Alfa SRL;1,50;lei\nF5;Alfa SRL;1,50;CHF\n");
  const sql = "select number || ' ' || currency as said from invoices where tenant_id = $1 order by id";
  const said = (await server.sql(sql, [tenant.id])).map((row) => row.said);
  assert.deepEqual(said, ["F1 EUR", "F3 EUR", "F4 RON", "F5 CHF"]);
});

test("a percentage is what its cell shows, a number has its series, and a payment is in its invoice's currency", async () => {
  const { tenant, member } = await person();
  await tenant.post("/api/v1/companies", { name: "Alfa SRL" });
  const header = "Serie;Numar;Client;Data;Total;Moneda";
  await imported(member, `${header}\nA;0042;Alfa SRL;25.11.2026;1,5;RON\nB;0042;Alfa SRL;25.11.2026;2,5;RON\n`);
  const rows = [
    ["Serie", "Nr factura", "Poz", "Denumire produs", "Cant", "Pret unitar", "Cota TVA"],
    ["A", "0042", 1, "X", 2, 1.5, { format: "0%", value: 0.19 }],
    ["A", "0042", 2, "Y", 2, 1.5, "21%"],
  ];
  const { location } = await member.upload(
    "/imports",
    {},
    { "f.xlsx": new Uint8Array(workbook([{ name: "A", rows }])) },
  );
  const path = String(location);
  await member.post(`${path}/reading`, asForm(await columnsOf(member, path)));
  await settled(member, path);
  await member.post(`${path}/start`);
  await settled(member, path);
  const payments = "Serie;Factura;Suma încasată;Data încasării\nA;0042;1 EUR;26.11.2026\nB;0042;1 leu;26.11.2026\n";
  assert.match(await imported(member, payments), /Suma este în EUR, iar factura este în RON\./);
  const sql = `select number, paid::text, jsonb_path_query_array(coalesce(lines, '[]')::jsonb, '$[*].vat_rate') as vat
    from invoices where tenant_id = $1 order by id`;
  assert.deepEqual(await server.sql(sql, [tenant.id]), [
    { number: "A 0042", paid: "0", vat: ["19", "21"] },
    { number: "B 0042", paid: "1", vat: [] },
  ]);
});

test("a series of digits belongs to each number, unless the number begins with it and a separator", async () => {
  const { tenant, member } = await person();
  await tenant.post("/api/v1/companies", { name: "Alfa SRL" });
  const rows = ["2;5", "2;20", "2;2", "2;2/7", "F;F7", "F;8"].map((number) => `${number};Alfa SRL;25.11.2026;1,5`);
  await imported(member, `Serie;Numar;Client;Data;Total\n${rows.join("\n")}\n`);
  const numbers = ["2 5", "2 20", "2 2", "2/7", "F7", "F 8"];
  const sql = "select number from invoices where tenant_id = $1 order by id";
  assert.deepEqual(
    (await server.sql(sql, [tenant.id])).map(({ number }) => number),
    numbers,
  );
});

test("a currency without a field is said, and so are letters that were garbled before", async () => {
  const { tenant, member } = await person();
  const garbled = Buffer.from("Ștefan SRL").toString("latin1");
  const csv = `Denumire;CUI;Plafon;Angajați;Termen de plată;Telefon\n${garbled};RO18547290;500 EUR;1.250 pers.;30 de zile;nu are\n`;
  const { path, text } = await checked(member, csv);
  assert.match(text, /Limită de credit: moneda nu are un câmp/);
  assert.match(text, /Fișierul se citește ca UTF-8: „È/);
  assert.match(text, /Telefon: valoare nevalidă/);
  await member.post(`${path}/start`);
  await settled(member, path);
  const fields = ["credit_limit", "employee_count", "payment_days"];
  assert.deepEqual(await stored(tenant, "companies", ...fields), [[500, 1250, 30]]);
});

test("garbled letters are put right, marks repeat the cell above, and money has words, as the check says", async () => {
  const { tenant, member } = await person();
  const header = "Denumire\tCUI\tJudeÈ›\tLocalitate\tAdresa";
  const rows = [
    "Alfa SRL\tRO11\tBraÈ™ov\tBra&#537;ov\tStr. Lungă<br>nr. 1",
    "Beta &amp; Fiii SRL\tRO12\tidem\t-//-\tnr. 2 &lt; 3",
    'Gama SRL\tRO13\tla fel\t""""\t',
    "Delta SRL\tRO14\tDitto\tCluj\tidem",
    "Pier\ufffdut SRL\tRO15\tCluj\tCluj\t",
  ];
  const { path, text } = await checked(member, [header, ...rows].join("\n"));
  assert.match(text, /Județ: textul stricat se repară.*?„BraÈ™ov = Brașov” \(rândul 2\)/s);
  assert.match(text, /Localitate: la fel ca în celula de deasupra.*?„-\/\/- = Bra&amp;#537;ov” \(rândul 3\)/s);
  assert.match(text, /Celula o repetă pe cea de deasupra.*?Literele acestui text s-au pierdut/s);
  await member.post(`${path}/start`);
  await settled(member, path);
  assert.deepEqual(await stored(tenant, "companies", "name", "county", "city", "address"), [
    ["Alfa SRL", "Brașov", "Brașov", "Str. Lungă\nnr. 1"],
    ["Beta & Fiii SRL", "Brașov", "Brașov", "nr. 2 < 3"],
    ["Gama SRL", "Brașov", "Brașov", null],
  ]);

  const invoices = [
    "Număr;Firma;Data;Scadența;Total;Moneda",
    "F1;Alfa SRL;31/12/26;31/12/29;1,50;dolari",
    "F2;Alfa SRL;31.12.26;31 dec 28;1,50 euro/buc;",
    "F3;Alfa SRL;31.12.26;;1,50;RON/EUR",
    "F4;Alfa SRL;31.12.26;;1,50;lire",
    "F5;Alfa SRL;31.12.26;;1,50 forinți;RON (lei)",
    "F6;Alfa SRL;31.12.26;;1,50;chf",
  ];
  assert.match(await imported(member, invoices.join("\n")), /Nu este o singură monedă cunoscută\..*?Suma este în HUF/s);
  const sql = "select number, due_on::text, currency from invoices where tenant_id = $1 order by id";
  const said = await server.sql(sql, [tenant.id]);
  assert.deepEqual(said.map(Object.values), [
    ["F1", "2029-12-31", "USD"],
    ["F2", "2028-12-31", "EUR"],
    ["F6", null, "CHF"],
  ]);
});

test("rows that only look like rows are skipped, and names, rates and empty days are what they mean", async () => {
  const { tenant, member } = await person();
  const rows = [
    "Denumire;CUI;Oraș",
    "0;1;2",
    "Alfa SRL;CUI: RO11;Arad",
    "DENUMIRE;C.U.I.;oras",
    "Beta SRL;RO12;Cluj",
    "Pagina 2 din 3;;",
    "Furnizori;;",
    "CUI;Denumire;Oraș",
    "RO21;Gama SRL;Dej",
  ];
  const { path, text } = await checked(member, rows.join("\n"));
  assert.equal(text.match(/Rândul repetă sau numerotează numele coloanelor/g)?.length, 2);
  assert.match(text, /doar numărul unei pagini.*Aici începe alt tabel.*alt tabel, care începe la rândul 8/s);
  await member.post(`${path}/start`);
  await settled(member, path);
  assert.deepEqual(await stored(tenant, "companies", "name", "tax_id"), [
    ["Alfa SRL", "RO11"],
    ["Beta SRL", "RO12"],
  ]);

  const names = ["Pop, Ana Maria", "Ion Pop (contabil)", "Vlad Ion Rus, ing."].map(
    (name) => `${name}\tAlfa SRL\t0001-01-01`,
  );
  await imported(member, ["Nume complet\tFirma\tData nașterii", ...names].join("\n"));
  assert.deepEqual(await stored(tenant, "contacts", "first_name", "last_name", "birth_date"), [
    ["Ana Maria", "Pop", null],
    ["Ion", "Pop (contabil)", null],
    ["Vlad Ion", "Rus, ing.", null],
  ]);

  await imported(member, "Număr;Firma\nF1;Alfa SRL\n");
  const lines =
    "Nr factura;Linie;Denumire;Cantitate;Pret unitar;Cota TVA\nF1;1;Cuie;2;1,5;0,19\nF1;2;Cuie;2;1,5;0,5%\n";
  assert.match((await checked(member, lines)).text, /TVA, %” poate însemna 19,00 sau 0,19/);
});

for (const total of [
  '="Total";;;="1.234,50"',
  "'Total;;;1.234,50 lei",
  "TOTAL GENERAL;-;N/A;12 HUF",
  "Total:;;;#REF!",
]) {
  test(`a total is one however its cells are written: ${total}`, async () => {
    const { member } = await person();
    const { text } = await checked(member, `Nr factura;CUI;Data;Total\n${total}\nÎntocmit: Ana;;;\n`);
    assert.match(text, /Rândul pare a fi totalul.*Rândul este sub totalul din rândul 2\./s);
  });
}

test("the export of a page opens in a spreadsheet, and updates by its ids", async () => {
  const { tenant, member } = await person("ro");
  await tenant.post("/api/v1/companies", {
    name: "A SRL",
    tax_id: "RO77",
    address: "=1+1",
    notes: "-x",
    phone: "+40 722",
    industry: "-1+cmd|' /C calc'!A0",
    county: "+1-HYPERLINK(1)",
    city: "-12,5 %",
    website: "+40 (21) 310.00-11/12 int. 3",
  });
  const { id } = (await companies(tenant))[0];
  const ion = { first_name: "Ion", last_name: "Pop" };
  await tenant.post(`/api/v1/companies/${id}/contacts`, ion);
  const answer = await member.get("/export/companies.csv", { "accept-language": "ro" });
  assert.match(answer.text, /;'=1\+1;/);
  assert.match(answer.text, /;'-x;/);
  assert.match(answer.text, /;\+40 722;/);
  for (const formula of ["-1+cmd|' /C calc'!A0", "+1-HYPERLINK(1)"]) assert.ok(answer.text.includes(`;'${formula};`));
  for (const number of ["-12,5 %", "+40 (21) 310.00-11/12 int. 3"])
    assert.ok(answer.text.includes(`;${number};`), number);
  const csv = (await member.get("/export/contacts.csv", { "accept-language": "ro" })).text;
  assert.match(csv, /^\ufeff?id;company_id;company_tax_id;first_name;/);
  const [header = "", row = ""] = csv.replace("\ufeff", "").split("\r\n");
  const edited = row.replace(";Ion;Pop;", ";Ioan;Popa;");
  const { path, text } = await checked(member, `${header}\n${edited}\n${edited.replace(/^\d+/, "999999")}\n`);
  assert.match(text, /Id: aici nu indică nimic sau indică altceva; citite ca rânduri fără el/);
  await member.post(`${path}/start`);
  await settled(member, path);
  assert.deepEqual(await stored(tenant, "contacts", "first_name", "last_name"), [
    ["Ioan", "Popa"],
    ["Ioan", "Popa"],
  ]);
});

test("the contact person of a company's file becomes its contact, as the check says, and undoing deletes it", async () => {
  const { tenant, member } = await person("en");
  const made = async (name: string, tax: string) =>
    (await tenant.post("/api/v1/companies", { name, tax_id: tax, city: "Cluj" })).body.data.id as number;
  const known = await made("D SRL", "RO4444");
  await made("E SRL", "RO5555");
  await tenant.post(`/api/v1/companies/${known}/contacts`, { first_name: "Dan", last_name: "Rus" });
  const csv = `Denumire;CUI;Oras;Persoana de contact
A SRL;RO1111;Cluj;Ana Maria Pop
B SRL;RO2222;Cluj;Ion Ionescu / Maria Stan, director
C SRL;RO3333;Cluj;Ana
D SRL;RO4444;Cluj;DAN RUS
E SRL;RO5555;Cluj;Eva Lup
F SRL;RO6666;Cluj;
`;
  const people = async () =>
    (await stored(tenant, "contacts", "first_name", "last_name")).map((names) => names.join(" "));
  const { path, text } = await checked(member, csv);
  assert.deepEqual(figuresOf({ text }), { Created: 4, Changed: 1, Unchanged: 1, Skipped: 0 });
  assert.match(text, /Contact person: a contact of the company is created<\/td>.*?>4</s);
  assert.match(text, /“Ana Maria Pop” \(row 2\) · “Ion Ionescu” \(row 3\) · “Maria Stan” \(row 3\)/);
  assert.match(text, /Contact person: not valid<\/td>.*?>1<.*?“Ana” \(row 4\)/s);
  assert.match(text, /Contact person: further ones are left out<\/td>.*?“director” \(row 3\)/s);
  const { text: changes } = await member.get(`${path}?rows=change`);
  assert.match(changes, /E SRL<\/a>\s*<ul class="differences"><li><span class="muted">Contact person<\/span>.*Eva Lup/);
  assert.deepEqual(await people(), ["Dan Rus"]);
  await member.post(`${path}/start`);
  assert.deepEqual(figuresOf({ text: await settled(member, path) }), {
    Created: 4,
    Changed: 1,
    Unchanged: 1,
    Skipped: 0,
  });
  assert.deepEqual(await people(), ["Dan Rus", "Ana Maria Pop", "Ion Ionescu", "Maria Stan", "Eva Lup"]);

  // Neither the check nor the import makes them again, or counts them as a change.
  assert.deepEqual(figuresOf(await checked(member, csv)), { Created: 0, Changed: 0, Unchanged: 6, Skipped: 0 });
  const [edited] = await server.sql("select id from contacts where tenant_id = $1 and last_name = 'Stan'", [tenant.id]);
  await tenant.put(`/api/v1/contacts/${String(edited?.id)}`, { job_title: "CFO" });
  const [eva] = await server.sql("select id from contacts where tenant_id = $1 and last_name = 'Lup'", [tenant.id]);
  const { body: erased } = await tenant.post(`/api/v1/contacts/${String(eva?.id)}/erase`, {});
  assert.equal(erased.erased?.import_rows, 1, JSON.stringify(erased));
  assert.deepEqual([...new Set(erased.files.map((file: { file_name: string }) => file.file_name))], ["file.csv"]);
  const { text: asked } = await member.get(`${path}/undo`);
  assert.match(asked, /3 companies.*2 contacts/s);
  assert.match(asked, /B SRL<\/a>.*Maria Stan<\/a>/s);
  await member.post(`${path}/undo`);
  await settled(member, path);
  assert.deepEqual(await people(), ["Dan Rus", "Maria Stan"]);
  assert.deepEqual(await stored(tenant, "companies", "name"), [["D SRL"], ["E SRL"], ["B SRL"]]);
});

test("a fiscal id that cannot be right is remarked on, and imported", async () => {
  const { tenant, member } = await person("en");
  const { path, text } = await checked(
    member,
    "name,tax_id,country\nRight,RO18547290,\nWrong,RO18547291,\nAbroad,123,Chile\n",
  );
  assert.match(text, /Fiscal id: does not look right/);
  assert.match(text, /“RO18547291” \(row 3\)/);
  assert.doesNotMatch(text, /“RO18547290”|“123”/);
  await member.post(`${path}/start`);
  await settled(member, path);
  assert.equal((await companies(tenant)).length, 3);
});
