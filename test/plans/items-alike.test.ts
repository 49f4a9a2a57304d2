import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "../harness.ts";
import { poll } from "../program.ts";

const server = await startServer();
const ITEMS = 256;

async function lookUps(): Promise<number> {
  const [row] = await server.sql(
    "select coalesce(idx_scan, 0)::int as n from pg_stat_user_indexes where indexrelname = 'companies_tax_id'",
  );
  return Number(row?.n);
}

test("items of one tax id look for it once each, however many are left behind them", async () => {
  const tenant = await server.createTenant();
  const before = await lookUps();
  const items = Array.from({ length: ITEMS }, (_, n) => ({ tax_id: "RO1", name: `Firm ${n}` }));
  const { body, text } = await tenant.post("/api/v1/companies/batch", { items });
  assert.deepEqual([body.created, body.updated], [1, ITEMS - 1], text);
  // PostgreSQL counts a transaction's look-ups together, some seconds behind it.
  await poll("the statistics of the transaction", async () => (await lookUps()) - before >= ITEMS);
  const found = (await lookUps()) - before;
  assert.ok(found <= 2 * ITEMS, `${found} look-ups of ${ITEMS} items`);
});
