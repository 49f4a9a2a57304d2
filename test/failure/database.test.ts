import assert from "node:assert/strict";
import { after, test } from "node:test";
import pg from "pg";
import { createDatabase } from "../harness.ts";
import { openDatabase } from "../../src/platform/postgres/database.ts";
import { openRequestRole } from "../../src/platform/postgres/request-role.ts";
import { createLogger } from "../../src/platform/logger.ts";
import type { Call, Statement } from "../../src/platform/postgres/statement.ts";
import { asTenantId } from "../../src/platform/postgres/tenant-id.ts";
import { DatabaseUnavailable, isRetryable } from "../../src/platform/postgres/failures.ts";
import type { Caller } from "../../src/platform/sharing/caller.ts";
import { Overloaded } from "../../src/platform/sharing/overloaded.ts";
import { runTransaction } from "../../src/platform/postgres/transaction.ts";

const connection = await createDatabase();
const requests = await openRequestRole(connection);
const database = openDatabase({
  connection,
  requests,
  logger: createLogger("silent"),
  lanes: 1,
  writeLanes: 1,
  poolSize: 1,
});
const tenant = asTenantId("1");
after(async () => await database.close());

const divide = call("divide", "select $1::text, 1 / $2::int", 0);

test("a statement whose preparation another unit's failure took along is prepared again", async () => {
  await database.write(tenant, [call("warm_up", "select $1::text")]);
  for (let round = 0; round < 20; round++) {
    const shared = call(`shared_${round}`, "select $1::text");
    const failing = database.write(tenant, [divide, shared]);
    const others = Array.from({ length: 20 }, async () => await database.write(tenant, [shared]));
    await assert.rejects(failing, (error) => error instanceof pg.DatabaseError && error.code === "22012");
    for (const rows of await Promise.all(others)) assert.deepEqual(rows, [[["1"]]]);
  }
});

test("more requests than a connection can answer in time are refused at once", async () => {
  const reads = await settled(
    2_500,
    async () => await database.quick.read(tenant, statement("read", "select $1::text")),
  );
  assert.deepEqual(reads, { answered: 2_000, refused: 500 });
});

test("more requests than may wait for the pool are refused at once", async () => {
  const slow = statement("slow", "select $1::text, pg_sleep(0.0001)");
  const events: string[] = [];
  const asked = Array.from({ length: 1_500 }, async () => {
    await database.slow.read(tenant, slow).then(
      () => events.push("answered"),
      (failure: unknown) => {
        assert.ok(failure instanceof Overloaded, String(failure));
        events.push("refused");
      },
    );
  });
  await Promise.all(asked);
  const refusedAtOnce = events.indexOf("answered");
  assert.ok(refusedAtOnce >= 400 && refusedAtOnce <= 500, `${refusedAtOnce} refused before the first was answered`);
});

test("a statement that takes too long is given up, and counts as an unavailable database", async () => {
  const write = database.write(tenant, [
    call("impatient", "select set_config('statement_timeout', '50', true), $1::text"),
    call("endless", "select $1::text, pg_sleep(60)"),
  ]);
  await assert.rejects(write, DatabaseUnavailable);
});

test("what a caller waits for who hangs up is given up, and nobody else's work with it", async () => {
  const sleeping = statement("sleeping", "select $1::text, pg_sleep(60)");
  const quick = statement("quick", "select $1::text");
  for (let round = 0; round < 30; round++) {
    const caller = createCaller();
    const given = [sleeping, quick].map(async (asked) => await database.forCaller(caller).slow.read(tenant, asked));
    const givenUp = Promise.allSettled(given);
    const others = Array.from({ length: 5 }, async () => await database.slow.read(tenant, quick));
    if (round % 2 === 0) await untilSleeping();
    caller.hangUp();
    for (const { status } of await givenUp) assert.equal(status, "rejected");
    for (const rows of await Promise.all(others)) assert.deepEqual(rows, [["1"]]);
  }
});

