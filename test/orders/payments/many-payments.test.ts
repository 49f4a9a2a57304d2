import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

/** An invoice with very many payments: a further one costs what the first did, and whatever shows them is bounded. */
const server = await startServer();
const MANY = 20_000;

test("a payment reads none of the 20,000 that its invoice has, and the pages of these are bounded", async () => {
  const tenant = await server.createTenant();
  const { id: company } = (await tenant.post("/api/v1/companies", { name: "Subscriber" })).body.data;
  const sent = { number: "MANY-1", status: "issued", issued_on: "2026-11-01", total: "20003", currency: "RON" };
  const { id } = (await tenant.post(`/api/v1/companies/${company}/invoices`, sent)).body.data;
  const client = new pg.Client(server.connection);
  await client.connect();
  const read = async () => {
    const { rows } = await client.query(
      "select seq_tup_read + idx_tup_fetch as n from pg_stat_xact_user_tables where relname = 'payments'",
    );
    return Number(rows[0]?.n);
  };
  const pay = async (payments: number) =>
    await client.query(
      `insert into payments (tenant_id, company_id, invoice_id, amount, paid_on, means, reference)
      select $1::bigint, $2::bigint, $3::bigint, 1, '2026-11-02', 'card', 'Card ' || n from generate_series(1, $4::integer) n`,
      [tenant.id, company, id, payments],
    );
  try {
    await pay(MANY);
    await client.query("begin");
    await pay(1);
    assert.equal(await read(), 0);
    const [{ rows: deleted }, before] = [
      await client.query("select max(id) as id from payments where invoice_id = $1", [id]),
      await read(),
    ];
    await client.query("update payments set deleted_at = now() where tenant_id = $1 and id = $2", [
      tenant.id,
      deleted[0]?.id,
    ]);
    assert.equal((await read()) - before, 1);
    await client.query("commit");
  } finally {
    await client.end();
  }
  assert.equal((await tenant.get(`/api/v1/invoices/${id}`)).body.data.paid, String(MANY));
  // The rest makes it paid, and is taken back alone.
  for (const [status, paid] of [
    ["paid", "20003"],
    ["issued", String(MANY)],
  ] as const) {
    await tenant.put(`/api/v1/invoices/${id}`, { status });
    const { data } = (await tenant.get(`/api/v1/invoices/${id}`)).body;
    assert.deepEqual([data.status, data.paid], [status, paid]);
  }
  const member = await signedIn(server, tenant);
  for (const path of [`/invoices/${id}`, `/companies/${company}/statement`, `/companies/${company}`, "/money"])
    assert.ok((await member.get(path)).text.length < 150_000, path);
  const file = (await member.get(`/companies/${company}/statement/export?from=2026-11-01`)).text;
  assert.equal(file.match(/,Card \d+/g)?.length, MANY);
});
