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
