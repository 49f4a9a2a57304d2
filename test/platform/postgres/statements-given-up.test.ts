import assert from "node:assert/strict";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import { after, test } from "node:test";
import pg from "pg";
import { createLogger } from "../../../src/platform/logger.ts";
import { DatabaseUnavailable, isRetryable } from "../../../src/platform/postgres/failures.ts";
import { openDatabase } from "../../../src/platform/postgres/open-database.ts";
import { openRequestRole } from "../../../src/platform/postgres/request-role.ts";
import type { Call, Statement } from "../../../src/platform/postgres/statement.ts";
import { asTenantId } from "../../../src/platform/postgres/tenant-id.ts";
import { cancelUntil } from "../../../src/platform/postgres/transactions/cancel.ts";
import { runTransaction } from "../../../src/platform/postgres/transactions/transaction.ts";
import type { Caller } from "../../../src/platform/sharing/caller.ts";
import { createSharing, type Sharing } from "../../../src/platform/sharing/sharing.ts";
import { createDatabase } from "../../harness.ts";
import { statementsSent } from "../../statements-sent.ts";

const connection = await createDatabase();
const requests = await openRequestRole(connection);
const database = openDatabase({
  connection,
  requests,
  logger: createLogger("silent"),
  sharing: withOneLane(),
});
const tenant = asTenantId("1");
after(async () => await database.close());

function withOneLane(): Sharing {
  const few = { all: 4, each: 2, alone: 4, waitMs: 10_000 };
  const one = { all: 2, each: 1, alone: 1, waitMs: 10_000 };
  return createSharing({ quickReads: few, writes: few, longReads: one, waitingWrites: one });
}

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

test("a statement that takes too long is given up, and counts as an unavailable database", async () => {
  const write = database.write(tenant, [
    call("impatient", "select set_config('statement_timeout', '50', true), $1::text"),
    call("endless", "select $1::text, pg_sleep(60)"),
  ]);
  await assert.rejects(write, DatabaseUnavailable);
});

test("a file that cannot be read in a transaction is no unavailable database", async () => {
  // Nothing is there to read at the beginning of a process's memory.
  const reading = database.transaction(tenant, async () => void (await fs.promises.readFile("/proc/self/mem")));
  await assert.rejects(reading, { code: "EIO" });
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
  const impatient = database.quick.readAll(tenant, [
    call("impatient_read", "select set_config('statement_timeout', '300', true), $1::text"),
    call("endless_neighbour", "select $1::text, pg_sleep(60)"),
  ]);
  const neighbours = Array.from({ length: 5 }, async (_, index) =>
    database.quick.read(tenant, statement(`neighbour_${index}`, `select $1::text, ${index}`)),
  );
  await assert.rejects(impatient, DatabaseUnavailable);
  for (const [index, rows] of (await Promise.all(neighbours)).entries()) assert.deepEqual(rows, [["1", String(index)]]);
});

test("a read that took too long beside others does not try the shared connections again", async () => {
  const [ENDLESS, BESIDE] = ["endless_beside_others", "beside_an_endless_one"];
  const ask = async () => {
    const endless = database.quick.readAll(tenant, [
      call("impatient_beside_others", "select set_config('statement_timeout', '300', true), $1::text"),
      call(ENDLESS, "select $1::text, pg_sleep(60)"),
    ]);
    const beside = database.quick.read(tenant, statement(BESIDE, "select $1::text"));
    await assert.rejects(endless, DatabaseUnavailable);
    assert.deepEqual(await beside, [["1"]]);
    return [statementsSent(ENDLESS), statementsSent(BESIDE)];
  };
  // On a shared connection, where both fail, and in the pool.
  assert.deepEqual(await ask(), [2, 2]);
  assert.deepEqual(await ask(), [3, 3]);
});

test("where the database has no connection left for it, a read fails at once, and is answered once it has", async (t) => {
  const full = await createDatabase();
  const owner = new pg.Client(full);
  await owner.connect();
  const reader = openDatabase({
    connection: full,
    requests: await openRequestRole(full),
    logger: createLogger("silent"),
    sharing: withOneLane(),
  });
  t.after(async () => {
    await reader.close();
    await owner.end();
  });
  const read = async () => await reader.slow.read(tenant, statement("read_of_a_full_database", "select $1::text"));
  await owner.query(`alter database ${full.database} connection limit 0`);
  await assert.rejects(read(), DatabaseUnavailable);
  await owner.query(`alter database ${full.database} connection limit -1`);
  assert.deepEqual(await read(), [["1"]]);
});

test("what was asked for before the closing is answered", async () => {
  const logger = createLogger("silent");
  const closing = openDatabase({ connection, requests, logger, sharing: withOneLane(), closePatienceMs: 60_000 });
  const asked = Array.from({ length: 300 }, () => [
    closing.quick.readAll(tenant, [call("asked", "select $1::text")]),
    closing.write(tenant, [call("asked_write", "select $1::text")]),
  ]);
  await closing.close();
  for (const answers of await Promise.all(asked.flat())) assert.deepEqual(answers, [[["1"]]]);
});

test("closing while connecting, and while statements run, waits for none of them", async () => {
  const logger = createLogger("silent");
  const connecting = openDatabase({ connection, requests, logger, sharing: withOneLane() });
  const early = connecting.quick.read(tenant, statement("early", "select $1::text")).catch((error: unknown) => error);
  await connecting.close();
  await early;

  const busy = openDatabase({ connection, requests, logger, sharing: withOneLane() });
  const endless = [
    call("without_timeout", "select set_config('statement_timeout', '0', true), $1::text"),
    call("endless_read", "select $1::text, pg_sleep(60)"),
  ];
  await busy.quick.read(tenant, statement("first", "select $1::text"));
  const running = Promise.allSettled([busy.quick.readAll(tenant, endless), busy.slow.readAll(tenant, endless)]);
  await busy.close();
  for (const { status } of await running) assert.equal(status, "rejected");
});

function createCaller(): Caller & { hangUp: () => void } {
  const callbacks = new Set<() => void>();
  const caller = {
    hasHungUp: false,
    holder: "somebody",
    whenHungUp(callback: () => void) {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
    hangUp() {
      caller.hasHungUp = true;
      for (const callback of callbacks) callback();
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

test("a cancellation at a host that accepts and is silent ends, and the connection is not used again", async (t) => {
  const sockets: net.Socket[] = [];
  const silent = net.createServer({ allowHalfOpen: true }, (socket) => sockets.push(socket.on("error", () => {})));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as net.AddressInfo;
  const client = Object.assign(new pg.Client({ host: "127.0.0.1", port }), { processID: 1, secretKey: 1 });
  assert.equal(await cancelUntil(client, () => false), false);
  assert.equal(sockets.length, 1, "it was asked");
});
