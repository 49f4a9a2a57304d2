import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn, type Form, type Member, type PageAnswer } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { runWorker } from "../../running-worker.ts";
import { figuresOf } from "./import-figures.ts";
import { settledPage, startedPage } from "./settled-import.ts";

const server = await startServer();
runWorker(server);

async function person(): Promise<{ tenant: TestTenant; member: Member }> {
  const tenant = await server.createTenant();
  return { tenant, member: await signedIn(server, tenant) };
}

type File = string | Uint8Array<ArrayBuffer>;

/** The address of the import of a file, once it is checked. */
async function checked(member: Member, file: File, form: Form = {}): Promise<string> {
  const answer = await member.upload("/imports", { kind: "companies", ...form }, { "file.csv": file });
  assert.equal(answer.status, 303, answer.text);
  await settledPage(member, String(answer.location));
  return String(answer.location);
}

async function companies(tenant: TestTenant): Promise<Record<string, unknown>[]> {
  return (await tenant.get("/api/v1/companies?per_page=200")).body.data;
}

const names = async (tenant: TestTenant) => (await companies(tenant)).map(({ name, city }) => [name, city]);

const TEXT = "name;city\r\nȚepeș & fiii;Iași\r\nBrâncuși;Târgu Jiu\r\n";
const FOUND = [
  ["Țepeș & fiii", "Iași"],
  ["Brâncuși", "Târgu Jiu"],
];
/** As spreadsheets of Central Europe save it, with cedillas: the encoding has no letters with commas below. */
const OLD = Buffer.from("name\tcity\r\n\xdeepe\xba & fiii\tIa\xbai\r\n", "latin1");

for (const [what, file, said] of [
  ["UTF-8", Buffer.from(TEXT), "Semicolons, UTF-8"],
  ["UTF-8 with a mark", Buffer.from(`\ufeff${TEXT}`), "Semicolons, UTF-8"],
  ["UTF-16", Buffer.from(`\ufeff${TEXT}`, "utf16le"), "Semicolons, UTF-16"],
  ["UTF-16, big-endian", Buffer.from(`\ufeff${TEXT}`, "utf16le").swap16(), "Semicolons, UTF-16 \\(big-endian\\)"],
  ["tabs", Buffer.from(TEXT.replaceAll(";", "\t")), "Tabs, UTF-8"],
  ["commas", Buffer.from(TEXT.replaceAll(";", ",")), "Commas, UTF-8"],
] as const) {
  test(`a file in ${what} is read, and the page says how`, async () => {
    const { tenant, member } = await person();
    const path = await checked(member, file);
    assert.match((await member.get(path)).text, new RegExp(`<summary>Read as: ${said} · Change</summary>`));
    await startedPage(member, path);
    assert.deepEqual(await names(tenant), FOUND);
  });
}

test("a file that is no UTF-8 is read by its letters, as Windows-1250 here, which can be changed before the start", async () => {
  const { tenant, member } = await person();
  const path = await checked(member, OLD);
  const page = await settledPage(member, path, "ro");
  assert.match(page.text, /<summary>Citit ca: Tabulatori, Windows-1250 \(Europa Centrală\) · /);
  assert.match(page.text, /<option value="windows-1250" selected>/);
  assert.equal((await member.post(`${path}/reading`, { delimiter: "tab", encoding: "utf-8" })).location, path);
  const other = await settledPage(member, path);
  assert.match(other.text, /<summary>Read as: Tabs, UTF-8 · /);
  assert.equal(figuresOf(other).Created, 0);
  assert.match(other.text, /The row is not valid UTF-8\./);
  assert.equal((await member.post(`${path}/reading`, { delimiter: "tab", encoding: "windows-1250" })).location, path);
  await settledPage(member, path);
  await startedPage(member, path);
  assert.deepEqual(await names(tenant), [["Ţepeş & fiii", "Iaşi"]]);
});

