import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { signedIn, type Member } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { runWorker } from "../../running-worker.ts";
import { workbook, type Cell } from "../imports/workbooks.ts";
import { settled } from "./settled-import.ts";

const server = await startServer();
runWorker(server);

type Uploaded = { tenant: TestTenant; member: Member; path: string };

/** Uploads a file and takes what the page proposes. */
async function uploaded(kind: string, file: Buffer): Promise<Uploaded> {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  await server.sql("update users set language = 'ro' where tenant_id = $1", [tenant.id]);
  await tenant.post("/api/v1/companies", { name: "Parent SRL", tax_id: "RO900" });
  const answer = await member.upload("/imports", { kind }, { "file.xlsx": new Uint8Array(file) });
  assert.equal(answer.status, 303, answer.text);
  const path = String(answer.location);
  const columns = [...(await settled(member, path)).matchAll(/<select id="(column\.\d+)".*?<\/select>/gs)].map(
    ([select, name = ""]) => [name, /<option value="([^"]*)" selected>/.exec(select)?.[1] ?? ""],
  );
  await member.post(`${path}/reading`, Object.fromEntries(columns));
  return { tenant, member, path };
}

async function imported({ member, path }: Uploaded): Promise<void> {
  await settled(member, path);
  await member.post(`${path}/start`);
  await settled(member, path);
}

/** The stored values of a kind's imported rows, in their order. */
async function stored(of: Uploaded, table: string, ...fields: string[]): Promise<unknown[][]> {
  await imported(of);
  const sql = `select to_jsonb(t) as row from ${table} t where tenant_id = $1 order by id`;
  const rows = (await server.sql(sql, [of.tenant.id])).map(({ row }) => row as Record<string, unknown>);
  return rows.filter(({ tax_id: id }) => id !== "RO900").map((row) => fields.map((name) => row[name]));
}

const sheet = (rows: Cell[][], merged: string[] = [], hidden: number[] = []) =>
  workbook([{ name: "A", rows, merged, hidden }]);

test("a cell that is merged over rows is the value of each, and the check says so", async () => {
  const rows = [
    ["Denumire", "CUI", "Contact", null],
    [null, null, "Cod poștal", "Localitate"],
    ["Alfa SRL", "RO11", 10_101, "Cluj"],
    ["Beta SRL", "RO12", null, null],
    [],
    ["Gama SRL", "RO13", null, null],
    ["Delta SRL", "RO14", null, null],
  ];
  const merged = ["A1:A2", "B1:B2", "C1:D1", "C3:C6", "D3:D6"];
  const found = await uploaded("companies", sheet(rows, merged));
  assert.match(
    await settled(found.member, found.path, "ro"),
    /Localitate: la fel ca în celula de deasupra.*?„↕ = Cluj”/s,
  );
  assert.deepEqual(await stored(found, "companies", "name", "tax_id", "postal_code", "city"), [
    ["Alfa SRL", "RO11", "10101", "Cluj"],
    ["Beta SRL", "RO12", "10101", "Cluj"],
    ["Gama SRL", "RO13", "10101", "Cluj"],
    ["Delta SRL", "RO14", null, null],
  ]);
});

test("an amount that is merged over rows belongs to none of the lower ones", async () => {
  const rows = [
    ["Număr", "Firma", "Total", "Moneda"],
    ["F1", "Parent SRL", 300, "EUR"],
    ["F2", null, null, null],
  ];
  const found = await uploaded("invoices", sheet(rows, ["B2:B3", "C2:C3", "D2:D3"]));
  assert.match(await settled(found.member, `${found.path}?rows=skip`, "ro"), /Celula sumei este îmbinată/);
  assert.deepEqual(await stored(found, "invoices", "number", "total"), [["F1", 300]]);
});

test("of a merged cell whose first row is hidden and left out, the lower rows keep nothing", async () => {
  const rows = [
    ["Denumire", "CUI", "Localitate"],
    ["Zero SRL", "RO10", "Arad"],
    ["Alfa SRL", "RO11", "Cluj"],
    ["Beta SRL", "RO12", null],
  ];
  const found = await uploaded("companies", sheet(rows, ["C3:C4"], [3]));
  await settled(found.member, found.path);
  await found.member.post(`${found.path}/reading`, { hidden_rows: "leave" });
  assert.deepEqual(await stored(found, "companies", "name", "city"), [
    ["Zero SRL", "Arad"],
    ["Beta SRL", null],
  ]);
});

