import assert from "node:assert/strict";
import { test } from "node:test";
import { inflateRawSync } from "node:zlib";
import { signedIn, type Member } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { runWorker } from "../../running-worker.ts";
import { figuresOf } from "./import-figures.ts";
import { settledPage } from "./settled-import.ts";

const server = await startServer();
runWorker(server);

const LONGEST = 32_767;

async function fileOf(member: Member, path: string, language = "en") {
  const headers = { cookie: [...member.cookies].map(([name, value]) => `${name}=${value}`).join("; ") };
  const answer = await fetch(`${server.url}${path}`, { headers: { ...headers, "accept-language": language } });
  assert.equal(answer.status, 200);
  return { headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

/** The parts of an archive, by its directory. */
function partsOf(bytes: Buffer): Map<string, string> {
  const end = bytes.lastIndexOf(Buffer.from("PK\u0005\u0006", "latin1"));
  const parts = new Map<string, string>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [packed, unpacked, named] = [
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 24),
      bytes.readUInt16LE(at + 28),
    ];
    const [local, name] = [bytes.readUInt32LE(at + 42), bytes.toString("latin1", at + 46, at + 46 + named)];
    const start = local + 30 + bytes.readUInt16LE(local + 26);
    const text = inflateRawSync(bytes.subarray(start, start + packed)).toString();
    assert.equal(Buffer.byteLength(text), unpacked);
    parts.set(name, text);
    at += 46 + named;
  }
  return parts;
}

/** A workspace with a company of odd texts, and all that it can have. */
async function workspace() {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { role: "admin" });
  const company = {
    name: '=A "quoted", <Brașov> & _x000D_',
    tax_id: "0012",
    phone: "+40 722 000 111",
    status_code: -5,
    employee_count: 12,
    callback_date: "2026-12-01",
    notes: " two\nlines \u0001",
    delivery_notes: "x".repeat(LONGEST),
    postal_code: "0400",
  };
  const { id } = (await tenant.post("/api/v1/companies", company)).body.data;
  const path = `/api/v1/companies/${id}`;
  const person = { first_name: "Ana", last_name: "Pop", birth_date: "1885-03-14", is_primary: true };
  assert.equal((await tenant.post(`${path}/contacts`, person)).status, 201);
  assert.equal((await tenant.post(`${path}/addresses`, { address: "Str. 1", type: "delivery" })).status, 201);
  const lines = [
    { sku: "007", description: "1.500", quantity: "1.25", unit_price: "0.123456", vat_rate: "21" },
    { description: "b", quantity: "2", unit_price: "1234567.10" },
  ];
  for (const invoice of [
    { number: "F1", issued_on: "2026-01-31", due_on: "2026-03-01", total: "1234.50", currency: "RON", lines },
    { number: "F2", total: "999999999999999.999999", currency: "RON" },
    { number: "F3", total: "-0.10", currency: "EUR", status: "issued" },
    { number: "F4", total: "5.0", currency: "RON" },
    { number: "F5", total: "12.00", currency: "RON" },
    { number: "F6", total: "1.230", currency: "RON" },
  ]) {
    assert.equal((await tenant.post(`${path}/invoices`, invoice)).status, 201);
  }
  return { tenant, member, id };
}

test("a workbook of a kind is imported again without a change, texts, numbers and days alike", async () => {
  const { tenant, member } = await workspace();
  const before = await server.sql("select max(id)::text from changes where tenant_id = $1", [tenant.id]);
  for (const [kind, rows] of Object.entries({
    companies: 1,
    contacts: 1,
    addresses: 1,
    invoices: 6,
    invoice_lines: 2,
  })) {
    const { headers, bytes } = await fileOf(member, `/export/${kind}.csv?format=xlsx`);
    assert.match(String(headers.get("content-disposition")), new RegExp(`"${kind}\\.xlsx"`));
    assert.match(String(headers.get("content-type")), /spreadsheetml\.sheet$/);
    const { location } = await member.upload("/imports", { kind }, { "a.xlsx": new Uint8Array(bytes) });
    const page = await settledPage(member, String(location));
    assert.deepEqual(figuresOf(page), { Created: 0, Changed: 0, Unchanged: rows, Skipped: 0 }, kind);
  }
  assert.deepEqual(await server.sql("select max(id)::text from changes where tenant_id = $1", [tenant.id]), before);
});

test("a list's workbook has the rows of its CSV, with days and numbers that a spreadsheet can sum", async () => {
  const { member, id } = await workspace();
  const { bytes } = await fileOf(member, "/orders/export?sort=number&format=xlsx", "ro");
  const sheet = partsOf(bytes).get("xl/worksheets/sheet1.xml") ?? "";
  assert.match(sheet, /<row r="1"><c r="A1" s="2" t="inlineStr"><is><t xml:space="preserve">Număr<\/t>/);
  // 31 January and 1 March 2026, as a spreadsheet counts them.
  assert.match(sheet, /s="1"><v>46053<\/v>.*s="1"><v>46082<\/v>.*s="4"><v>1234\.50<\/v>/);
  assert.match(sheet, /<t xml:space="preserve">999999999999999\.999999<\/t>/);
  for (const path of [
    "/companies/export?x=1",
    "/contacts/export?x=1",
    "/money/export?x=1",
    "/sales/export?x=1",
    `/companies/${id}/statement/export?from=2026-01-01`,
  ]) {
    assert.ok(partsOf((await fileOf(member, `${path}&format=xlsx`)).bytes).has("xl/workbook.xml"), path);
  }
  for (const page of [
    "/companies",
    "/contacts",
    "/orders",
    "/money",
    "/sales",
    "/imports",
    `/companies/${id}/statement`,
  ]) {
    assert.match((await member.get(page)).text, /export[^"]*[?&;]format=xlsx"/, page);
  }
});

test("a text that no cell has room for is left out, and a second sheet says so", async () => {
  const { tenant, member } = await workspace();
  await tenant.post("/api/v1/companies", { name: "Long", tax_id: "RO77", notes: "y".repeat(LONGEST + 1) });
  const { bytes } = await fileOf(member, "/export/companies.csv?format=xlsx");
  const parts = partsOf(bytes);
  assert.doesNotMatch(parts.get("xl/worksheets/sheet1.xml") ?? "", /yyy/);
  assert.match(parts.get("xl/worksheets/sheet2.xml") ?? "", /notes, row 3: the text is longer than 32,767 characters/);
  const { location } = await member.upload("/imports", { kind: "companies" }, { "a.xlsx": new Uint8Array(bytes) });
  const figures = figuresOf(await settledPage(member, String(location)));
  assert.deepEqual(figures, { Created: 0, Changed: 0, Unchanged: 2, Skipped: 0 });
});
