import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

/** One more than the report reads the lines of. */
const INVOICES = 200_001;

test("a report by product says that its invoices are too many, has their sums, and lists a shorter period", async () => {
  const server = await startServer();
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const { data } = (await tenant.post("/api/v1/companies", { name: "Alfa" })).body;
  // Triggers rest: nobody asks for the history.
  await server.sql(
    `with resting as materialized (select set_config('session_replication_role', 'replica', true))
    insert into invoices (tenant_id, company_id, number, issued_on, total, currency, status, lines)
    select $1, $2, 'MANY-' || n, case when n = 1 then date '2026-03-01' else date '2026-02-01' - n % 365 end, 10, 'RON',
      'issued', '[{"sku":"BOX","description":"Box","quantity":"1","unit_price":"8.25"}]'
    from resting cross join generate_series(1, $3::integer) n`,
    [tenant.id, data.id, INVOICES],
  );
  await server.sql("vacuum analyze invoices");
  const report = async (query: string) => (await tenant.get(`/api/v1/reports/sales?by=product&${query}`)).body.data;

  const many = await report("from=2026-01-01&to=2026-12-31");
  assert.deepEqual([many.rows, many.total], [null, null]);
  assert.equal(many.totals[0].invoices + many.totals[0].invoices_before, INVOICES);
  const words = "Products are listed for up to 200,000 invoices";
  for (const path of ["/sales", "/sales/export"]) {
    const { status, text } = await member.get(`${path}?by=product&from=2026-01-01&to=2026-12-31`);
    assert.equal(status, 200);
    assert.ok(text.includes(words), path);
  }

  const few = await report("from=2026-03-01&to=2026-03-31");
  assert.equal(few.rows[0].invoices, 1);
  assert.equal(few.rows[0].sold, "8.25");
});