test("a few bad bytes cost their rows, and not the letters of the others", async () => {
  const { tenant, member } = await person();
  const file = Buffer.concat([Buffer.from(TEXT), Buffer.from("Trunchiat \xc8;x\r\n", "latin1")]);
  const path = await checked(member, file);
  const page = await member.get(path);
  assert.match(page.text, /<summary>Read as: Semicolons, UTF-8 /);
  assert.match(page.text, /The row is not valid UTF-8\./);
  await startedPage(member, path);
  assert.deepEqual(await names(tenant), FOUND);
});

test("after another encoding is chosen, the kind and the columns are guessed anew", async () => {
  const { tenant, member } = await person();
  const file = Buffer.from("Denumire;CUI;Ora\xad\r\n\xdd\xc7r\xc7neasc\xc7 SRL;RO18547290;Timi\xadoara\r\n", "latin1");
  const answer = await member.upload("/imports", {}, { "file.csv": file });
  const path = String(answer.location);
  assert.match((await member.get(path)).text, /<summary>Read as: Semicolons, CP852 \(DOS\) · /);
  await member.post(`${path}/reading`, { delimiter: "semicolon", encoding: "iso-8859-2" });
  assert.match((await member.get(path)).text, /ÝÇrÇneascÇ/);
  await member.post(`${path}/reading`, { delimiter: "semicolon", encoding: "cp852" });
  const page = await member.get(path);
  assert.match(page.text, /<option value="companies" selected>/);
  assert.match(page.text, /id="column\.2".*?<option value="city" selected>/s);
  await member.post(`${path}/reading`, {
    delimiter: "semicolon",
    encoding: "cp852",
    "column.0": "name",
    "column.1": "tax_id",
    "column.2": "city",
  });
  await settledPage(member, path);
  await startedPage(member, path);
  assert.deepEqual(await names(tenant), [["ŢÇrÇneascÇ SRL".replaceAll("Ç", "ă"), "Timişoara"]]);
});

test("a way of reading in which the header means nothing is refused, and the import stays as it was", async () => {
  const { member } = await person();
  const path = await checked(member, TEXT);
  const answer = await member.post(`${path}/reading`, { delimiter: "comma", encoding: "utf-8" });
  assert.equal(answer.status, 422);
  assert.match(answer.text, /No column matched name\. Choose one\./);
  assert.match(answer.text, /<option value="comma" selected>/);
  assert.match((await member.get(path)).text, /<summary>Read as: Semicolons, UTF-8 · /);
  await startedPage(member, path);
  const late = await member.post(`${path}/reading`, { delimiter: "comma", encoding: "utf-8" });
  assert.equal(late.location, path);
  assert.match((await member.get(path)).text, /<dd>Semicolons, UTF-8<\/dd>/);
});

test("a person's choice of how a file is read is used", async () => {
  const { tenant, member } = await person();
  const path = await checked(member, "name,city;x;y;z\nA,B\n", { delimiter: "comma", encoding: "windows-1250" });
  assert.match((await member.get(path)).text, /<summary>Read as: Commas, Windows-1250 \(Central European\) · /);
  await startedPage(member, path);
  assert.deepEqual(await names(tenant), [["A", null]]);
});

test("the refused rows of a file of any form come back in UTF-8 with commas, and are imported as they are once mended", async () => {
  const { tenant, member } = await person();
  const path = await checked(member, Buffer.from("\ufeffname;status\nȚ, A;nonsense\n", "utf16le"));
  const { text } = await member.get(`${path}/rejected.csv`);
  assert.match(text, /^name,status,skipped_line,skipped_because\r\n"Ț, A",nonsense,2,/);
  await startedPage(member, await checked(member, text.replace("nonsense", "active")));
  assert.deepEqual(await names(tenant), [["Ț, A", null]]);
});

