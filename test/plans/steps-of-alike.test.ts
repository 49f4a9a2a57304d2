import assert from "node:assert/strict";
import { test } from "node:test";
import { loadStatements } from "./collected-statements.ts";
import { fillTables } from "./filled-tables.ts";
import { withReader } from "./reads.ts";

/** Imported behind the module that collects the statements. */
const { startServer } = await import("../harness.ts");

const [ROWS, STEP] = [3_000, 250];
const server = await startServer();
const tenant = (await server.createTenant()).id;
await fillTables(server, tenant, ROWS);
await server.sql(`begin; set local session_replication_role = replica;
  update changes set type = 'company' where tenant_id = ${tenant};
  insert into alike_progress (tenant_id, is_walked, seen_at) values (${tenant}, true, now() - interval '1 day');
  commit`);
await server.sql("vacuum analyze changes, alike_progress");
const statements = (await loadStatements()).flatMap(({ made }) => Array.from(made.values()));

test("a step of the comparison reads the next changes of companies, however many are behind them", async () => {
  const follow = statements.find(({ name }) => name === "follow_alike");
  assert.ok(follow !== undefined);
  await withReader(server, async (readsOf) => {
    for (const { rows, mode } of await readsOf(follow, [tenant])) {
      assert.ok(rows >= STEP && rows < 2 * STEP, `${mode}: ${rows} rows`);
    }
  });
});
