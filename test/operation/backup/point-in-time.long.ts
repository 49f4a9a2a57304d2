import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, test } from "node:test";
import pg from "pg";
import { startSimulator } from "../../../wms-simulator/simulator.ts";
import { poll, type Server } from "../../program.ts";
import { createArchivingPostgres } from "./debian-postgres.ts";
import {
  connectCompanies,
  createInstance,
  judge,
  keepWriting,
  ordersByInvoice,
  untilSent,
  type Given,
} from "./drill.ts";

/** The drill of docs/operations.md 15, with PostgreSQL's own tools. */

const WAREHOUSES = ["north", "south"];
/** They are sent before each step. */
const ORDERS = 40;

/** Slow warehouses, which make a second order of an invoice that comes twice. */
const simulator = await startSimulator({ faults: { slow: 1, duplicates: 1 }, slowMs: 100 });
after(async () => await simulator.close());
const postgres = await createArchivingPostgres();
const instance = createInstance("data", simulator, null, { DATABASE_URL: postgres.url });
const given: Given = { companies: new Set(), contacts: new Set(), invoices: new Set() };
const requests = { token: "", tenant: "", invoices: [] as string[] };
const primary = postgres.place("primary");
/** Invoices that the database has lost. */
const allLost = new Set<number>();

test("a recovery to a point in time is noticed, calls are held, and after resume nothing is ordered twice", async () => {
  await instance.json("init");
  await instance.json("tenant", "create", "acme", "--name", "Acme");
  const capabilities = "companies:write,contacts:write,invoices:write";
  const key = ["--tenant", "acme", "--name", "Shop", "--rate", "0", "--capabilities", capabilities];
  requests.token = (await instance.json("key", "create", ...key)).token;
  const first = await instance.serve();
  assert.doesNotMatch(first.output(), /are held/);
  requests.tenant = await ask("select id::text from tenants");
  const owner = await connect();
  requests.invoices = await connectCompanies(instance, { ...requests, url: first.url }, WAREHOUSES, owner);

  await writeUntil(first, ORDERS);
  const base = postgres.place("base");
  await postgres.run("pg_basebackup", "-D", base, "-c", "fast", "-X", "none");
  await writeUntil(first, 2 * ORDERS);
  const target = await ask("select clock_timestamp()::text");
  await writeUntil(first, 3 * ORDERS);
  await untilAllSent();
  await stopped(first);
  const [last = ""] = (
    await postgres.psql("select pg_walfile_name(pg_current_wal_insert_lsn())", "select pg_switch_wal()")
  ).split("\n");
  await poll("the archive", () => fs.existsSync(path.join(postgres.archive, last)));
  await postgres.stop(primary, "immediate");

  fs.appendFileSync(
    path.join(base, "postgresql.auto.conf"),
    `restore_command = 'cp ${postgres.archive}/%f %p'\nrecovery_target_time = '${target}'\nrecovery_target_action = 'promote'\n`,
  );
  fs.writeFileSync(path.join(base, "recovery.signal"), "");
  await postgres.start(base);
  await poll(
    "the end of the recovery",
    async () => (await postgres.psql("select pg_is_in_recovery()")).trim() === "f",
    60,
  );
  await goesOn("PostgreSQL is on timeline 2, and was on 1");
});

test("a standby that lagged is noticed when it is promoted, and what it lacks is not ordered twice", async () => {
  const [base, standby] = [postgres.place("base"), postgres.place("standby")];
  await postgres.run("pg_basebackup", "-D", standby, "-c", "fast", "-X", "fetch");
  const server = await instance.serve();
  assert.doesNotMatch(server.output(), /are held/);
  await writeUntil(server, (await countOrders()) + ORDERS);
  await untilAllSent();
  await stopped(server);
  await postgres.stop(base, "immediate");
  // It follows nobody, and reads no archive: what the primary did since is gone.
  fs.writeFileSync(path.join(standby, "postgresql.auto.conf"), "");
  fs.writeFileSync(path.join(standby, "standby.signal"), "");
  await postgres.start(standby);
  await postgres.run("pg_ctl", "-w", "-D", standby, "promote");
  await goesOn("PostgreSQL is on timeline 3, and was on 2");
});

/** Serves a database that has lost orders: nobody is called until `resume`, and then each invoice is sent once. */
async function goesOn(why: string): Promise<void> {
  const orders = await countOrders();
  const server = await instance.serve();
  const held = server.output().match(/^Calls to others are held .*$/gm) ?? [];
  assert.equal(held.length, 1, server.output());
  assert.ok(held[0]?.includes(`because ${why}: `), held[0]);
  const there = new Set((await ask("select string_agg(id::text, ' ') from invoices")).split(" ").map(Number));
  const lost = new Set([...given.invoices].filter((id) => !there.has(id)));
  assert.ok(lost.size > 0, "something is lost");
  await writeUntil(server, orders, 20);
  const client = await connect();
  await poll("a look at the queue", async () => (await client.query("select from lane_news")).rows.length === 0);
  assert.equal(await countOrders(), orders);
  assert.equal((await instance.json("doctor")).calls_held, true);
  assert.deepEqual(await instance.json("resume", "--after-loss"), { resumed: true, after_loss: true });
  await writeUntil(server, orders + ORDERS);
  await untilAllSent();
  for (const id of lost) allLost.add(id);
  const { dup, mismatched } = await judge(client, simulator, allLost);
  console.log(`orders=${await countOrders()} lost=${allLost.size} dup=${dup} mismatched=${mismatched}`);
  assert.deepEqual({ dup, mismatched }, { dup: 0, mismatched: 0 });
  await client.end();
  await stopped(server);
}

async function countOrders(): Promise<number> {
  return [...(await ordersByInvoice(simulator)).values()].flat().length;
}

/** Writes until the warehouses have more than `orders`, or, while calls are held, until `invoices` more are issued. */
async function writeUntil(server: Server, orders: number, invoices?: number): Promise<void> {
  const stop = new AbortController();
  const enough = given.invoices.size + (invoices ?? 0);
  const writing = keepWriting({ ...requests, url: server.url }, given, stop.signal);
  const isEnough = async () => (invoices === undefined ? (await countOrders()) > orders : given.invoices.size > enough);
  await Promise.race([writing, poll("more writes", isEnough, 120)]);
  stop.abort();
  await writing;
}

async function untilAllSent(): Promise<void> {
  const client = await connect();
  await untilSent(client);
  await client.end();
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(postgres.url);
  client.on("error", () => {});
  await client.connect();
  return client;
}

async function ask(statement: string): Promise<string> {
  const client = await connect();
  const { rows } = await client.query<string[]>({ text: statement, rowMode: "array" });
  await client.end();
  return String(rows[0]?.[0]);
}

async function stopped(server: Server): Promise<void> {
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0, server.complaints());
}