test("an empty cell leaves its field as it is, in each row, in the check as in the import", async () => {
  const { tenant, member } = await person();
  await tenant.post("/api/v1/companies", { name: "Old", tax_id: "RO1", phone: "+40 1", email: "a@example.com" });
  await tenant.post("/api/v1/companies", { name: "Other", tax_id: "RO2", phone: "+40 2", city: "Iași" });
  const csv = [
    "name,tax_id,phone,email,city",
    ",RO1,,,Cluj",
    "New,RO2,,b@example.com,",
    ",RO2,+40 9,,",
    ",RO2,,,",
    "Third,RO3,,,",
    ",RO3,,,Arad",
    ",RO4,,,Arad",
  ].join("\n");
  const path = await checked(member, csv);
  // Rows that mean the same record are skipped but the first.
  const said = { Created: 1, Changed: 2, Unchanged: 0, Skipped: 4 };
  assert.deepEqual(figuresOf(await member.get(path)), said);
  assert.deepEqual(figuresOf(await startedPage(member, path)), said);
  const found = (await companies(tenant)).map(({ name, phone, email, city }) => [name, phone, email, city]);
  assert.deepEqual(found, [
    ["Old", "+40 1", "a@example.com", "Cluj"],
    ["New", "+40 2", "b@example.com", "Iași"],
    ["Third", null, null, null],
  ]);
  await member.post(`${path}/undo`);
  await settledPage(member, path);
  const back = (await companies(tenant)).map(({ name, phone, email, city }) => [name, phone, email, city]);
  assert.deepEqual(back, [
    ["Old", "+40 1", "a@example.com", null],
    ["Other", "+40 2", null, "Iași"],
  ]);
});

test("an empty cell empties its field where that is asked for, and the page says so", async () => {
  const { tenant, member } = await person();
  await tenant.post("/api/v1/companies", { name: "Old", tax_id: "RO1", email: "a@example.com" });
  const csv = "name,tax_id,email\nOld,RO1,\n";
  const path = await checked(member, csv);
  assert.match((await member.get(path)).text, /This import would change nothing/);
  await member.post(`${path}/reading`, { clears_empty: "1" });
  const page = await settledPage(member, path);
  assert.match(page.text, /<summary>Read as: Commas, UTF-8, empty cells clear · /);
  await startedPage(member, path);
  assert.equal((await companies(tenant))[0]?.email, null);
});

