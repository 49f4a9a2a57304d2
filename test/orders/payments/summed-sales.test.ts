import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer, type TestTenant } from "../../harness.ts";
import { poll } from "../../program.ts";
import { runWorker } from "../../running-worker.ts";
import { sums } from "./money-sums.ts";

const server = await startServer();
runWorker(server);

const YEAR = "from=2025-11-10&to=2026-10-31";

async function salesOf(tenant: TestTenant, query = YEAR) {
  const { status, body, text } = await tenant.get(`/api/v1/reports/sales?${query}`);
  assert.equal(status, 200, text);
  return body.data;
}

/** What each company bought, and in the year before. */
async function soldTo(tenant: TestTenant): Promise<Record<string, string[]>> {
  const { rows, totals, columns } = await salesOf(tenant);
  for (const name of ["sold", "sold_before"]) {
    const sum = (of: Record<string, string>[]) =>
      of.reduce((all, each) => all + Math.round(Number(each[name]) * 100), 0);
    assert.equal(sum(columns), sum(totals), "the columns");
    assert.equal(sum(rows), sum(totals), "the rows");
  }
  return Object.fromEntries(rows.map((row: Record<string, string>) => [row.key, [row.sold, row.sold_before]]));
}

async function company(tenant: TestTenant, name: string): Promise<number> {
  return (await tenant.post("/api/v1/companies", { name })).body.data.id;
}

async function sell(tenant: TestTenant, to: number, issued: string, total: string): Promise<string> {
  const body = { number: `${to} ${issued} ${total}`, issued_on: issued, total, currency: "RON" };
  const { status, body: answer, text } = await tenant.post(`/api/v1/companies/${to}/invoices`, body);
  assert.equal(status, 201, text);
  return `/api/v1/invoices/${answer.data.id}`;
}

async function change(tenant: TestTenant, invoice: string, fields: Record<string, unknown>): Promise<void> {
  const { data } = (await tenant.get(invoice)).body;
  const { number, issued_on, total, currency, status } = data;
  const answer = await tenant.put(invoice, { number, issued_on, total, currency, status, ...fields });
  assert.equal(answer.status, 200, answer.text);
}

test("sums that a job made change with every write of an older invoice, at once", async () => {
  const tenant = await server.createTenant();
  const [one, other] = [await company(tenant, "One"), await company(tenant, "Other")];
  const first = await sell(tenant, one, "2025-12-20", "10.5");
  await sell(tenant, one, "2025-06-15", "7.125");
  const third = await sell(tenant, one, "2026-03-31", "20");
  await sell(tenant, other, "2026-04-01", "100.00");
  const before = { [one]: ["30.50", "7.125"], [other]: ["100.00", "0"] };
  assert.deepEqual(await soldTo(tenant), before);
  await sums.summed({ server, tenant });
  assert.deepEqual(await soldTo(tenant), before, "summed up");
  await server.sql("update company_sales set sold[3] = sold[3] + 1000 where tenant_id = $1 and company_id = $2", [
    tenant.id,
    one,
  ]);
  const [row] = (await salesOf(tenant)).rows;
  assert.deepEqual([row.key, row.sold], [String(one), "1030.50"], "the report reads the sums");

  await change(tenant, third, { total: "21" });
  assert.deepEqual((await salesOf(tenant)).rows[1].sold, "31.50", "an amount");
  await server.sql("update company_sales set sold[3] = sold[3] - 1000 where tenant_id = $1 and company_id = $2", [
    tenant.id,
    one,
  ]);
  await change(tenant, third, { issued_on: "2025-03-31" });
  assert.deepEqual((await soldTo(tenant))[one], ["10.50", "28.125"], "a day");
  await change(tenant, first, { status: "cancelled" });
  assert.deepEqual((await soldTo(tenant))[one], ["0", "28.125"], "a status");
  await change(tenant, first, { status: "issued", currency: "EUR" });
  assert.equal((await salesOf(tenant)).totals.length, 2, "a currency");
  await change(tenant, first, { currency: "RON" });
  const merge = await tenant.post(`/api/v1/companies/${other}/merge`, { from: one });
  assert.deepEqual(await soldTo(tenant), { [other]: ["110.50", "28.125"] }, "a merge");
  await sums.summed({ server, tenant });
  assert.deepEqual(await soldTo(tenant), { [other]: ["110.50", "28.125"] }, "a merge, summed up");
  await tenant.post(`/api/v1/merges/${merge.body.meta.merge_id}/undo`);
  const separate = { [one]: ["10.50", "28.125"], [other]: ["100.00", "0"] };
  assert.deepEqual(await soldTo(tenant), separate, "its undo");
  await sums.summed({ server, tenant });
  assert.deepEqual(await soldTo(tenant), separate, "its undo, summed up");
  await server.sql("delete from payments where tenant_id = $1", [tenant.id]);
  await server.sql("delete from invoices where tenant_id = $1 and company_id = $2", [tenant.id, other]);
  assert.deepEqual(await soldTo(tenant), { [one]: separate[one] }, "a deletion");
});

test("a report of many invoices has them summed up, and says the same before, meanwhile and after", async () => {
  const tenant = await server.createTenant();
  for (let at = 0; at < 3; at++) await company(tenant, `Company ${at}`);
  await server.sql(
    `begin; set local session_replication_role = replica;
    insert into invoices (tenant_id, company_id, number, issued_on, total, currency, status)
    select c.tenant_id, c.id, c.id || '-' || n, date '2024-09-01' + n % 900, n % 1000 / 10.0, case n % 7 when 1 then 'EUR' else 'RON' end,
      case n % 50 when 7 then 'cancelled' when 8 then 'draft' else 'paid' end
    from companies c, generate_series(1, 12000) n where c.tenant_id = ${tenant.id}; commit`,
  );
  const queries = ["company", "month", "city"].map((by) => `${YEAR}&by=${by}`);
  const before = await Promise.all(queries.map(async (query) => await salesOf(tenant, query)));
  await poll("the sums", async () => {
    assert.deepEqual(await Promise.all(queries.map(async (query) => await salesOf(tenant, query))), before);
    const done = "select from sales_progress where tenant_id = $1 and until is not null";
    return (await server.sql(done, [tenant.id])).length > 0;
  });
  assert.deepEqual(await Promise.all(queries.map(async (query) => await salesOf(tenant, query))), before);
});

test("an answer has at most 200 currencies, those with the most invoices", async () => {
  const tenant = await server.createTenant();
  const id = await company(tenant, "Collector");
  await server.sql(
    `insert into invoices (tenant_id, company_id, number, issued_on, total, currency)
    select $1::bigint, $2::bigint, 'C-' || n, date '2026-03-01', 10, 'C' || n % 250 from generate_series(1, 450) n`,
    [tenant.id, id],
  );
  const { totals, columns, total } = await salesOf(tenant);
  assert.deepEqual(
    totals.map(({ invoices }: { invoices: number }) => invoices),
    Array.from({ length: 200 }, () => 2),
  );
  assert.equal(new Set(columns.map(({ currency }: { currency: string }) => currency)).size, 200);
  assert.equal(total, 250);
});
