import assert from "node:assert/strict";
import { test } from "node:test";
import { dayAfter } from "../../../src/platform/dates.ts";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

/** Payment terms and the credit limit: at the API, in lists, and before something is sent. */
const server = await startServer({ wms: "http://127.0.0.1:9" });
const tenant = await server.createTenant();
const admin = await signedIn(server, tenant, { role: "admin" });
const ZONE = "Europe/Bucharest";

async function companyWith(values: object): Promise<string> {
  const { status, body } = await tenant.post("/api/v1/companies", { name: "Panificația Brașov SA", ...values });
  assert.equal(status, 201, JSON.stringify(body));
  return String(body.data.id);
}

let numbers = 0;
async function invoiceOf(company: string, values: object): Promise<string> {
  const number = `T-${++numbers}`;
  const { status, body } = await tenant.post(`/api/v1/companies/${company}/invoices`, { number, ...values });
  assert.equal(status, 201, JSON.stringify(body));
  return String(body.data.id);
}

test("terms are written inside their member, and answered only with include=terms", async () => {
  const terms = { payment_days: 45, credit_limit: "1000.00" };
  const created = await tenant.post("/api/v1/companies?include=terms", { name: "A", payment_days: 7, terms });
  assert.deepEqual([created.status, created.body.data.terms], [201, terms]);
  const path = `/api/v1/companies/${created.body.data.id}`;
  const plain = (await tenant.get(path)).body.data;
  assert.deepEqual(["terms" in plain, "payment_days" in plain, "credit_limit" in plain], [false, false, false]);
  const part = await tenant.put(`${path}?include=terms`, { terms: { payment_days: null } });
  assert.deepEqual(part.body.data.terms, { ...terms, payment_days: null });
  const ignored = await tenant.put(`${path}?include=terms`, { payment_days: 9, terms: null });
  assert.deepEqual(ignored.body.data.terms, { ...terms, payment_days: null });
  const listed = await tenant.get("/api/v1/companies?include=terms,external&search=a");
  assert.deepEqual(Object.keys(listed.body.data[0]).slice(-2), ["terms", "external"]);
  for (const [sent, errors] of [
    [{ payment_days: 366 }, { "terms.payment_days": ["The terms.payment days field must not be greater than 365."] }],
    [{ credit_limit: "-1" }, { "terms.credit_limit": ["The terms.credit limit field must be at least 0."] }],
  ] as const) {
    const refused = await tenant.put(path, { terms: sent });
    assert.deepEqual([refused.status, refused.body.errors], [422, errors]);
    const { body } = await tenant.post("/api/v1/companies/batch", { items: [{ name: "B", terms: sent }] });
    assert.deepEqual(body.results[0].errors, errors, JSON.stringify(body));
  }
  assert.equal((await tenant.put(path, { terms: 5 })).status, 422);
  const batch = await tenant.post("/api/v1/companies/batch", { items: [{ name: "C", terms: { payment_days: 3 } }] });
  const { id } = batch.body.results[0];
  assert.equal((await tenant.get(`/api/v1/companies/${id}?include=terms`)).body.data.terms.payment_days, 3);
});

test("an invoice without a due date is overdue by the terms of its company, or else of the workspace", async () => {
  const own = await companyWith({ name: "Own terms", terms: { payment_days: 10 } });
  const usual = await companyWith({ name: "Usual terms" });
  const issued_on = dayAfter(-20, ZONE);
  await invoiceOf(own, { number: "OWN-1", issued_on, total: "5", currency: "RON" });
  await invoiceOf(usual, { number: "USUAL-1", issued_on });
  await invoiceOf(usual, { number: "USUAL-2", issued_on: dayAfter(-31, ZONE) });
  const overdue = async () => (await admin.get("/orders?state=overdue")).text.match(/(?:OWN|USUAL)-\d(?=<)/g);
  assert.deepEqual([...new Set(await overdue())].toSorted(), ["OWN-1", "USUAL-2"]);
  assert.match((await admin.get("/today?whose=all")).text, /USUAL-2/);
  assert.match((await admin.get(`/companies/${own}`)).text, /up to 10 days/);
  const { id, due_on } = (await tenant.get(`/api/v1/companies/${own}/invoices?number=OWN-1`)).body.data[0];
  assert.equal(due_on, null);
  assert.match((await admin.get(`/invoices/${id}`)).text, /Due by the terms/);
  await tenant.put(`/api/v1/invoices/${id}`, { due_on: dayAfter(3, ZONE) });
  assert.deepEqual([...new Set(await overdue())], ["USUAL-2"]);
});

/** Two zones of different days. No midnight is within an hour, so no day ends during the test. */
function zonesOfTwoDays(): [ahead: string, behind: string] {
  const hour = new Date().getUTCHours();
  const offsets = Array.from({ length: 27 }, (_, index) => index - 12);
  const quiet = offsets.filter((offset) => ![23, 0].includes((hour + offset + 24) % 24));
  const [ahead, behind] = [quiet.at(-1) ?? 0, quiet[0] ?? 0];
  assert.ok(Math.floor((hour + ahead) / 24) > Math.floor((hour + behind) / 24));
  // These names have the opposite sign.
  return [`Etc/GMT-${ahead}`, `Etc/GMT+${-behind}`];
}