test("a contact without a company in its row is refused, and an invoice that is there keeps its own", async () => {
  const { tenant, member } = await person();
  const { id } = (await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO1" })).body.data;
  await tenant.post(`/api/v1/companies/${id}/invoices`, { number: "F1", total: "1.00" });
  const path = await checked(member, "number;company_tax_id;total\nF1;;2.00\nF2;;3.00\nF3;RO1;\n", {
    kind: "invoices",
  });
  const page = await startedPage(member, path);
  assert.deepEqual(figuresOf(page), { Created: 1, Changed: 1, Unchanged: 0, Skipped: 1 });
  const rows = await server.sql("select number, company_id, total from invoices where tenant_id = $1 order by number", [
    tenant.id,
  ]);
  assert.deepEqual(
    rows.map(({ number, company_id, total }) => [number, Number(company_id), total]),
    [
      ["F1", id, "2.00"],
      ["F3", id, null],
    ],
  );
});

test("each row that would change is shown before and after, field by field, in the page's language", async () => {
  const { tenant, member } = await person();
  const old = { name: "Old <b>", tax_id: "RO1", phone: "+40 722 000 111", employee_count: 1_200, status: "active" };
  const { id } = (await tenant.post("/api/v1/companies", { ...old, callback_date: "2026-12-01" })).body.data;
  await tenant.post("/api/v1/companies", { name: "Same", tax_id: "RO2" });
  const csv = [
    "name,tax_id,phone,employee_count,callback_date,status",
    "New <i>,RO1,+40 722 000 222,1500,,active",
    "Same,RO2,,,,",
    "Third,RO3,,,,",
    "Third again,RO3,,,,",
    "No such,RO9,,,,nonsense",
  ].join("\n");
  const path = await checked(member, csv, { clears_empty: "1" });
  await settledPage(member, path);
  const page = await settledPage(member, `${path}?rows=change`, "ro");
  const [, changes = ""] = /<ul class="changed-rows" id="changes">(.*?)<section/s.exec(page.text) ?? [];
  assert.deepEqual(lines(changes), [
    `New <i> Denumire: Old <b> → New <i>`,
    "Telefon: +40 722 000 111 → +40 722 000 222",
    "Angajați: 1.200 → 1.500",
    "De sunat: 1 dec. 2026 → — (golit)",
  ]);
  assert.match(changes, new RegExp(`<a href="/companies/${id}">New &lt;i&gt;</a>`));
  assert.doesNotMatch(changes, /RO9|Same/);
  const english = await settledPage(member, `${path}?rows=change`);
  assert.match(english.text, /Employees<\/span>: <span class="before">1,200<\/span> → 1,500/);
  for (const { content } of await server.sql("select content from import_changes where tenant_id = $1", [tenant.id])) {
    assert.doesNotMatch(String(content), /722 ?000/);
  }
  assert.doesNotMatch((await startedPage(member, path)).text, /id="changes"/);
});

/** The items of a list of changed rows as people read them. */
function lines(text: string): string[] {
  const plain = text
    .replaceAll(/<li>|<\/li>|<\/?ul[^>]*>/g, "\n")
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">");
  const found = plain.split("\n").filter((line) => line.trim() !== "");
  const rows: string[] = [];
  for (const line of found) {
    const isTitle = !line.includes("→");
    if (isTitle) rows.push(line);
    else if (rows.at(-1)?.includes("→") === false) rows.push(`${rows.pop() ?? ""} ${line}`);
    else rows.push(line);
  }
  return rows;
}

test("many changed rows come page by page, and those of an invoice's lines by their positions", async () => {
  const { tenant, member } = await person();
  const { id } = (await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO0" })).body.data;
  const invoice = { number: "F1", lines: [{ description: "Box", quantity: "1", unit_price: "2.50" }] };
  await tenant.post(`/api/v1/companies/${id}/invoices`, invoice);
  const many = Array.from({ length: 60 }, (_, at) => `Company ${at},T${at},`);
  await startedPage(member, await checked(member, ["name,tax_id,city", ...many].join("\n")));
  const again = many.map((row) => `${row}Cluj`);
  const path = await checked(member, ["name,tax_id,city", ...again].join("\n"));
  const seen: string[] = [];
  for (let next: string | undefined = `${path}?rows=change`; next !== undefined;) {
    const { text }: PageAnswer = await member.get(next);
    seen.push(...[...text.matchAll(/<a href="\/companies\/\d+">([^<]+)<\/a>\s*<ul/g)].map(([, name]) => String(name)));
    next = /href="([^"]*&amp;after=\d+)"/.exec(text)?.[1]?.replace("&amp;", "&");
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 60 }, (_, at) => `Company ${at}`),
  );
  const csv = "invoice_number,position,description,quantity,unit_price\nF1,1,Box,3,\n";
  const text = (await member.get(await checked(member, csv, { kind: "invoice_lines" }))).text;
  assert.match(text, /Line 1, quantity<\/span>: <span class="before">1\.00<\/span> → 3\.00/);
  assert.match((await member.get(`${path}?rows=change&after=nonsense`)).text, /Company 0</);
});