test("a read that takes too long is given up once, and its neighbours are answered", async () => {
  const began = performance.now();
  const impatient = database.quick.readAll(tenant, [
    call("impatient_read", "select set_config('statement_timeout', '300', true), $1::text"),
    call("endless_neighbour", "select $1::text, pg_sleep(60)"),
  ]);
  const neighbours = Array.from({ length: 5 }, async (_, index) =>
    database.quick.read(tenant, statement(`neighbour_${index}`, `select $1::text, ${index}`)),
  );
  await assert.rejects(impatient, DatabaseUnavailable);
  for (const [index, rows] of (await Promise.all(neighbours)).entries()) assert.deepEqual(rows, [["1", String(index)]]);
  assert.ok(performance.now() - began < 5_000);
});

test("what was asked for before the closing is answered", async () => {
  const closing = openDatabase({ connection, requests, logger: createLogger("silent"), lanes: 1, writeLanes: 1 });
  const asked = [
    settled(300, async () => await closing.quick.read(tenant, statement("asked", "select $1::text"))),
    settled(300, async () => await closing.write(tenant, [call("asked_write", "select $1::text")])),
  ];
  await closing.close();
  for (const outcome of await Promise.all(asked)) assert.deepEqual(outcome, { answered: 300, refused: 0 });
});

test("closing while connecting, and while statements run, ends within seconds", async () => {
  const logger = createLogger("silent");
  const connecting = openDatabase({ connection, requests, logger, lanes: 1 });
  const early = connecting.quick.read(tenant, statement("early", "select $1::text")).catch((error: unknown) => error);
  await connecting.close();
  await early;

  const busy = openDatabase({ connection, requests, logger, lanes: 1 });
  const endless = statement("endless_read", "select $1::text, pg_sleep(60)");
  await busy.quick.read(tenant, statement("first", "select $1::text"));
  const running = Promise.allSettled([busy.quick.read(tenant, endless), busy.slow.read(tenant, endless)]);
  const began = performance.now();
  await busy.close();
  for (const { status } of await running) assert.equal(status, "rejected");
  assert.ok(performance.now() - began < 5_000);
});

function createCaller(): Caller & { hangUp: () => void } {
  const told = new Set<() => void>();
  const caller = {
    hasHungUp: false,
    whenHungUp(tell: () => void) {
      told.add(tell);
      return () => told.delete(tell);
    },
    hangUp() {
      caller.hasHungUp = true;
      for (const tell of told) tell();
    },
  };
  return caller;
}

async function untilSleeping(): Promise<void> {
  const text = "select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'";
  const asleep = async () =>
    (await database.owner([{ statement: statement("", text), parameters: [] }]))[0]?.length === 1;
  while (!(await asleep()));
}

function statement(name: string, text: string): Statement {
  return { name, text };
}

function call(name: string, text: string, ...parameters: number[]): Call {
  return { statement: { name, text }, parameters };
}

async function settled(count: number, ask: () => Promise<unknown>): Promise<{ answered: number; refused: number }> {
  const results = await Promise.allSettled(Array.from({ length: count }, ask));
  const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
  for (const failure of failures) assert.ok(failure instanceof Overloaded, String(failure));
  return { answered: count - failures.length, refused: failures.length };
}

test("a transaction behind one that was left open and aborted is tried again, on a connection that is well by then", async (t) => {
  const client = new pg.Client({ ...connection, pipeline: true });
  await client.connect();
  t.after(async () => await client.end());
  await client.query("begin");
  await assert.rejects(client.query("select 1 / 0"));
  const calls = [{ statement: { name: "one", text: "select 1" }, parameters: [] }];
  const failure = await runTransaction(client, "begin", calls).catch((error: unknown) => error);
  assert.equal(isRetryable(failure), true, String(failure));
  assert.equal((await runTransaction(client, "begin", calls)).length, 1);
});
