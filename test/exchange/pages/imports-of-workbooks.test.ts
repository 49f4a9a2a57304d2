import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn, type Member } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { runWorker } from "../../running-worker.ts";
import { workbook, zip, type Cell } from "../imports/workbooks.ts";
import { settled } from "./settled-import.ts";

const server = await startServer();
runWorker(server);

async function upload(member: Member, file: Buffer) {
  return await member.upload("/imports", { kind: "companies" }, { "firme.xlsx": new Uint8Array(file) });
}

const partsOf = async (tenant: { id: string }) =>
  await server.sql("select part, count(*)::int from import_chunks where tenant_id = $1 group by part order by part", [
    tenant.id,
  ]);

test("the first visible sheet is read, another one can be chosen, and one that is empty leaves the import as it was", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const file = workbook([
    { name: "Ascunsă", rows: [["name"], ["Hidden"]], isHidden: true },
    {
      name: "Furnizori",
      rows: [
        ["name", "tax_id"],
        ["Furnizor SRL", "RO1"],
      ],
    },
    {
      name: "Clienți",
      rows: [["Lista"], [], ["name", "status"], ["Client\nSRL", "nonsense"], ["Altul SRL", "active"]],
    },
    { name: "Goală", rows: [] },
  ]);
  const path = String((await upload(member, file)).location);
  const first = await settled(member, path);
  assert.match(first, /Import 1 company</);
  assert.match(first, /<option value="1" selected>Furnizori<\/option>/);
  const empty = await member.post(`${path}/reading`, { sheet: "3" });
  assert.equal(empty.status, 422);
  assert.match(empty.text, /The sheet is empty\./);
  assert.match(await settled(member, path), /Sheet “Furnizori”/);
  assert.equal((await member.post(`${path}/reading`, { sheet: "2" })).location, path);
  const other = await settled(member, path);
  assert.match(other, /Sheet “Clienți”, column names in row 3/);
  // A line is the number of the row in the sheet.
  assert.match(other, /data-label="Row">4<\/td>\s*<td class="why">Status is one of/);
  const { text } = await member.get(`${path}/rejected.csv`);
  assert.match(text, /^name,status,skipped_line,skipped_because\r\n"Client\nSRL",nonsense,4,/);
  assert.deepEqual(
    (await partsOf(tenant)).map(({ part }) => part),
    ["alike", "listed", "notes", "rows", "skipped", "workbook"],
  );
  await member.post(`${path}/start`);
  await settled(member, path);
  const { data } = (await tenant.get("/api/v1/companies")).body;
  assert.deepEqual(
    data.map(({ name }: { name: string }) => name),
    ["Altul SRL"],
  );
  const [{ bytes } = { bytes: 0 }] = await server.sql(
    "select stored_bytes as bytes from imports where tenant_id = $1",
    [tenant.id],
  );
  assert.equal(Number(bytes), 2 * 65_536);
});

test("a sheet that cannot be imported leaves the rows, the corrections and the room of the one before", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const one = [
    ["Denumire", "Stare"],
    ["Alfa SRL", "activ"],
    ["Beta SRL", "cine știe"],
  ];
  const two = [
    ["Marca", "Buget"],
    ["Cluj BAD", "12"],
    ["Iași BAD", "13"],
  ];
  const file = workbook([
    { name: "One", rows: one },
    { name: "Two", rows: two },
  ]);
  const path = String((await upload(member, file)).location);
  await settled(member, path);
  await member.post(`${path}/reading`, { "column.0": "name", "column.1": "status" });
  await settled(member, path);
  await member.post(`${path}/corrections`, { "cell.3.1": "activ" });
  assert.match(await settled(member, path), /Import 2 companies</);
  const before = await partsOf(tenant);
  assert.equal((await member.post(`${path}/reading`, { sheet: "1" })).status, 422);
  const after = await settled(member, path);
  assert.match(after, /Sheet “One”/);
  assert.match(after, /Import 2 companies</);
  assert.deepEqual(await partsOf(tenant), before);
  const [{ bytes } = { bytes: 0 }] = await server.sql(
    "select stored_bytes as bytes from imports where tenant_id = $1",
    [tenant.id],
  );
  assert.equal(Number(bytes), 2 * 65_536);
  await member.post(`${path}/start`);
  await settled(member, path);
  const { data } = (await tenant.get("/api/v1/companies")).body;
  assert.deepEqual(
    data.map(({ name, status }: { name: string; status: string }) => [name, status]),
    [
      ["Alfa SRL", "active"],
      ["Beta SRL", "active"],
    ],
  );
});