const inline = (text: string) => (text === "" ? "<c/>" : `<c t="inlineStr"><is><t>${text}</t></is></c>`);
const row = (...texts: string[]) => `<row>${texts.map(inline).join("")}</row>`;

test("cells without references stay in their columns, also behind empty ones", async () => {
  const xml = `<worksheet><sheetData>${row("Denumire", "CUI", "Telefon", "Localitate")}${row("Alfa SRL", "", "", "Cluj")}</sheetData></worksheet>`;
  const found = await uploaded("companies", workbook([{ name: "A", rows: [] }], { "xl/worksheets/sheet1.xml": xml }));
  assert.deepEqual(await stored(found, "companies", "name", "tax_id", "city"), [["Alfa SRL", null, "Cluj"]]);
});

test("the lower of two header rows names the columns where the upper one groups them", async () => {
  const rows = [
    ["Client", "Client", "Contact", "Contact"],
    ["Denumire", "CUI", "Telefon", "E-mail"],
    ["Alfa SRL", "RO11", "0722", "a@b.example"],
  ];
  const found = await uploaded("companies", sheet(rows));
  assert.deepEqual(await stored(found, "companies", "name", "email"), [["Alfa SRL", "a@b.example"]]);
});

test("a workbook with two parts of one name, and a file that is no list, are refused with what to do", async () => {
  const rows = [["Denumire"], ["Alfa SRL"]];
  const other = "xl/worksheets/sheetX.xml";
  const twice = workbook([{ name: "A", rows }], { [other]: "<worksheet/>" }).toString("latin1");
  const member = await signedIn(server, await server.createTenant());
  for (const [file, why] of [
    [
      Buffer.from(twice.replaceAll(other, "xl/worksheets/sheet1.xml"), "latin1"),
      /The workbook is damaged.*save it as XLSX/,
    ],
    [gzipSync("Denumire;CUI\nAlfa SRL;RO11\n".repeat(99)), /The file is no list: .* save the list as XLSX or CSV/],
    [Buffer.concat([Buffer.from("JUNK"), sheet(rows)]), /The file is no list: /],
  ] as const) {
    const answer = await member.upload("/imports", { kind: "companies" }, { "file.xlsx": new Uint8Array(file) });
    assert.equal(answer.status, 422);
    assert.match(answer.text, why);
  }
});

test("a header whose names have line breaks shows the delimiter", async () => {
  const csv = '"Denumire\nfirmă";"Cod\nfiscal";"Localitate"\r\n"Alfa\nSRL";RO11;Cluj\r\n';
  const found = await uploaded("companies", Buffer.from(csv));
  assert.deepEqual(await stored(found, "companies", "name", "tax_id", "city"), [["Alfa\nSRL", "RO11", "Cluj"]]);
});

test("signs behind amounts and apostrophes between thousands are read", async () => {
  const rows = [
    ["F1", "1.234,50-"],
    ["F3", "1'234.50"],
    ["F4", "5,00- EUR"],
    ["F5", "5,00 - EUR"],
  ].map(([number, total]) => `${number};Parent SRL;${total}`);
  const found = await uploaded("invoices", Buffer.from(["Număr;Firma;Total", ...rows].join("\n")));
  assert.deepEqual(await stored(found, "invoices", "number", "total"), [
    ["F1", -1_234.5],
    ["F3", 1_234.5],
    ["F4", -5],
  ]);
});

test("the check says which columns, and how many cells, a sheet does not show, and people choose", async () => {
  const rows: Cell[][] = [
    ["Denumire", "CUI", "Telefon", "Observații"],
    ["Alfa SRL", "RO11", "0722000111", "rău platnic"],
    ["Beta SRL", "RO12", { format: ";;;", value: 722_000_112 }, null],
  ];
  const found = await uploaded("companies", workbook([{ name: "A", rows, hiddenColumns: [4, 5] }]));
  const page = await settled(found.member, found.path, "ro");
  assert.match(page, /Coloana D este ascunsă în foaie și se importă ca „Observații”/);
  assert.match(page, /1 celulă nu se vede în foaie/);
  assert.match(page, /Observații<\/label> <small>ascunsă în foaie/);
  await found.member.post(`${found.path}/reading`, {
    "column.0": "name",
    "column.1": "tax_id",
    "column.2": "phone",
    "column.3": "",
  });
  assert.doesNotMatch(await settled(found.member, found.path, "ro"), /Coloana D este ascunsă/);
  assert.deepEqual(await stored(found, "companies", "name", "notes"), [
    ["Alfa SRL", null],
    ["Beta SRL", null],
  ]);
});

