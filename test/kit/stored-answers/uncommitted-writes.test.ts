import assert from "node:assert/strict";
import { test } from "node:test";
import { errors } from "../../../src/kit/errors.ts";
import { createAnswerOnce } from "../../../src/kit/stored-answers/answer-once.ts";
import { DatabaseUnavailable } from "../../../src/platform/postgres/failures.ts";
import type { Call } from "../../../src/platform/postgres/statement.ts";
import { startServer } from "../../harness.ts";
import { poll } from "../../program.ts";

/** The promises of transactions that wait for their callers (docs/decisions/0058-kept-answers.md). */
const server = await startServer();
const tenant = await server.createTenant();
const { database } = server.deps;

const statement = {
  name: "insert_held_company",
  text: "insert into companies (tenant_id, name, country, status) select $1, e.name, 'RO', 'prospect' from json_to_recordset($2) as e (name text) returning id",
};
const insert = (name: string): Call => ({ statement, parameters: [], entries: [{ name }] });

async function numberOf(...names: string[]): Promise<number> {
  const sql = "select count(*)::int as n from companies where tenant_id = $1 and name = any($2)";
  return Number((await server.sql(sql, [tenant.id, names]))[0]?.n);
}

async function untilNoneIsOpen(): Promise<void> {
  const open =
    "select pid from pg_stat_activity where state = 'idle in transaction' and application_name = 'liaison' and datname = current_database()";
  await poll("the end of the transaction", async () => (await server.sql(open)).length === 0);
}

test("rows arrive before the commit, and the last calls of all are committed with them", async () => {
  const held = await Promise.all(
    ["A1", "A2"].map(async (name) => database.writeUncommitted(tenant.id, [insert(name)], false)),
  );
  assert.ok(held.every(({ outcome }) => Number(outcome[0]?.[0]?.[0]) > 0));
  assert.equal(await numberOf("A1", "A2"), 0);
  await Promise.all(held.map(async ({ commit }, index) => commit(insert(`last ${index}`))));
  assert.equal(await numberOf("A1", "A2", "last 0", "last 1"), 4);
});

test("a transaction whose caller does not come back is rolled back", async () => {
  for (const alone of [false, true]) {
    const [gone, other] = await Promise.all(
      ["B1", "B2"].map(async (name) => database.writeUncommitted(tenant.id, [insert(name)], alone)),
    );
    const committing = other?.commit(null);
    // Alone it is nobody else's; together it fails the other one too, which gets that error.
    if (alone) await committing;
    else await assert.rejects(committing ?? Promise.resolve(), DatabaseUnavailable);
    await untilNoneIsOpen();
    await assert.rejects(gone?.commit(insert("late")) ?? Promise.resolve(), DatabaseUnavailable);
    assert.equal(await numberOf("B1", "late"), 0);
  }
});

test("a request that fails behind its write is done once when it is sent again; one that is rejected has written", async (t) => {
  const answerOnce = createAnswerOnce();
  const keyed = { apiKey: "0", request: "00", status: 201, isLarge: false };
  const send = async (name: string, failure: Error | null) =>
    await answerOnce(server.deps, tenant.id, { ...keyed, key: name }, async (tools) => {
      await tools.database.write(tenant.id, [insert(name)]);
      if (failure !== null) throw failure;
      return { status: 201, json: "{}" };
    });
  const unavailable = new DatabaseUnavailable("a read broke", true);
  // The time in which a caller should commit does not pass: the request itself ends its transaction.
  t.mock.timers.enable({ apis: ["setTimeout"] });
  await assert.rejects(send("C1", unavailable), unavailable);
  t.mock.timers.reset();
  await untilNoneIsOpen();
  assert.equal(await numberOf("C1"), 0);
  await send("C1", null);
  await send("C1", null);
  assert.equal(await numberOf("C1"), 1);
  await assert.rejects(send("C2", errors.idempotencyKeyInvalid()));
  assert.equal(await numberOf("C2"), 1);
});