test("a refused row says what the file has, bounded and as text, in words for files and in the page's language", async () => {
  const { member } = await person();
  const long = `${"<i>é".repeat(100)}@`;
  const csv = [
    "name;status;email;phone;assigned_to",
    "A;payed;;;",
    `B;active;${long};;`,
    `C;active;;${"+40 722 000 111".repeat(9)};`,
    "D;active;;;77",
  ].join("\n");
  const path = await checked(member, csv);
  const skipping = { "choice.email": "skip", "choice.phone": "skip", "choice.assigned_to": "skip" };
  await member.post(`${path}/corrections`, skipping);
  const english = await settledPage(member, path);
  const romanian = await settledPage(member, path, "ro");
  const why = ({ text }: PageAnswer) =>
    [...text.matchAll(/<td class="why">(.*?)<\/td>/g)].map(([, message]) => String(message).replaceAll("&lt;", "<"));
  const said = `${"<i>é".repeat(15)}…`.replaceAll(">", "&gt;");
  const values = "Active, Inactive, Prospect, Lost";
  assert.deepEqual(why(english), [
    `Status is one of ${values}; the file has “payed”.`,
    `E-mail must be an e-mail address, such as ana@example.com. E-mail can have at most 255 characters. The file has “${said}”.`,
    "Phone can have at most 30 characters.",
    "Owner is the name, the e-mail address or the number of an active user; the file has “77”.",
  ]);
  assert.match(String(why(romanian)[0]), /^Stare este una dintre valorile .*; în fișier: „payed”\.$/);
  const { text } = await member.get(`${path}/rejected.csv`);
  assert.match(text, /the file has “payed”\./);
  for (const { cells } of await server.sql("select cells from import_rejections")) {
    assert.doesNotMatch(String(cells), /722 ?000/);
  }
  const invoices = await checked(member, "number;company_tax_id;status\nF1;RO404;x\n", { kind: "invoices" });
  assert.match(
    (await member.get(invoices)).text,
    /No company has this fiscal id; the file has “RO404”\. Status is one of Draft, /,
  );
});

test("columns are guessed by names in either language and by values, and a person looks before the check", async () => {
  const { tenant, member } = await person();
  const csv = [
    "NR. REG. COM.;Denumire firmă;C.I.F.;ORAȘ;Mobil;Telefon;x;Data;Denumire",
    "J12/1234/2006;Țepeș SRL;RO18547290;Iași;0722 000 111;0264 555 010;a@tepes.example;azi;x",
    "J12/1235/2006;Brâncuși SRL;RO18547291;Târgu Jiu;0722 000 112;0264 555 011;b@b.example;ieri;y",
  ].join("\n");
  const path = await checked(member, csv);
  const page = await member.get(path, { "accept-language": "ro" });
  assert.match(page.text, /Coloane de ales/);
  assert.doesNotMatch(page.text, /\/start"|apare de două ori/);
  const fields = ["registration_number", "name", "tax_id", "city", "", "phone", "email", "", ""];
  assert.deepEqual(columnsOf(page), fields);
  const marks = [...page.text.matchAll(/✓ propus/g)].length;
  assert.equal(marks, fields.filter((field) => field !== "").length);
  assert.match(page.text, /<td class="values">J12\/1234\/2006 · J12\/1235\/2006<\/td>/);
  assert.match(page.text, /<option value="registration_number" selected>Nr\. Reg\. Com\.<\/option>/);
  const columns = Object.fromEntries(fields.map((field, index) => [`column.${index}`, field]));
  const reading = { delimiter: "semicolon", encoding: "utf-8" };
  const wrong = await member.post(`${path}/reading`, { ...reading, ...columns, "column.1": "", "column.2": "" });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /<a href="#column\.0">No column matched name\. Choose one\.<\/a>/);
  const twice = await member.post(`${path}/reading`, { ...reading, ...columns, "column.8": "name" });
  assert.match(twice.text, /Two columns are the name\. Choose one of them\./);
  // Without its city: what a person leaves out is remembered as well.
  assert.equal((await member.post(`${path}/reading`, { ...reading, ...columns, "column.3": "" })).location, path);
  await settledPage(member, path);
  assert.equal(figuresOf(await startedPage(member, path)).Created, 2);
  assert.deepEqual(await names(tenant), [
    ["Țepeș SRL", null],
    ["Brâncuși SRL", null],
  ]);

  const next = await checked(member, "C.I.F.;ORAȘ;Denumire firmă;+40 722 000 111\nRO2;Cluj;B;y\n");
  assert.deepEqual(columnsOf(await member.get(next)), ["tax_id", "", "name", ""]);
  await member.post(`${next}/reading`, { "column.0": "tax_id", "column.1": "", "column.2": "name", "column.3": "" });
  await settledPage(member, next);
  await startedPage(member, next);
  assert.deepEqual((await names(tenant)).at(-1), ["B", null]);
  const [remembered] = await server.sql("select mapping from import_mappings where tenant_id = $1", [tenant.id]);
  assert.doesNotMatch(String(remembered?.mapping), /722 ?000/);

  const other = await signedIn(server, await server.createTenant());
  assert.match((await other.get(await checked(other, "CUI;Denumire\nRO2;B\n"))).text, /Columns to choose/);
  assert.equal((await other.post(`${path}/reading`, reading)).status, 404);
});

