import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn, type Form, type Member } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { runWorker } from "../../running-worker.ts";
import { settled } from "./settled-import.ts";

const server = await startServer();
runWorker(server);

/** A checked import of a kind, with the words of its page. */
async function checked(kind: string, csv: string): Promise<{ tenant: TestTenant; member: Member; path: string }> {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  await tenant.post("/api/v1/companies", { name: "Parent SRL", tax_id: "RO900" });
  const answer = await member.upload("/imports", { kind }, { "file.csv": Buffer.from(csv) });
  const path = String(answer.location);
  const columns = [...(await settled(member, path)).matchAll(/<select id="(column\.\d+)".*?<\/select>/gs)];
  const form: Form = Object.fromEntries(
    columns.map(([select, name = ""]) => [name, /<option value="([^"]*)" selected>/.exec(select)?.[1] ?? ""]),
  );
  await member.post(`${path}/reading`, form);
  await settled(member, path);
  return { tenant, member, path };
}

async function start(member: Member, path: string): Promise<void> {
  await member.post(`${path}/start`);
  await settled(member, path);
}

/** The names of the imported companies or contacts. */
async function names({ tenant, member, path }: Awaited<ReturnType<typeof checked>>, kind: string): Promise<string[]> {
  await start(member, path);
  const { data } = (await tenant.get(`/api/v1/${kind}?per_page=200`)).body;
  const said = data.map(({ name, first_name, last_name }: Record<string, string>) =>
    name === undefined ? `${first_name}|${last_name}` : name,
  );
  return said.filter((name: string) => name !== "Parent SRL").toSorted();
}

test("a text that was garbled twice is stored as it was written, in names of columns too", async () => {
  const garbled = (text: string, encoding: string) => new TextDecoder(encoding).decode(Buffer.from(text));
  const csv = "Denumire;Oraș\nPoiană „Mică” SRL;Târgu Mureș\nȚesătura ÎNĂLȚATĂ SA;Győr\n";
  for (const [first, second] of [
    ["windows-1252", "windows-1252"],
    ["windows-1250", "windows-1252"],
    ["latin1", "windows-1250"],
  ] as const) {
    const one = first === "latin1" ? Buffer.from(csv).toString("latin1") : garbled(csv, first);
    const found = await checked("companies", garbled(one, second));
    assert.deepEqual(await names(found, "companies"), ["Poiană „Mică” SRL", "Țesătura ÎNĂLȚATĂ SA"]);
    const { data } = (await found.tenant.get("/api/v1/companies?search=Poiană")).body;
    assert.equal(data[0]?.city, "Târgu Mureș");
  }
});

test("a cell with the names of several persons is no name of one, and a remark behind a name is no given name", async () => {
  const found = await checked(
    "contacts",
    `Nume complet;CUI firmă
Ion Pop / Ana Pop;RO900
Ion Pop și Ana Pop;RO900
"Ion Pop, Ana Pop";RO900
Ion & Ana Pop;RO900
Ana Dan - Ion Dan;RO900
Ion Pop 0722 000 111;RO900
"Ion Marin, director";RO900
Eva Pop - contabil;RO900
Ion Radu ing.;RO900
"García Márquez, Gabriel";RO900
"Lungu, Ioana Maria";RO900
`,
  );
  const text = await settled(found.member, `${found.path}?rows=skip`);
  const lines = [
    ...text.matchAll(/data-label="Row">(\d+)<\/td>\s*<td class="why">This is not the name of one person/g),
  ];
  assert.deepEqual(
    lines.map(([, line]) => Number(line)),
    [2, 3, 4, 5, 6, 7],
  );
  assert.deepEqual(await names(found, "contacts"), [
    "Eva|Pop - contabil",
    "Gabriel|García Márquez",
    "Ioana Maria|Lungu",
    "Ion|Marin, director",
    "Ion|Radu ing.",
  ]);
  const apart = await checked("contacts", "Prenume;Nume;CUI firmă\nIon / Ana;Pop;RO900\nAna Maria;Pop / Dan;RO900\n");
  assert.deepEqual(await names(apart, "contacts"), ["Ana Maria|Pop / Dan"]);
});

const BLOCKS =
  "Furnizori;;\nDenumire;CUI;Oraș\nAlfa SRL;RO1;Cluj\nZona de nord;;\nBeta SRL;RO2;Arad\nClienți;;\nGama SRL;;\n";

test("a title between the rows is no company, unless a person says that such rows are", async () => {
  const found = await checked("companies", BLOCKS);
  const { member, path } = found;
  const text = await settled(member, path);
  assert.match(text, /Titles, or companies with a name alone.*?“Zona de nord” \(row 4\) · “Clienți” \(row 6\)/s);
  await member.post(`${path}/corrections`, { "choice.name": "keep" });
  assert.match(await settled(member, path), /Create <b>5<\/b>.*?<option value="keep" selected>/s);
  await member.post(`${path}/corrections`, { "choice.name": "" });
  assert.match(await settled(member, path), /Create <b>3<\/b>/);
  assert.deepEqual(await names(found, "companies"), ["Alfa SRL", "Beta SRL", "Gama SRL"]);
});