test("an invoice is overdue from its workspace's midnight on, on pages and in reports alike", async () => {
  const [ahead, behind] = zonesOfTwoDays();
  const due_on = dayAfter(0, behind);
  for (const zone of [ahead, behind]) {
    const place = await server.createTenant();
    await server.sql("update tenants set time_zone = $2 where id = $1", [place.id, zone]);
    const person = await signedIn(server, place, { role: "admin" });
    const { id: company } = (await place.post("/api/v1/companies", { name: "Border" })).body.data;
    const create = async (values: object) =>
      (await place.post(`/api/v1/companies/${company}/invoices`, { currency: "RON", status: "issued", ...values })).body
        .data.id;
    const invoice = await create({ number: "BORDER-1", total: "5", issued_on: "2026-01-05", due_on });
    await create({ number: "TERMS-1", total: "7", issued_on: dayAfter(-30, behind) });
    await create({ number: "NODAY-1", total: "11" });
    const isLate = zone === ahead;
    const today = dayAfter(0, zone);
    for (const [path, mark] of [
      ["/orders?state=overdue", /BORDER-1/],
      ["/orders?state=overdue", /TERMS-1/],
      ["/orders/export?state=overdue", /BORDER-1/],
      ["/orders?late=days_1_30", /BORDER-1/],
      ["/today?whose=all", /BORDER-1/],
      [`/companies/${company}`, /12\.00 RON overdue/],
      [`/invoices/${invoice}`, /unprinted late/],
      ["/money?overdue=1", /Border/],
      [`/companies/${company}/statement`, /class="late"|days late/],
    ] as const)
      assert.equal(mark.test((await person.get(path)).text), isLate, `${path} in ${zone}`);
    assert.equal(/BORDER-1/.test((await person.get("/orders?late=not_due")).text), !isLate, zone);
    for (const query of ["", `?as_of=${today}`]) {
      const { data } = (await place.get(`/api/v1/reports/receivables${query}`)).body;
      const { overdue, owed } = data.companies[0];
      const figures = [data.day, Number(overdue), Number(owed)];
      assert.deepEqual(figures, [today, isLate ? 12 : 0, 23], `${query} in ${zone}`);
    }
    assert.equal((await place.get("/api/v1/reports/receivables?overdue=1")).body.data.total, isLate ? 1 : 0);
    const { to } = (await place.get("/api/v1/reports/sales")).body.data;
    assert.equal(to, today, zone);
  }
});

test("a form offers the due day of the terms", async () => {
  const company = await companyWith({ name: "Offered", terms: { payment_days: 15 } });
  const form = await admin.get(`/invoices/new?company=${company}`);
  assert.match(form.text, new RegExp(`name="due_on"[^>]*|value="${dayAfter(15, ZONE)}"`));
  assert.ok(form.text.includes(`value="${dayAfter(15, ZONE)}"`));
  await admin.post("/workspace", { payment_days: "60" });
  const usual = await companyWith({ name: "Offered too" });
  assert.ok((await admin.get(`/invoices/new?company=${usual}`)).text.includes(`value="${dayAfter(60, ZONE)}"`));
  assert.match((await admin.post("/workspace", { payment_days: "366" })).text, /Payment term, days can be at most 365/);
  await admin.post("/workspace", { payment_days: "30" });
});

test("what speaks against sending is asked first, and sent then", async () => {
  const company = await companyWith({ city: "Brașov", terms: { credit_limit: "500" } });
  await server.sql("update companies set wms_subdomain = 'nord', wms_api_key = 'x' where id = $1", [company]);
  const lines = [{ description: "Flour", quantity: "1", unit_price: "100" }];
  const fine = await invoiceOf(company, { total: "100", currency: "RON", lines });
  const sent = await admin.post(`/invoices/${fine}/send`, {});
  assert.equal(sent.location, `/invoices/${fine}`);
  const late = { total: "31900", currency: "RON", issued_on: dayAfter(-94, ZONE), due_on: dayAfter(-64, ZONE) };
  await invoiceOf(company, late);
  const doubtful = await invoiceOf(company, { total: "412", currency: "RON", lines });
  const asked = await admin.post(`/invoices/${doubtful}/send`, { to: "/today" });
  assert.equal(asked.location, `/invoices/${doubtful}/send?to=%2Ftoday`);
  const { text } = await admin.get(asked.location ?? "");
  assert.match(text, /The total is 412\.00 RON, but the lines are 100\.00 RON\./);
  assert.match(text, /Panificația Brașov SA owes 31,900\.00 RON, up to 64 days late\./);
  assert.match(text, /With this invoice it owes 32,412\.00 RON\. Its credit limit is 500\.00 RON\./);
  assert.match(
    text,
    /Deliver to<.*Brașov.*No street: the warehouse gets only “Brașov”.*Lines without a SKU: <output>1</s,
  );
  const form = await admin.get(`/invoices/new?company=${company}`);
  assert.match(form.text, /It owes 32,412\.00 RON, 31,900\.00 RON of it up to 64 days late\./);
  const romanian = await admin.get(asked.location ?? "", { "accept-language": "ro" });
  assert.match(romanian.text, /are restanțe de 31\.900,00 RON, cu întârziere de până la 64 de zile\./);
  const state = async () => (await tenant.get(`/api/v1/invoices/${doubtful}`)).body.data.wms.state;
  assert.equal(await state(), "not_sent");
  const anyway = await admin.post(`/invoices/${doubtful}/send`, { to: "/today", anyway: "1" });
  assert.equal(anyway.location, "/today");
  assert.notEqual(await state(), "not_sent");
  const created = await admin.post("/invoices", {
    company,
    number: "T-CREATED",
    send: "1",
    currency: "RON",
    total: "1",
  });
  assert.match(created.location ?? "", /^\/invoices\/\d+\/send$/);
});