test("of a workbook with a cover sheet, the first sheet with a table is proposed", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const cover = [
    ["Raport de vânzări"],
    [],
    ["Întocmit de", "Maria Ionescu"],
    ["Data", "12.11.2026"],
    ["Firma", "Acme"],
  ];
  const rows = [
    ["Denumire", "CUI", "Oraș"],
    ["A SRL", "RO1", "Cluj"],
  ];
  const sheets = [
    { name: "Copertă", rows: cover },
    { name: "Goală", rows: [] },
    { name: "Clienți", rows },
    { name: "Furnizori", rows },
  ];
  const page = await settled(member, String((await upload(member, workbook(sheets))).location));
  assert.match(page, /<option value="2" selected>Clienți<\/option>/);
  const alone = workbook([{ name: "Denumiri", rows: [["Denumire"], ["A SRL"]] }, ...sheets.slice(0, 1)]);
  const other = await settled(member, String((await upload(member, alone)).location));
  assert.match(other, /<option value="0" selected>Denumiri<\/option>/);
});

test("columns below a title of one cell are guessed, and found again when another sheet is chosen", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const rows = [["Lista clienților"], [], ["Denumire", "CUI", "Oraș"], ["A SRL", "RO1", "Cluj"]];
  const file = workbook([
    { name: "A", rows },
    { name: "B", rows: [["Furnizori"], ...rows] },
  ]);
  const path = String((await upload(member, file)).location);
  const guessed = (text: string) =>
    [...text.matchAll(/<select id="column.*?<option value="([^"]*)" selected>/gs)].map(([, field]) => field);
  const fields = ["name", "tax_id", "city"];
  assert.deepEqual(guessed((await member.get(path)).text), fields);
  assert.equal((await member.post(`${path}/reading`, { sheet: "1", header_line: "3" })).location, path);
  const { text } = await member.get(path);
  assert.match(text, /Sheet “B”, column names in row 4/);
  assert.deepEqual(guessed(text), fields);
});

test("a workbook that cannot be read is refused with a sentence at its field, and nothing of it is kept", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  for (const [file, why] of [
    [workbook([{ name: "A", rows: [["name"], ["x"]] }], { "xl/vbaProject.bin": "x" }), "The workbook has macros."],
    [Buffer.from("d0cf11e0a1b11ae1".padEnd(2_000, "0"), "hex"), "The workbook has a password, or is of the old format"],
    [zip({ "a.txt": "x" }), "The workbook is damaged, or is none."],
    [workbook([{ name: "A", rows: [] }]), "The sheet is empty."],
  ] as const) {
    const answer = await upload(member, file);
    assert.equal(answer.status, 422, why);
    assert.match(answer.text, new RegExp(`<p class="error" id="file-error">${why}`));
  }
  assert.deepEqual(await partsOf(tenant), []);
  assert.deepEqual(await server.sql("select id from imports where tenant_id = $1", [tenant.id]), []);
});

test("the check says what a sheet hides and does not know, and hidden rows can be left out", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  await tenant.post("/api/v1/companies", { name: "Old", tax_id: "RO1", phone: "+40 1", city: "Cluj" });
  const rows: Cell[][] = [
    ["name", "tax_id", "phone", "city"],
    ["Old", "RO1", { error: "#N/A" }, { error: "#DIV/0!" }],
    ["Hidden", "RO2", { format: "0000\\ 000\\ 000", value: 722_000_111 }, null],
    ["Seen_x000D_", { format: '"RO"0', value: 18_547_290 }, { formula: "A1", value: null }, "#REF!"],
  ];
  const path = String((await upload(member, workbook([{ name: "A", rows, hidden: [3] }]))).location);
  const checked = await settled(member, path);
  for (const said of [
    "1 row is hidden in the sheet.",
    "1 formula has no stored value, so its cell counts as empty.",
    "3 cells have a spreadsheet error, such as #N/A.",
  ]) {
    assert.ok(checked.includes(said), said);
  }
  assert.match(checked, /Import 2 companies</);
  assert.equal((await member.post(`${path}/reading`, { hidden_rows: "leave" })).location, path);
  const left = await settled(member, path);
  assert.match(left, /1 hidden row is left out\./);
  assert.match(left, /Import 1 company</);
  await member.post(`${path}/reading`, { hidden_rows: "import" });
  await settled(member, path);
  await member.post(`${path}/start`);
  await settled(member, path);
  const { data } = (await tenant.get("/api/v1/companies")).body;
  assert.deepEqual(
    data.map(({ name, tax_id, phone, city }: Record<string, unknown>) => [name, tax_id, phone, city]),
    [
      ["Old", "RO1", "+40 1", "Cluj"],
      ["Hidden", "RO2", "0722 000 111", null],
      ["Seen", "RO18547290", null, null],
    ],
  );
});