/** The field of each column, as a page shows it. */
function columnsOf({ text }: PageAnswer): string[] {
  return [...text.matchAll(/<select id="column\.\d+".*?<\/select>/gs)].map(
    ([select]) => /<option value="([^"]*)" selected>/.exec(select)?.[1] ?? "",
  );
}

test("a title above the header and a total below the rows are no rows, and another header can be chosen", async () => {
  const { tenant, member } = await person();
  const csv =
    "Lista clienților;;\n;;\nDenumire;CUI;Localitate\nA SRL;RO11;Iași\n;;\nTotal Soft SRL;RO12;Cluj\nTOTAL:;2;\n";
  const path = await checked(member, csv);
  const { text } = await member.get(path);
  assert.match(text, /column names in row 3/);
  const columns = { "column.0": "name", "column.1": "tax_id", "column.2": "city" };
  await member.post(`${path}/reading`, columns);
  const page = await settledPage(member, path);
  assert.match(
    page.text,
    /<td class="line" data-label="Row">7<\/td>\s*<td class="why">The row looks like a total of the rows above it\.</,
  );
  assert.match(page.text, /Import 2 companies</);
  const moved = await member.post(`${path}/reading`, { header_line: "4" });
  assert.equal(moved.status, 422);
  assert.match(moved.text, /<label for="column\.0">A SRL</);
  await startedPage(member, path);
  assert.deepEqual(await names(tenant), [
    ["A SRL", "Iași"],
    ["Total Soft SRL", "Cluj"],
  ]);
});

test("words of the pages are values, and others are mapped once for all files", async () => {
  const { tenant, member } = await person();
  const csv = "name,status\nA,Activ\nB,PROSPECT\nC,Lost\nD,Potențială\nE,Client\nF,client\nG,necunoscut\n";
  const path = await checked(member, csv);
  const page = await member.get(path);
  assert.equal(figuresOf(page).Skipped, 3);
  assert.match(page.text, /Status: “Client”<\/label><\/td>\s*<td class="number" data-label="Rows">2</);
  const words = { "word.status.client": "active", "word.status.necunoscut": "-" };
  assert.equal((await member.post(`${path}/corrections`, words)).location, path);
  assert.equal(figuresOf(await settledPage(member, path)).Skipped, 0);
  await startedPage(member, path);
  const found = (await companies(tenant)).map(({ name, status }) => [name, status]);
  const expected = ["active", "prospect", "churned", "prospect", "active", "active", "prospect"];
  assert.deepEqual(
    found,
    expected.map((status, index) => ["ABCDEFG"[index], status]),
  );
  const next = await checked(member, "name,status\nH,CLIENT\n");
  assert.match((await member.get(next)).text, /Import 1 company</);
  await member.post(`${next}/corrections`, { "word.status.client": "" });
  assert.match((await settledPage(member, next)).text, /Nothing to import/);
});

