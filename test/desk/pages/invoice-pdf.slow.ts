import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { downloaded, pagesOf } from "../../kit/paper/pdf-text.ts";
import { png } from "../../kit/paper/pictures.ts";

/** The paper of an invoice as a file: what its printed page has, in the language of its company. */
const server = await startServer({ LOG_LEVEL: process.env.TEST_LOG ?? "silent" });
const tenant = await server.createTenant();
const admin = await signedIn(server, tenant, { role: "admin" });
const firm = {
  tax_id: "RO12345674",
  registration_number: "J12/345/2010",
  address: "Strada Fabricii 12, Cluj-Napoca",
  phone: "+40 264 123 456",
  email: "office@seller.example",
  iban: "RO49AAAA1B31007593840000",
  bank: "Banca Țării",
};
await server.sql(
  `insert into workspace_details (tenant_id, ${Object.keys(firm).join(", ")}, changed_by)
  values ($1, ${Object.keys(firm)
    .map((_name, at) => `$${at + 2}`)
    .join(", ")}, 'user:1')`,
  [tenant.id, ...Object.values(firm)],
);

const buyer = {
  name: "Panificația Brașov SA",
  tax_id: "RO1590082",
  address: "Strada Lungă 1",
  city: "Brașov",
  delivery_notes: "Rampa 3, sunați înainte",
};
const lines = [
  {
    sku: "SUR-4",
    description: "Șurub înecat, țăruș",
    quantity: "40",
    unit_price: "12.50",
    unit: "buc",
    vat_rate: "21",
  },
  { description: "Făină albă", quantity: "2.5", unit_price: "1234.99", unit: "kg", vat_rate: "11" },
  { description: "Transport", quantity: "1", unit_price: "100" },
];
let count = 0;

async function invoice(of: TestTenant, body: object, company: object = {}) {
  const made = await of.post("/api/v1/companies", { ...buyer, tax_id: `${buyer.tax_id}${++count}`, ...company });
  const days = { issued_on: "2026-11-05", due_on: "2026-12-05", currency: "RON", status: "issued" };
  const answer = await of.post(`/api/v1/companies/${made.body.data.id}/invoices`, {
    number: `F-${count}`,
    ...days,
    ...body,
  });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return { company: Number(made.body.data.id), id: Number(answer.body.data.id), number: `F-${count}` };
}

const pdfOf = async ({ id }: { id: number }) => await downloaded(server, admin, `/invoices/${id}/pdf`);
const textOf = async (of: { id: number }) => (await pagesOf((await pdfOf(of)).bytes)).join(" ");

/** The texts of a part of a page. */
const textsIn = (part = "") =>
  part
    .split(/<[^>]*>/)
    .map((text) => text.replaceAll(/\s+/g, " ").trim())
    .filter((text) => text !== "");