test("in a list whose rows are mostly names, only a word for a group is a title", async () => {
  const csv = "Denumire;CUI;Oraș\nFurnizori;;\nHotel Central;;\nMoara Veche;;\nAlfa;;\nBeta SRL;RO2;Arad\n";
  const found = await checked("companies", csv);
  assert.deepEqual(await names(found, "companies"), ["Alfa", "Beta SRL", "Hotel Central", "Moara Veche"]);
});

test("a title of one cell above the header is no header, even if a column could be called so", async () => {
  const found = await checked("companies", "Client;;\nDenumire;X;Y\nAlfa SRL;1;2\n");
  assert.deepEqual(await names(found, "companies"), ["Alfa SRL"]);
});

test("what nobody sees in a cell is not stored, and files that were joined repeat their header", async () => {
  const found = await checked(
    "companies",
    "\ufeffDenumire;CUI;Cod po\u00adștal;Telefon\nAl\u00adfa SRL;RO\u200b18547290;4000\u00ad01;\u202a+40 722 000 111\u202c\n" +
      "\ufeffDenumire;CUI;Cod poștal;Telefon\n\ufeffFamilia \u{1f468}\u200d\u{1f467} SRL;\u200eRO14399840;;\n",
  );
  assert.match(await settled(found.member, `${found.path}?rows=skip`), /The row repeats the names of the columns/);
  assert.deepEqual(await names(found, "companies"), ["Alfa SRL", "Familia \u{1f468}\u200d\u{1f467} SRL"]);
  const { data } = (await found.tenant.get("/api/v1/companies?tax_id=RO18547290")).body;
  const [{ tax_id, postal_code, phone }] = data;
  assert.deepEqual([tax_id, postal_code, phone], ["RO18547290", "400001", "+40 722 000 111"]);
});

test("a file of two columns repeats their names too", async () => {
  const found = await checked("companies", "Denumire;CUI\nAlfa SRL;RO18547290\nDenumire;CUI\nBeta SRL;RO14399840\n");
  assert.match(await settled(found.member, `${found.path}?rows=skip`), /The row repeats the names of the columns/);
  assert.deepEqual(await names(found, "companies"), ["Alfa SRL", "Beta SRL"]);
});

test("decimals that a program added are taken away with a note, and a cell with many phones keeps the first", async () => {
  const found = await checked(
    "companies",
    `Denumire;CUI;Telefon;Cod poștal
Alfa SRL;18547290.0;722000111.0;400001,0
Beta SRL;14399840;0264 555 010 / 0264 555 011 / 0722 000 111;400.001
Gama SRL;;0264 555 010 - secretariat, doamna Popescu;
`,
  );
  const text = await settled(found.member, found.path);
  assert.match(text, /Fiscal id: garbled text is put right.*?“18547290\.0 = 18547290” \(row 2\)/s);
  assert.match(text, /Phone: further ones are left out.*?“0264 555 011” \(row 3\)/s);
  await start(found.member, found.path);
  const { data } = (await found.tenant.get("/api/v1/companies?per_page=9")).body;
  assert.deepEqual(
    data
      .map((row: Record<string, string>) => [row.name, row.tax_id, row.phone, row.postal_code])
      .filter(([name]: string[]) => name !== "Parent SRL")
      .toSorted(),
    [
      ["Alfa SRL", "18547290", "722000111", "400001"],
      ["Beta SRL", "14399840", "0264 555 010", "400.001"],
      ["Gama SRL", null, null, null],
    ],
  );
});

test("amounts without hundredths, as prices are written", async () => {
  const found = await checked(
    "invoices",
    "Număr;Firma;Total;Monedă\nF1;Parent SRL;1.234,-;EUR\nF2;Parent SRL;12,--;EUR\nF3;Parent SRL;-5,—;EUR\nF4;Parent SRL;1.234,-5;EUR\n",
  );
  await start(found.member, found.path);
  const rows = await server.sql("select number, total::int from invoices where tenant_id = $1 order by number", [
    found.tenant.id,
  ]);
  assert.deepEqual(rows, [
    { number: "F1", total: 1234 },
    { number: "F2", total: 12 },
    { number: "F3", total: -5 },
  ]);
});

test("a check knows a company by its name, though rows of one fiscal id are rehearsed behind the others", async () => {
  const found = await checked(
    "companies",
    "Denumire;CUI;Oraș\nAlfa SRL;RO18547290;Cluj\nAlfa S.R.L.;18547290;Dej\nAlfa SRL;;Turda\nBeta SRL;;Turda\n",
  );
  assert.match(await settled(found.member, found.path), /Create <b>2<\/b>.*?Skip <b>2<\/b>/s);
  assert.deepEqual(await names(found, "companies"), ["Alfa SRL", "Beta SRL"]);
});

test("a check names a left out cell, however many fiscal ids are shared", async () => {
  const pairs = Array.from({ length: 701 }, (_, at) => `Unu ${at} SRL;RO1${at};\nDoi ${at} SRL;RO1${at};\n`);
  const { member, path } = await checked("companies", `Denumire;CUI;E-mail\n${pairs.join("")}Trei SRL;RO2;nimic\n`);
  assert.match(await settled(member, path, "ro"), /„nimic” \(rândul 1404\)/);
});
