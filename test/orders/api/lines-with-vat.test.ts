import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

/** Units and VAT of lines, at the API, in files and on pages. */
const server = await startServer();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant, { role: "admin" });
const company = (await tenant.post("/api/v1/companies", { name: "Taxed SRL", tax_id: "RO123" })).body.data.id;
const invoices = `/api/v1/companies/${company}/invoices`;

const flour = { sku: "F", description: "Flour", quantity: "50", unit_price: "25.01", unit: "bax", vat_rate: "11" };
const oil = { sku: "O", description: "Oil", quantity: "3", unit_price: "0.33", vat_rate: "21.00" };
const carriage = { sku: null, description: "Carriage", quantity: "1", unit_price: "2" };
/** 1,250.50 at 11 %, 0.99 at 21 %, 2.00 without: 137.555 is rounded up, and 0.2079. */
const sums = { net: "1253.49", vat: "137.77", total: "1391.26" };

test("a create without a total gets net and VAT together, and net and vat are answered with the lines", async () => {
  const lines = [flour, oil, carriage];
  const { body } = await tenant.post(invoices, { number: "V-1", lines });
  assert.partialDeepStrictEqual(body.data, { ...sums, lines });
  const shown = await tenant.get(`/api/v1/invoices/${body.data.id}`);
  assert.partialDeepStrictEqual(shown.body.data, { ...sums, lines });
  const { data } = (await tenant.get(`${invoices}?number=V-1&include=lines`)).body;
  assert.partialDeepStrictEqual(data[0], { ...sums, lines });
  const [listed] = (await tenant.get(`${invoices}?number=V-1`)).body.data;
  assert.deepEqual([listed.total, "net" in listed, "vat" in listed], [sums.total, false, false]);
  const sent = await tenant.post(invoices, { number: "V-2", lines, total: "9" });
  assert.partialDeepStrictEqual(sent.body.data, { ...sums, total: "9" });
  const put = await tenant.put(`/api/v1/invoices/${sent.body.data.id}`, { lines: [oil] });
  assert.partialDeepStrictEqual(put.body.data, { net: "0.99", vat: "0.21", total: "9" });
});

test("without rates an invoice is answered as before, and a create without a total has none", async () => {
  const { data } = (await tenant.post(invoices, { number: "V-3", lines: [carriage, { ...carriage, unit: "" }] })).body;
  assert.deepEqual([data.total, data.lines], [null, [carriage, carriage]]);
  assert.deepEqual(["net" in data, "vat" in data], [false, false]);
});

test("a batch completes totals too; files carry units and rates, and an absent column keeps them", async () => {
  const item = { company_id: company, number: "V-4", lines: [oil] };
  const batch = await tenant.post("/api/v1/invoices/batch", { items: [item] });
  assert.equal(batch.status, 200, JSON.stringify(batch.body));
  const find = async () => (await tenant.get(`${invoices}?number=V-4&include=lines`)).body.data[0];
  assert.partialDeepStrictEqual(await find(), { total: "1.20", lines: [oil] });
  const exported = (await member.get("/export/invoice_lines.csv")).text;
  assert.match(exported, /^invoice_id,invoice_number,position,sku,description,quantity,unit_price,unit,vat_rate\r?\n/);
  assert.match(exported, /V-1,1,F,Flour,50,25\.01,bax,11/);
});

test("the form has units and VAT, in both languages; its total is with VAT", async () => {
  const line = { "lines.0.description": "Ulei", "lines.0.quantity": "3", "lines.0.unit_price": "0,33" };
  const romanian = { "sec-fetch-site": "same-origin", "accept-language": "ro" };
  const typed = {
    company: String(company),
    number: "V-5",
    ...line,
    "lines.0.unit": "bax",
    "lines.0.vat_rate": "5,5 %",
  };
  const created = await member.post("/invoices", typed, romanian);
  assert.equal(created.status, 303, created.text);
  const id = created.location?.split("/").at(-1);
  const { data } = (await tenant.get(`/api/v1/invoices/${id}`)).body;
  assert.partialDeepStrictEqual(data, { net: "0.99", vat: "0.05", total: "1.04" });
  assert.deepEqual([data.lines[0].unit, data.lines[0].vat_rate], ["bax", "5.5"]);
  const { text } = await member.get(`/invoices/${id}`, { "accept-language": "ro" });
  assert.match(text, /TVA 5,5 %[^]*0,05[^]*Cu TVA[^]*1,04/);
  const english = await member.get(`/invoices/${id}/edit`);
  assert.match(english.text, /name="lines\.0\.unit"[^>]*value="bax"[^]*name="lines\.0\.vat_rate"[^>]*value="5.5"/);
  const wrong = await member.post("/invoices", { ...typed, number: "V-6", "lines.0.vat_rate": "101" });
  assert.match(wrong.text, /Line 1: VAT, % can be at most 100\./);
});