test("cells of skipped rows are corrected in place and checked again", async () => {
  const { tenant, member } = await person();
  const csv = 'name,tax_id,email,phone\nA,RO1,nobody,+40 722 000 111\n,RO2,b@example.com,\ntoo,few1,,,more\n"C,RO3,,\n';
  const path = await checked(member, csv);
  await member.post(`${path}/corrections`, { "choice.email": "skip" });
  const page = await settledPage(member, path);
  assert.match(
    page.text,
    /<input name="cell\.2\.2" value="nobody">.*Name: A · Fiscal id: RO1 · Phone: \+40 722 000 111/s,
  );
  assert.doesNotMatch(page.text, /name="cell\.2\.0"|name="cell\.5\./);
  const cells = { "cell.2.2": "a@example.com", "cell.3.0": "B", "cell.4.1": "RO4", "cell.4.2": "", "cell.4.3": "" };
  assert.equal((await member.post(`${path}/corrections`, { ...cells, "cell.99.0": "x" })).location, path);
  const again = await settledPage(member, path);
  assert.match(again.text, /Import 3 companies</);
  assert.equal(figuresOf(again).Skipped, 1);
  for (const { content } of await server.sql("select content from import_chunks where tenant_id = $1", [tenant.id])) {
    assert.doesNotMatch(String(content), /722 000|example/);
  }
  await startedPage(member, path);
  const found = (await companies(tenant)).map(({ name, tax_id, email }) => [name, tax_id, email]);
  assert.deepEqual(found, [
    ["A", "RO1", "a@example.com"],
    ["B", "RO2", "b@example.com"],
    ["too", "RO4", null],
  ]);
  assert.equal((await member.post(`${path}/corrections`, { "cell.5.0": "D" })).location, path);
  assert.equal((await companies(tenant)).length, 3);
});

test("whatever a column is called, it is text, and it can be mapped", async () => {
  const { tenant, member } = await person();
  for (const [index, name] of ["__proto__", "constructor", "<script>alert(1)</script>", '"', ""].entries()) {
    const path = await checked(member, `"${name.replaceAll('"', '""')}",x\nA${index},B\n`);
    const page = await member.get(path);
    assert.equal(page.status, 200);
    assert.doesNotMatch(page.text, /<script>alert/);
    await member.post(`${path}/reading`, { delimiter: "comma", encoding: "utf-8", "column.0": "name" });
    await settledPage(member, path);
    await startedPage(member, path);
    assert.equal((await companies(tenant)).at(-1)?.name, `A${index}`);
  }
});

test("a file that does not decrypt any more says so wherever somebody looks for it, and can be cancelled", async () => {
  const { tenant, member } = await person();
  const path = await checked(member, "name,status\nA,active\nB,nonsense\n");
  await server.sql("update import_chunks set content = 'gone:' || content where tenant_id = $1", [tenant.id]);
  const page = await member.get(path);
  assert.equal(page.status, 200);
  assert.match(page.text, /The stored file can no longer be read\. Please upload it again\./);
  assert.equal((await member.post(`${path}/reading`, { encoding: "utf-8", delimiter: "comma" })).location, path);
  const refused = await member.get(`${path}/rejected.csv`);
  assert.deepEqual([refused.status, refused.headers.get("content-disposition")], [409, null]);
  assert.match(refused.text, /The stored file can no longer be read\./);
  assert.equal((await member.post(`${path}/cancel`)).location, path);
  assert.equal((await member.get(path)).status, 200);
});

test("a cancelled import keeps nothing of what it would have changed", async () => {
  const { tenant, member } = await person();
  await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO1", city: "Turda" });
  const path = await checked(member, "name,tax_id,city\nA,RO1,Dej\n");
  const kept = async () => await server.sql("select from import_changes where tenant_id = $1", [tenant.id]);
  assert.equal((await kept()).length, 1);
  await member.post(`${path}/cancel`);
  assert.deepEqual(await kept(), []);
});
