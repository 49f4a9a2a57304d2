import assert from "node:assert/strict";
import http from "node:http";
import net from "node:net";
import { test, type TestContext } from "node:test";
import pg from "pg";
import { startServer, type Answer, type TestTenant } from "../harness.ts";
import { poll } from "../program.ts";

/**
 * Whatever one tenant asks for, the others are answered meanwhile. What a tenant asks for takes as long as the test
 * wants, because it waits for a lock that the test holds.
 */
const server = await startServer();
const PATH = "/api/v1/companies";
const MANY = 40;
/** Of the connections for what may take long, the harness opens four, the most that one tenant may have. */
const SHARE = 2;

const busy = await server.createTenant();
const other = await server.createTenant();
const company = (await busy.post(PATH, { name: "Busy" })).body.data.id as number;
await other.post(PATH, { name: "Other" });

test("searches of one tenant leave connections for another's", async (t) => {
  const release = await lockTable(t, "contacts");
  const searches = many(() => busy.get(`${PATH}/${company}/contacts?search=a`));
  await server.untilWaiting(SHARE);
  await answeredMeanwhile(other);
  await release();
  for (const { status } of await Promise.all(searches)) assert.equal(status, 200);
});

test("reads that turn out not to be quick are no longer in anybody's way", async (t) => {
  const release = await lockTable(t, "addresses");
  const lists = many(() => busy.get(`${PATH}/${company}/addresses`));
  await server.untilWaiting(1);
  await answeredMeanwhile(other);
  await server.untilWaiting(SHARE);
  await answeredMeanwhile(other);
  await release();
  for (const { status } of await Promise.all(lists)) assert.equal(status, 200);
});

test("writes that wait for locks are in nobody's way, and leave the rest of their tenant's alone", async (t) => {
  const ids: number[] = [];
  for (let i = 0; i < MANY; i++) ids.push((await busy.post(PATH, { name: `Locked ${i}` })).body.data.id);
  const holder = await connect(t);
  await holder.query("begin");
  await holder.query("select from companies where tenant_id = $1 and id = any($2) for update", [busy.id, ids]);
  const puts = ids.map((id) => busy.put(`${PATH}/${id}`, { notes: "Called." }));
  await server.untilWaiting(SHARE);
  await answeredMeanwhile(other);
  // Transactions of several steps take the same connections: without a share of these one tenant's locks would have
  // all.
  const two = { name: "two", text: "select 2, $1::int" };
  assert.deepEqual(
    await server.deps.database.transaction(other.id, async (run) => await run({ statement: two, parameters: [] })),
    [["2", other.id]],
  );
  assert.equal((await busy.get(`${PATH}?search=locked`)).body.total, MANY);
  assert.equal((await busy.put(`${PATH}/${company}`, { notes: "Called." })).status, 200);
  await holder.query("commit");
  for (const { status } of await Promise.all(puts)) assert.equal(status, 200);
});

test("what a client asked for who hung up is cancelled, or never started", async (t) => {
  const release = await lockTable(t, "contacts");
  const path = `${PATH}/${company}/contacts?search=a`;
  const clients = Array.from({ length: MANY }, () => hangable(busy, path));
  await server.untilWaiting(SHARE);
  for (const { hangUp } of clients) hangUp();
  await untilWaitingExactly(0);
  const next = busy.get(path);
  // Had any of the others been started instead, it would wait as well.
  await untilWaitingExactly(1);
  await release();
  assert.equal((await next).status, 200);
});

test("a search of more than 255 code points matches nothing, without asking for what it would match", async (t) => {
  const name = "ș".repeat(255);
  const found = (await busy.post(PATH, { name })).body.data;
  await busy.post(`${PATH}/${found.id}/addresses`, { address: name });
  const paths = [PATH, `${PATH}/${found.id}/addresses`];
  for (const path of paths) assert.equal((await busy.get(`${path}?search=${encodeURIComponent(name)}`)).body.total, 1);
  const release = await lockTable(t, "addresses");
  for (const path of paths) {
    const { status, body } = await busy.get(`${path}?search=${encodeURIComponent(`${name}s`)}`);
    assert.deepEqual([status, body.total, body.data], [200, 0, []]);
  }
  await release();
});

test("however many sets of fields a tenant updates, everybody's latest are prepared, and no more", async () => {
  const { id } = (await other.post(PATH, { name: "Sets" })).body.data;
  const fields = ["industry", "website", "address", "city", "county", "postal_code", "notes", "activity_domain"];
  for (let set = 1; set < 2 ** fields.length; set++) {
    const sent = fields.filter((_, index) => (set & (1 << index)) !== 0);
    const body = Object.fromEntries(sent.map((field) => [field, `Set ${set}`]));
    assert.equal((await busy.put(`${PATH}/${company}`, body)).status, 200);
  }
  const before = await preparedUpdates();
  assert.equal((await other.put(`${PATH}/${id}`, { managing_company: "Other" })).status, 200);
  const after = await preparedUpdates();
  assert.equal(after.filter((text) => text.includes("set managing_company")).length, 1);
  assert.ok(before.length > 0 && before.length <= 100 && after.length <= 100, `${before.length}, ${after.length}`);
});

