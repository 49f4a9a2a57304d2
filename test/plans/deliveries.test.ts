import assert from "node:assert/strict";
import { after, test } from "node:test";
import pg from "pg";
import { record, type Due } from "../../src/exchange/webhooks/sending/sending-queries.ts";
import { requestSettings } from "../../src/platform/postgres/request-settings.ts";
import { withTenant } from "../../src/platform/postgres/statement.ts";
import { startServer } from "../harness.ts";

/**
 * Plans that were made while a webhook had next to no deliveries hold until somebody collects statistics, however many
 * there are then.
 */
const [MANY, SENT] = [3_000, 20];
const server = await startServer();
const tenant = await server.createTenant();
const { id: webhook } = (await tenant.post("/api/v1/webhooks", { url: "https://a.example" })).body.data;
const client = new pg.Client(server.connection);
await client.connect();
after(() => client.end());

type Plan = {
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
};

/** The rows of deliveries that a plan has looked at. */
function lookedAt({ Plans = [], ...plan }: Plan): number {
  const own = (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * plan["Actual Loops"];
  return Plans.reduce((sum, each) => sum + lookedAt(each), plan["Relation Name"] === "webhook_deliveries" ? own : 0);
}

test("what came of deliveries is written down, and the next ones go, without a walk over those before", async () => {
  for (const [name, value] of Object.entries(requestSettings)) await client.query(`set ${name} = '${value}'`);
  await client.query("vacuum analyze webhook_deliveries");
  await client.query("set plan_cache_mode = force_generic_plan");
  const statements = record(String(webhook), [resultOf("1")]);
  const run = async (explain: string, results: ReturnType<typeof resultOf>[]) => {
    const plans: Plan[] = [];
    for (const [index, { parameters }] of withTenant(tenant.id, record(String(webhook), results)).entries()) {
      const values = parameters.map((each) => pg.escapeLiteral(String(each)));
      const { rows } = await client.query(`${explain} execute s${index} (${values.join(", ")})`);
      plans.push(rows[0]?.["QUERY PLAN"][0].Plan);
    }
    return plans;
  };
  for (const [index, { statement }] of statements.entries())
    await client.query(`prepare s${index} as ${statement.text}`);
  await run("explain (format json)", [resultOf("1")]);
  const { rows } = await client.query<{ id: string }>(
    `insert into webhook_deliveries (tenant_id, webhook_id, round, change_id, type, resource, state, next_at)
     select $1, $2, 0, n, 'company.created', 'company/' || n % 1000, case when n > $3::integer - 1000 then 'waiting' else 'delivered' end,
       case when n > $3::integer - 1000 then now() end
     from generate_series(1, $3::integer) n returning id`,
    [tenant.id, webhook, MANY],
  );
  const newest = rows.slice(-SENT).map(({ id }) => resultOf(id));
  for (const [index, plan] of (await run("explain (analyze, format json)", newest)).entries())
    assert.ok(lookedAt(plan) <= 5 * SENT, `${statements[index]?.statement.name}: ${lookedAt(plan)} rows`);
});

function resultOf(id: string) {
  const verdict = {
    state: "delivered",
    status: 204,
    error: null,
    afterMs: 0,
    isAnswered: true,
    isGone: false,
  } as const;
  const resource = `company/${Number(id) % 1_000}`;
  const delivery: Due = { id, resource, nextAt: null, attempts: 0, testId: null, type: "", change: null };
  return { delivery, verdict, url: "", ms: 1, answer: null };
}
