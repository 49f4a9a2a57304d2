import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { callWith, namedStatement, namedTexts, type NamedValues } from "../../src/platform/postgres/query.ts";
import { requestSettings } from "../../src/platform/postgres/request-settings.ts";
import { loadStatements } from "./collected-statements.ts";
import { fillTables } from "./filled-tables.ts";

/** Of thousands of invoices a page looks up those that it shows, whole and with their companies: no others. */
const { startServer } = await import("../harness.ts");

const SHOWN = 50;
const server = await startServer();
const tenant = (await server.createTenant()).id;
await loadStatements();
await fillTables(server, tenant, 2_000);
await server.sql(
  "begin; set local session_replication_role = replica; update invoices set wms_order_id = null; commit",
);
await server.sql("vacuum analyze");

type Plan = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
};

/** What PostgreSQL did for a statement. */
async function planOf(name: string, values: NamedValues): Promise<Plan> {
  const { statement, parameters } = callWith(namedStatement(name, namedTexts().get(name) ?? ""), values);
  const client = new pg.Client(server.connection);
  await client.connect();
  try {
    for (const [setting, value] of Object.entries(requestSettings)) await client.query(`set ${setting} = '${value}'`);
    const { rows } = await client.query(`explain (analyze, format json) ${statement.text}`, [tenant, ...parameters]);
    return rows[0]["QUERY PLAN"][0].Plan;
  } finally {
    await client.end();
  }
}

/** How often the plan looks a company up. */
function lookUps({ "Relation Name": relation, "Actual Loops": loops, Plans = [] }: Plan): number {
  return Plans.reduce((sum, plan) => sum + lookUps(plan), relation === "companies" ? loops : 0);
}

const days = { from: "-infinity", to: "infinity" };
const others = {
  company: null,
  currency: null,
  sku: null,
  is_street_missing: false,
  custom: null,
  due_from: null,
  due_to: null,
};
const narrowed = { ...days, instance: null, assigned_to: null, search: null, ...others };
const sorted = { ...narrowed, most: 2_000, sort: "total", limit: SHOWN, offset: 1_900 };
const shown = { shown: "not_sent", other_shown: "" };

for (const [name, values] of [
  ["list_orders_all", sorted],
  ["list_orders_shown", { ...sorted, ...shown }],
  ["page_orders_all", { most: 1_950, offset: 1_900 }],
  ["page_orders_shown", { most: 1_950, offset: 1_900, ...shown }],
] as const) {
  test(`a far page looks up what it shows: ${name}`, async () => {
    const plan = await planOf(name, values);
    assert.equal(plan["Actual Rows"], SHOWN);
    assert.equal(lookUps(plan), SHOWN);
  });
}

/** What the plan reads: of which index, whether of the table too, and how many rows, left out or not. */
function readsOf({ Plans = [], ...node }: Plan): string[] {
  const rows = node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0);
  const own = node["Relation Name"] === undefined ? [] : [`${node["Node Type"]} ${node["Index Name"]}: ${rows}`];
  return [...own, ...Plans.flatMap(readsOf)];
}

for (const name of ["count_orders_attention", "count_invoices_in_need"]) {
  test(`of hundreds of orders that move, those in need are counted by an index alone: ${name}`, async () => {
    await server.sql(
      `begin; set local session_replication_role = replica;
      update invoices set wms_order_id = id, wms_instance = 'north', wms_status = 'picking', wms_is_final = false,
        wms_moved_at = case when id <= 7 then now() - interval '9 days' else now() end,
        wms_settled_at = null, wms_put_off_until = null
      where id % 10 = 7 or id <= 7;
      commit`,
    );
    await server.sql("vacuum analyze invoices");
    assert.deepEqual(readsOf(await planOf(name, { most: 1_000 })), ["Index Only Scan invoices_needing: 7"]);
  });
}