test("a text that is merged over columns and alone in its row is a title, whatever its name ends with", async () => {
  const rows = [
    ["Denumire", "CUI", "Localitate", "Telefon"],
    ["Clienții firmei Omega Grup SRL"],
    ["Alfa SRL", "RO11", "Cluj"],
    ["Furnizorii firmei Delta SA"],
    [],
    ["Beta SRL"],
  ];
  const found = await uploaded("companies", sheet(rows, ["A2:D2", "A4:D5"]));
  const page = await settled(found.member, `${found.path}?rows=skip`, "ro");
  assert.match(page, /Titluri sau firme care au doar denumire/);
  assert.deepEqual(await stored(found, "companies", "name"), [["Alfa SRL"], ["Beta SRL"]]);
});

test("a backslash makes the delimiter behind it a character where the row fits its header so", async () => {
  const csv = [
    "Denumire;CUI;Adresa;Localitate",
    "Alfa SRL;RO11;Str. Lungă 1\\; ap. 2;Cluj",
    "Beta SRL;RO12;C:\\;Arad",
    "A\\;B\\;C SRL;RO13;;Iași",
  ];
  const found = await uploaded("companies", Buffer.from(csv.join("\n")));
  assert.deepEqual(await stored(found, "companies", "name", "address", "city"), [
    ["Alfa SRL", "Str. Lungă 1; ap. 2", "Cluj"],
    ["Beta SRL", "C:\\", "Arad"],
    ["A;B;C SRL", null, "Iași"],
  ]);
});

test("a column whose name is Hungarian has the family name first", async () => {
  const people = "Név;Cég;E-mail cím\nKovács János;Parent SRL;k@a.example\ndr. Nagy Éva Mária;Parent SRL;n@a.example\n";
  const found = await uploaded("contacts", Buffer.from(people));
  const names = [
    ["János", "Kovács"],
    ["Éva Mária", "dr. Nagy"],
  ];
  assert.deepEqual(await stored(found, "contacts", "first_name", "last_name"), names);
  const companies = "Cégnév;Adószám;Kapcsolattartó\nMinta Kft.;HU11;Kovács János\nPélda Zrt.;HU12;dr. Nagy Éva Mária\n";
  const other = await uploaded("companies", Buffer.from(companies));
  assert.deepEqual(await stored(other, "contacts", "first_name", "last_name"), names);
});

test("in a text field, times, hours and percentages are what their cells show, and 29 February 1900 is no day", async () => {
  const cells: Cell[] = [
    { format: "hh:mm", value: 0.5 },
    { format: "[h]:mm:ss", value: 1.5 },
    { format: "0%", value: 0.19 },
    { format: "0.0%", value: 0.055 },
    { format: "mmmm yyyy", value: 46_357 },
  ];
  const rows = cells.map((cell, at): Cell[] => [`Firma ${at} SRL`, `RO1${at}`, cell, { day: "2026-12-02" }]);
  const day = { format: "dd/mm/yyyy", value: 60 };
  const found = await uploaded(
    "companies",
    sheet([["Denumire", "CUI", "Observații", "De sunat"], ...rows, ["Firma 5 SRL", "RO15", "x", day]]),
  );
  assert.match(
    await settled(found.member, found.path, "ro"),
    /De sunat: valoare nevalidă.*?„1900-02-29” \(rândul 7\)/s,
  );
  assert.deepEqual(await stored(found, "companies", "notes", "callback_date"), [
    ["12:00", "2026-12-02"],
    ["36:00:00", "2026-12-02"],
    ["19%", "2026-12-02"],
    ["5,5%", "2026-12-02"],
    ["2026-12-01", "2026-12-02"],
    ["x", null],
  ]);
});