test("the file says what the printed page says, in the language of the company", async () => {
  const of = await invoice(tenant, { lines });
  await tenant.post(`/api/v1/invoices/${of.id}/payments`, { amount: "500" });
  const answer = await pdfOf(of);
  assert.equal(answer.headers.get("content-type"), "application/pdf");
  assert.equal(answer.headers.get("content-disposition"), `attachment; filename="Factura-${of.number}.pdf"`);
  const [text = "", ...more] = await pagesOf(answer.bytes);
  assert.deepEqual(more, []);
  const page = (await admin.get(`/invoices/${of.id}`, { "accept-language": "ro" })).text;
  const printed = [
    /<section class="parties printed">[^]*?<\/section>/,
    /<p class="dates">[^]*?<\/p>/,
    /<p class="delivery">[^]*?<\/p>/,
    /<table class="list">[^]*?<\/table>/,
    /<p class="printed start">Termen[^]*?<\/p>/,
  ].flatMap((part) => textsIn(part.exec(page)?.[0].replaceAll(/<span class="unprinted[^]*?<\/span>/g, "")));
  assert.ok(printed.length > 45, printed.join("\n"));
  for (const each of printed) assert.ok(text.includes(each), `${each} is missing in ${text}`);
  for (const each of [
    "Factură",
    of.number,
    "rest 3.632,10 RON",
    "TVA 21 %",
    "Rampa 3, sunați înainte.",
    "2,5 kg",
    "1.234,99",
    "1 / 1",
  ]) {
    assert.ok(text.includes(each), `${each} is missing in ${text}`);
  }
});

test("an English contact gets an English paper, a draft and a cancelled one are marked", async () => {
  const english = await invoice(tenant, { lines });
  await tenant.post(`/api/v1/companies/${english.company}/contacts`, {
    first_name: "Ann",
    last_name: "Poe",
    email: "ann@buyer.example",
    is_primary: true,
    preferred_language: "en",
  });
  const answer = await pdfOf(english);
  assert.match(answer.headers.get("content-disposition") ?? "", /"Invoice-F-\d+\.pdf"/);
  assert.match((await pagesOf(answer.bytes)).join(" "), /Invoice F-\d+ .*Seller .*Buyer .*With VAT 4,?0?/);
  const draft = await textOf(await invoice(tenant, { status: "draft", lines }));
  assert.match(draft, /Ciornă/);
  const cancelled = await textOf(await invoice(tenant, { status: "cancelled", total: "10" }));
  assert.match(cancelled, /Anulată.*Total 10,00 RON/);
  assert.doesNotMatch(await textOf(english), /Draft|Ciornă/);
});

test("500 lines of hostile texts are one file, with heads and numbers on every page", async () => {
  const texts = [
    "W".repeat(255),
    "\u0007\u202Eabc\u2028",
    "😀漢字مرحبا".repeat(20),
    "{{=1}} <b>&amp;</b> file:///etc/passwd",
  ];
  const many = Array.from({ length: 500 }, (_none, at) => ({
    sku: at % 2 === 0 ? "K".repeat(100) : "A",
    description: `${at}: ${texts[at % 4]}`.slice(0, 250),
    quantity: "123456789.123",
    unit_price: "98765432.10",
    unit: "ț".repeat(20),
    vat_rate: "21",
  }));
  const of = await invoice(tenant, { number: `../"\r\n;${"ș".repeat(200)}`, lines: many }, { name: "Ș".repeat(255) });
  const answer = await pdfOf(of);
  assert.match(answer.headers.get("content-disposition") ?? "", /^attachment; filename="[\w.-]{1,90}\.pdf"$/);
  const pages = await pagesOf(answer.bytes);
  assert.ok(pages.length > 20, `${pages.length} pages`);
  for (const [at, page] of pages.entries()) {
    assert.ok(page.includes(`${at + 1} / ${pages.length}`), page);
    if (at < pages.length - 1) assert.match(page, /Descriere .*Valoare/);
  }
  assert.match(pages.join(" "), /499: /);
  assert.doesNotMatch(Buffer.from(answer.bytes).toString("latin1"), /\/(?:URI|Launch|JavaScript|EmbeddedFile)\b/);
});

test("a logo is printed, and one that no program could read is left out", async () => {
  const of = await invoice(tenant, { lines });
  const hasPicture = async () =>
    Buffer.from((await pdfOf(of)).bytes)
      .toString("latin1")
      .includes("/Subtype /Image");
  assert.equal(await hasPicture(), false);
  const good = png(40, 20);
  const cases: [string, Uint8Array<ArrayBuffer>, boolean][] = [
    ["good", good, true],
    ["cut off", good.slice(0, 60), false],
    ["of more rows than it has", png(40, 20, Buffer.alloc(100)), false],
    ["of more bytes than it declares", png(2, 2, Buffer.alloc(50_000_000)), false],
    ["of four billion pixels", png(65_000, 65_000, Buffer.alloc(100)), false],
    ["of unknown filters", png(40, 20, Buffer.alloc(161 * 20, 9)), false],
    ["a JPEG of nothing", new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 0]), false],
  ];
  for (const [what, picture, isShown] of cases) {
    assert.equal((await admin.upload("/workspace/logo", {}, { "logo.png": picture })).status, 303, what);
    assert.equal(await hasPicture(), isShown, what);
  }
});

test("nobody reads the paper of another workspace", async () => {
  const of = await invoice(await server.createTenant(), { lines });
  assert.equal((await pdfOf(of)).status, 404);
  assert.equal((await downloaded(server, { ...admin, cookies: new Map() }, `/invoices/${of.id}/pdf`)).status, 303);
});
