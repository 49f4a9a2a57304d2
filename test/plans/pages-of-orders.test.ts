import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { requestSettings } from "../../src/platform/postgres/request-settings.ts";
import { loadStatements } from "./collected-statements.ts";
import { fillTables } from "./filled-tables.ts";

/** Of thousands of invoices a page looks up those that it shows, whole and with their companies: no others. */
const { startServer } = await import("../harness.ts");

const SHOWN = 50;
const server = await startServer();
const tenant = (await server.createTenant()).id;
const statements = (await loadStatements()).flatMap(({ made }) => Array.from(made.values()));
await fillTables(server, tenant, 2_000);
await server.sql(
  "begin; set local session_replication_role = replica; update invoices set wms_order_id = null; commit",
);
await server.sql("vacuum analyze");

type Plan = { "Relation Name"?: string; "Actual Loops": number; Plans?: Plan[] };

/** How often the plan looks a company up. */
function lookUps({ "Relation Name": relation, "Actual Loops": loops, Plans = [] }: Plan): number {
  return Plans.reduce((sum, plan) => sum + lookUps(plan), relation === "companies" ? loops : 0);
}

const sorted = ["-infinity", "infinity", null, null, null, "total", SHOWN, 1_900];

for (const [name, parameters] of [
  ["list_orders_all", [2_000, ...sorted]],
  ["list_orders_shown", [2_000, ...sorted, "not_sent", ""]],
  ["page_orders_all", [1_950, 1_900]],
  ["page_orders_shown", [1_950, "not_sent", "", 1_900]],
] as const) {
  test(`a far page looks up what it shows: ${name}`, async () => {
    const { text } = statements.find((statement) => statement.name === name) ?? {};
    assert.ok(text, name);
    const client = new pg.Client(server.connection);
    await client.connect();
    for (const [setting, value] of Object.entries(requestSettings)) await client.query(`set ${setting} = '${value}'`);
    const { rows } = await client.query(`explain (analyze, format json) ${text}`, [tenant, ...parameters]);
    await client.end();
    const [{ Plan: plan }] = rows[0]["QUERY PLAN"];
    assert.equal(plan["Actual Rows"], SHOWN);
    assert.equal(lookUps(plan), SHOWN);
  });
}