test("of requests that are sent on a connection without waiting each begins when the one before is answered", async (t) => {
  const { id } = (await busy.post(PATH, { name: "Pipelined" })).body.data;
  const holder = await connect(t);
  await holder.query("begin");
  await holder.query("select from companies where tenant_id = $1 and id = $2 for update", [busy.id, id]);
  const answered = pipelined(t, busy, [
    { method: "PUT", path: `${PATH}/${id}`, body: { notes: "First." } },
    { method: "POST", path: PATH, body: { name: "Second of two" } },
  ]);
  await server.untilWaiting(1);
  await answeredMeanwhile(busy);
  const second = async () => (await busy.get(`${PATH}?search=second`)).body.total as number;
  assert.equal(await second(), 0);
  await holder.query("commit");
  assert.deepEqual(await answered, ["200", "201"]);
  assert.equal(await second(), 1);
});

test("a hundred requests of a tenant are worked on at once; the next wait, and no other tenant's", async (t) => {
  const tenant = await server.createTenant();
  // Each is worked on until its body is there.
  const hold = () => withheld(t, tenant);
  let arrived = 0;
  const count = (): void => void arrived++;
  server.server.server.on("request", count);
  const held = Array.from({ length: 99 }, hold);
  await poll("the requests without bodies", () => arrived === held.length, 30);
  server.server.server.off("request", count);
  for (let i = 0; i < 10; i++) assert.equal((await tenant.post(PATH, {})).status, 422);
  held.push(hold());
  let next = probe(tenant);
  await answeredMeanwhile(other);
  for (let tries = 0; tries < 50 && next.isAnswered(); tries++) {
    next = probe(tenant);
    await answeredMeanwhile(other);
  }
  assert.equal(next.isAnswered(), false);
  held[0]?.destroy();
  assert.equal((await next.answer).status, 422);
});

/** A request that needs no database to be answered. */
function probe(tenant: TestTenant): { answer: Promise<Answer>; isAnswered: () => boolean } {
  let isAnswered = false;
  const answer = tenant.post(PATH, {}).then((it) => ((isAnswered = true), it));
  return { answer, isAnswered: () => isAnswered };
}

/** A request whose body does not come. */
function withheld(t: TestContext, { token }: TestTenant): http.ClientRequest {
  const headers = { authorization: `Bearer ${token}`, "content-length": "2" };
  const asking = http.request(`${server.url}${PATH}`, { agent: false, method: "POST", headers });
  asking.on("error", () => {});
  asking.flushHeaders();
  t.after(() => asking.destroy());
  return asking;
}

/** On the one lane for writes that the harness opens. */
async function preparedUpdates(): Promise<string[]> {
  const text = "select statement, $1::text from pg_prepared_statements where name like 'update_company%'";
  const [rows] = await server.deps.database.write(other.id, [
    { statement: { name: "prepared_updates", text }, parameters: [] },
  ]);
  return (rows ?? []).map(([statement]) => String(statement));
}

/** The usual things, each of which would wait if the busy tenant held all of anything. */
async function answeredMeanwhile(tenant: TestTenant): Promise<void> {
  const answers = [
    await tenant.get(PATH),
    await tenant.get(`${PATH}?search=other`),
    await tenant.post(PATH, { name: "Another" }),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 201],
  );
}

function many(ask: () => Promise<Answer>): Promise<Answer>[] {
  return Array.from({ length: MANY }, ask);
}

/** The statuses of requests that are sent at once, on one connection. */
async function pipelined(
  t: TestContext,
  { token }: TestTenant,
  requests: { method: string; path: string; body: object }[],
): Promise<string[]> {
  const socket = net.connect(Number(new URL(server.url).port), "127.0.0.1");
  t.after(() => socket.destroy());
  for (const { method, path, body } of requests) {
    const json = JSON.stringify(body);
    socket.write(
      `${method} ${path} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${json.length}\r\n\r\n${json}`,
    );
  }
  let received = "";
  for await (const bytes of socket) {
    received += String(bytes);
    const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = ""]) => status);
    if (statuses.length === requests.length) return statuses;
  }
  throw new Error("the connection was closed before everything was answered");
}

/** Nobody reads the table until it is released. */
async function lockTable(t: TestContext, table: string): Promise<() => Promise<void>> {
  const holder = await connect(t);
  await holder.query(`begin; lock table ${table} in access exclusive mode`);
  return async () => void (await holder.query("commit"));
}

async function connect(t: TestContext): Promise<pg.Client> {
  const client = new pg.Client(server.connection);
  await client.connect();
  t.after(async () => await client.end());
  return client;
}

async function waiting(): Promise<number> {
  const [row] = await server.sql(
    "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return Number(row?.n);
}

async function untilWaitingExactly(connections: number): Promise<void> {
  await poll(`exactly ${connections} connections that wait for locks`, async () => (await waiting()) === connections);
}

/** A request on a connection of its own. */
function hangable({ token }: TestTenant, path: string): { hangUp: () => void } {
  const asking = http.get(`${server.url}${path}`, { agent: false, headers: { authorization: `Bearer ${token}` } });
  asking.on("error", () => {});
  return { hangUp: () => asking.destroy() };
}