test("a credit note, and an invoice without a total, are nothing that a company pays late", async () => {
  const company = await companyWith({ name: "Credited", address: "Strada Lungă 1", city: "Brașov" });
  await server.sql("update companies set wms_subdomain = 'nord', wms_api_key = 'x' where id = $1", [company]);
  const long = { currency: "RON", issued_on: dayAfter(-94, ZONE), due_on: dayAfter(-64, ZONE) };
  await invoiceOf(company, { ...long, total: "-50" });
  await invoiceOf(company, long);
  const lines = [{ sku: "F", description: "Flour", quantity: "1", unit_price: "100" }];
  const fine = async () => await invoiceOf(company, { total: "100", currency: "RON", lines });
  const alone = await fine();
  assert.equal((await admin.post(`/invoices/${alone}/send`, {})).location, `/invoices/${alone}`);
  assert.equal((await admin.post("/orders/send", { id: await fine() })).location, "/orders");
  await invoiceOf(company, { ...long, total: "30" });
  const { location } = await admin.post(`/invoices/${await fine()}/send`, {});
  assert.match((await admin.get(location ?? "")).text, /Credited owes 30\.00 RON, up to 64 days late\./);
});

test("of thousands of open invoices the oldest is late too, and all count towards the limit", async () => {
  const limit = { name: "Thousands", address: "Strada Lungă 1", city: "Brașov", terms: { credit_limit: "2600" } };
  const company = await companyWith(limit);
  await server.sql("update companies set wms_subdomain = 'nord', wms_api_key = 'x' where id = $1", [company]);
  await server.sql(
    `insert into invoices (tenant_id, company_id, number, issued_on, due_on, total, currency)
    select $1, $2, 'THOUSANDS-' || n, current_date, current_date + 30, 1, 'RON' from generate_series(1, 2550) n`,
    [tenant.id, company],
  );
  const long = { currency: "RON", issued_on: dayAfter(-94, ZONE), due_on: dayAfter(-64, ZONE) };
  await invoiceOf(company, { ...long, total: "30" });
  const lines = [{ sku: "F", description: "Flour", quantity: "1", unit_price: "100" }];
  const id = await invoiceOf(company, { total: "100", currency: "RON", lines });
  const one = await admin.get((await admin.post(`/invoices/${id}/send`, {})).location ?? "");
  assert.match(one.text, /Thousands owes 30\.00 RON, up to 64 days late\./);
  assert.match(one.text, /With this invoice it owes 2,680\.00 RON\./);
  const many = (await admin.post("/orders/send", { id })).text;
  assert.match(many, /1 company is more than 30 days late[^]*1 company owes more than its credit limit/);
});

test("a form that is sent once asks about the limit, which the new invoice exceeds", async () => {
  const company = await companyWith({ name: "Limited", city: "Brașov", terms: { credit_limit: "500" } });
  const [, once = ""] =
    /name="once" value="([^"]+)"/.exec((await admin.get(`/invoices/new?company=${company}`)).text) ?? [];
  const line = { "lines.0.description": "Flour", "lines.0.quantity": "1", "lines.0.unit_price": "501" };
  const form = { company, once, number: "T-ONCE", send: "1", currency: "RON", ...line };
  const created = await admin.post("/invoices", form);
  assert.match(created.location ?? "", /^\/invoices\/\d+\/send$/);
  assert.match((await admin.get(created.location ?? "")).text, /With this invoice it owes 501\.00 RON\./);
});

test("a credit limit is shown as the page's language writes numbers", async () => {
  const company = await companyWith({ terms: { credit_limit: "15000" } });
  assert.match((await admin.get(`/companies/${company}`)).text, />15,000(?:\.00)?</);
  const romanian = await admin.get(`/companies/${company}`, { "accept-language": "ro" });
  assert.match(romanian.text, />15\.000(?:,00)?</);
});