test("a workspace has its rates, and new lines begin with the first if it says so", async () => {
  const form = async () => (await member.get(`/invoices/new?company=${company}`)).text;
  assert.match(await form(), /<datalist id="rates"><option value="21"><option value="11"><option value="0">/);
  assert.match(await form(), /name="lines\.0\.vat_rate"[^>]*value=""/);
  for (const vat_rates of ["19, x", "101", "1 2 3 4 5 6 7 8 9"]) {
    assert.match((await member.post("/workspace", { vat_rates })).text, /VAT rates must be a number/, vat_rates);
  }
  assert.equal((await member.post("/workspace", { vat_rates: "1 2 3 4 5 6 7 100" })).status, 303);
  assert.equal((await member.post("/workspace", { vat_rates: "19%, 5,5", begins_with_vat: "1" })).status, 303);
  assert.match(await form(), /<datalist id="rates"><option value="19"><option value="5.5"><\/datalist>/);
  assert.match(await form(), /name="lines\.0\.vat_rate"[^>]*value="19"/);
  const empty = { "lines.0.vat_rate": "19", "lines.1.vat_rate": "19" };
  const created = await member.post("/invoices", { company: String(company), number: "V-7", ...empty });
  const { data } = (await tenant.get(`/api/v1/invoices/${created.location?.split("/").at(-1)}`)).body;
  assert.deepEqual(data.lines, []);
  assert.match((await member.get("/history")).text, /VAT rates[^]*19 5\.5/);
});

test("sums of lines have their currency's decimals at the API, on pages, in reports and in the history", async () => {
  const article = { sku: "D", description: "Dates", quantity: "3", unit_price: "1.234", vat_rate: "5" };
  const body = { lines: [article], currency: "KWD", issued_on: "2026-03-02" };
  const { data } = (await tenant.post(invoices, { ...body, number: "K-1" })).body;
  assert.partialDeepStrictEqual(data, { net: "3.702", vat: "0.185", total: "3.887" });
  const [listed] = (await tenant.get(`${invoices}?number=K-1&include=lines`)).body.data;
  assert.partialDeepStrictEqual(listed, { net: "3.702", vat: "0.185", total: "3.887" });
  const shown = await member.get(`/invoices/${data.id}`);
  assert.match(shown.text, /1\.234[^]*3\.702 KWD[^]*0\.185 KWD[^]*3\.887 KWD/);
  for (const { text } of [shown, await member.get("/orders?search=K-1")]) assert.doesNotMatch(text, /total differs/);
  assert.match((await member.get(`/invoices/${data.id}/edit`)).text, /data-sum>3\.887</);

  const yen = { ...article, unit_price: "100.5" };
  const sent = await tenant.post(invoices, { ...body, number: "J-1", lines: [yen], currency: "JPY" });
  assert.partialDeepStrictEqual(sent.body.data, { net: "302", vat: "15", total: "317" });
  const { data: sold } = (await tenant.get("/api/v1/reports/sales?from=2026-03-01&to=2026-03-31&by=product")).body;
  assert.deepEqual(
    sold.rows.map((row: Record<string, string>) => [row.currency, row.sold]),
    [
      ["JPY", "302"],
      ["KWD", "3.702"],
    ],
  );
  await tenant.put(`/api/v1/invoices/${data.id}`, { total: "4.5" });
  assert.match((await member.get("/history")).text, /from 3\.887 to 4\.500</);
});
