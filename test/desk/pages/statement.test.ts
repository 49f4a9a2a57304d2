import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

/** The statement of a company: a page of bounded length, and a file of everything. */
const server = await startServer();

test("a statement shows 250 invoices and 250 payments, and its file has all of both", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const { id } = (await tenant.post("/api/v1/companies", { name: "Large customer" })).body.data;
  await server.sql(
    `insert into invoices (tenant_id, company_id, number, status, issued_on, currency, total)
    select $1, $2, 'Y' || n, 'issued', current_date, 'RON', 5 from generate_series(1, 600) n`,
    [tenant.id, id],
  );
  await server.sql(
    `insert into payments (tenant_id, company_id, invoice_id, amount, paid_on, means)
    select tenant_id, company_id, id, 1, current_date, 'bank' from invoices where tenant_id = $1`,
    [tenant.id],
  );
  const page = await member.get(`/companies/${id}/statement`);
  assert.equal(page.text.match(/<tr[ >]/g)?.length, 2 * (250 + 1));
  assert.equal(page.text.match(/The first 250\. The file has all\./g)?.length, 2);
  const file = await member.get(`/companies/${id}/statement/export`);
  const [invoices = [], payments = []] = file.text
    .split(/\r?\n\r?\n/)
    .map((part) => part.split("\n").filter((line) => /Y\d/.test(line)));
  assert.deepEqual([invoices.length, payments.length], [600, 600]);
  assert.match(file.headers.get("content-disposition") ?? "", /statement\.csv/);
});

test("a cancelled invoice with a refund is owed, a credit note and an unknown total are not, on every page alike", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const { id } = (await tenant.post("/api/v1/companies", { name: "Customer" })).body.data;
  const days = { issued_on: "2026-01-05", due_on: "2026-02-05", currency: "RON" };
  const invoice = async (number: string, body: object) =>
    (await tenant.post(`/api/v1/companies/${id}/invoices`, { number, ...days, ...body })).body.data.id;
  const refunded = await invoice("REFUNDED", { total: "400", status: "cancelled" });
  await tenant.post(`/api/v1/invoices/${refunded}/payments`, { amount: "-12.25" });
  await invoice("CREDIT", { total: "-30", currency: "EUR" });
  const unknown = await invoice("UNKNOWN", { currency: "USD" });
  await tenant.post(`/api/v1/invoices/${unknown}/payments`, { amount: "5" });
  const { data } = (await tenant.get("/api/v1/reports/receivables")).body;
  const owed = data.totals.map((of: Record<string, string>) => [of.currency, of.owed, of.paid_too_much]);
  assert.deepEqual(owed.toSorted(), [
    ["EUR", "0", "30"],
    ["RON", "12.25", "0"],
  ]);
  const figure = /<dt>Owed<\/dt><dd>.*?<\/dd>/s.exec((await member.get(`/companies/${id}`)).text)?.[0] ?? "";
  assert.deepEqual(figure.match(/[\d.]+ [A-Z]{3}/g), ["12.25 RON", "12.25 RON"]);
  const { text } = await member.get(`/companies/${id}/statement/export?from=2026-01-01`);
  const open = text.split(/\r?\n\r?\n/)[0]?.split(/\r?\n/) ?? [];
  assert.deepEqual(open.slice(1), [
    "CREDIT,2026-01-05,2026-02-05,EUR,-30,0,-30",
    "REFUNDED,2026-01-05,2026-02-05,RON,0,-12.25,12.25",
  ]);
});