test("a file of another format is refused with the name of the format", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  for (const [file, why] of [
    ["<html><body><table><tr><th>name</th></tr></table></body></html>", "The file is an HTML page"],
    ['<?xml version="1.0"?><Workbook></Workbook>', "The file is an XML file"],
    ['[{"name":"A"}]', "The file is a file of the format JSON"],
    ["BEGIN:VCARD\r\nFN:A\r\nEND:VCARD\r\n", "The file is a list of vCards"],
    ["MIME-Version: 1.0\r\nContent-Type: multipart/related\r\n\r\n", "The file is an HTML page"],
    [
      zip({ mimetype: "application/vnd.oasis.opendocument.spreadsheet", "content.xml": "<x/>" }),
      "The file is an OpenD",
    ],
    [zip({ "xl/workbook.bin": "x" }), "The file is a binary workbook"],
    [zip({ "Index/Document.iwa": "x" }), "The file is a Numbers document"],
  ] as const) {
    const answer = await upload(member, Buffer.from(file));
    assert.equal(answer.status, 422, why);
    assert.ok(answer.text.includes(`<p class="error" id="file-error">${why}`), why);
  }
});

/** The parts of a workbook under other names that its relationships give. */
const parts = (names: Record<"root" | "sheet" | "texts" | "styles", string>) => {
  const type = (name: string) => `http://schemas.openxmlformats.org/officeDocument/2006/relationships/${name}`;
  const folder = names.root.slice(0, names.root.lastIndexOf("/") + 1);
  return zip({
    "_rels/.rels": `<Relationships><Relationship Id="a" Type="${type("officeDocument")}" Target="/${names.root}"/></Relationships>`,
    [names.root]: '<workbook xmlns:r="r"><sheets><sheet name="A" sheetId="1" r:id="s"/></sheets></workbook>',
    [`${folder}_rels/${names.root.slice(folder.length)}.rels`]: `<Relationships><Relationship Id="s" Type="${type("worksheet")}" Target="${names.sheet}"/><Relationship Id="t" Type="${type("sharedStrings")}" Target="${names.texts}"/><Relationship Id="y" Type="${type("styles")}" Target="${names.styles}"/></Relationships>`,
    "data/one.xml": Buffer.from(
      '\ufeff<worksheet><sheetData><row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row><row><c t="s"><v>2</v></c><c s="0"><v>46357</v></c></row></sheetData></worksheet>',
      "utf16le",
    ),
    "data/texts.xml": "<sst><si><t>name</t></si><si><t>callback_date</t></si><si><t>A</t></si></sst>",
    "data/look.xml": '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>',
  });
};

test("the parts of a workbook are found by their relationships, whatever they are called", async () => {
  for (const [root, up] of [
    ["xl/workbook2.xml", "../data/"],
    ["book.xml", "./data/"],
    ["a/b/w.xml", "/data/"],
    ["a/b/w.xml", "..\\..\\data\\"],
  ] as const) {
    const tenant = await server.createTenant();
    const member = await signedIn(server, tenant);
    const file = parts({ root, sheet: `${up}one.xml`, texts: `${up}texts.xml`, styles: `${up}look.xml` });
    const path = String((await upload(member, file)).location);
    await settled(member, path);
    await member.post(`${path}/start`);
    await settled(member, path);
    const [company] = (await tenant.get("/api/v1/companies")).body.data;
    assert.deepEqual([company?.name, company?.callback_date], ["A", "2026-12-01"], root);
  }
});
