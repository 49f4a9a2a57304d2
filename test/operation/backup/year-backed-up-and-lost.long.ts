import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, test } from "node:test";
import type pg from "pg";
import { startSimulator } from "../../../wms-simulator/simulator.ts";
import { requester } from "../../cli/installation.ts";
import { connectTo } from "../../failure/data-directory.ts";
import { poll, type Program } from "../../program.ts";
import { miscounted, stateOf } from "./databases.ts";
import {
  connectCompanies,
  createInstance,
  judge,
  keepWriting,
  ordersByInvoice,
  untilSent,
  type Given,
  type Instance,
} from "./drill.ts";
import { answersOf } from "./seeded.ts";
import { fillYear } from "./year.ts";

/** Of the tenant's year; five invoices each. */
const COMPANIES = Number(process.env.LIAISON_TEST_COMPANIES ?? 20_000);
/** Bytes that a backup or a restore may hold, whatever the size. */
const MOST_MEMORY = 300 * 2 ** 20;
const WAREHOUSES = ["north", "south", "west"];
/** There are as many orders, and more on their way, when a backup is taken or a power cut comes. */
const ORDERS = 50;

/**
 * Slow warehouses, which make a second order of a pair that they have: a sender that does not look first orders goods
 * twice.
 */
const simulator = await startSimulator({ faults: { slow: 1, duplicates: 1 }, slowMs: 200 });
after(async () => await simulator.close());
const source = createInstance("source", simulator);
/** Restored from its backup; and the invoices that it does not have. */
let second = source;
const lost = new Set<number>();
const given: Given = { companies: new Set(), contacts: new Set(), invoices: new Set() };
const file = path.join(path.dirname(source.dataDir), "year.backup");
/** What requests need, but for the instance's URL. */
const requests = { token: "", tenant: "", invoices: [] as string[] };

const countOrders = async () => [...(await ordersByInvoice(simulator)).values()].flat().length;

test("a year of data is backed up in little memory while many write and orders are on their way", async () => {
  const server = await source.serve();
  await source.json("tenant", "create", "year", "--name", "Year");
  const capabilities = "companies:write,contacts:write,addresses:write,invoices:write";
  const key = ["--tenant", "year", "--name", "Shop", "--rate", "0", "--capabilities", capabilities];
  requests.token = (await source.json("key", "create", ...key)).token;
  const owner = await connectTo(source.dataDir);
  requests.tenant = String((await owner.query("select id from tenants where slug = 'year'")).rows[0].id);
  await fillYear(owner, requests.tenant, COMPANIES);
  requests.invoices = await connectCompanies(source, { ...requests, url: server.url }, WAREHOUSES);

  const stop = new AbortController();
  const writing = keepWriting({ ...requests, url: server.url }, given, stop.signal);
  writing.catch(() => {});
  await poll("the first orders", async () => (await countOrders()) > ORDERS);
  const alone = await latencies(server.url, AbortSignal.timeout(5_000));
  const program = source.start("backup", "--json", file);
  const [peak, over] = [watch(program), new AbortController()];
  const [beside, taken] = await Promise.all([
    latencies(server.url, over.signal),
    program.finished().finally(() => over.abort()),
  ]);
  assert.equal(taken.code, 0, taken.stderr);
  console.log(`${taken.stdout.trim()} of ${peak() / 2 ** 20} MiB; look-ups ${alone} ms alone, ${beside} ms beside it`);
  assert.ok(peak() < MOST_MEMORY);
  // It goes on behind the backup, and then the power is cut.
  const before = await countOrders();
  await poll("later orders", async () => (await countOrders()) > before + ORDERS);
  stop.abort();
  await writing;
  await untilSent(owner);
  await owner.end();
  await source.kill(server);
});

test("an instance that is restored after a loss calls nobody until it resumes; then nothing is ordered twice and no id is given out twice", async () => {
  second = await restoredFrom(source, "second");
  const orders = await countOrders();
  const server = await second.serve();
  const owner = await connectTo(second.dataDir);
  assert.deepEqual(await miscounted(owner), []);
  const there = new Set((await owner.query("select id::int from invoices")).rows.map(({ id }) => Number(id)));
  for (const id of given.invoices) if (!there.has(id)) lost.add(id);
  assert.ok(lost.size > 0 && (await onTheirWay(owner)) > 0, "the backup is of the middle of sending");
  await poll("a look at the queue", async () => (await owner.query("select from lane_news")).rows.length === 0);
  assert.equal(await countOrders(), orders);
  assert.deepEqual(await second.json("resume", "--after-loss"), { resumed: true, after_loss: true });
  await writeUntil(server.url, orders + ORDERS);
  await untilSent(owner);
  await assertOrdered(owner);
  // The power is cut in the middle of sending, and nothing is lost.
  await writeUntil(server.url, (await countOrders()) + ORDERS);
  await owner.end();
  await second.kill(server);
});

test("an instance that is restored without a loss is the same, row by row and answer by answer, and sends what was on its way once", async () => {
  assert.equal((await second.start("backup", file).finished()).code, 0);
  const third = await restoredFrom(second, "third");
  const servers = [
    await second.serve({ LIAISON_WORKER: "off" }),
    await third.serve({ LIAISON_WORKER: "off" }),
  ] as const;
  const [old, owner] = [await connectTo(second.dataDir), await connectTo(third.dataDir)];
  assert.ok((await onTheirWay(owner)) > 0, "orders are on their way");
  const [before, now] = [await stateOf(old), await stateOf(owner)];
  // The ids continue behind all that the lost time may have given out.
  for (const state of [before, now]) {
    const own = ["migrations", "sessions", ...[...state.keys()].filter((name) => name.endsWith("_seq"))];
    for (const name of own) state.delete(name);
  }
  assert.deepEqual([...now], [...before]);
  assert.deepEqual(await miscounted(owner), []);
  const [answers, same] = [
    await answersOf(servers[0].url, requests.token),
    await answersOf(servers[1].url, requests.token),
  ];
  assert.deepEqual(same, answers);
  await old.end();
  await second.kill(servers[0]);

  servers[1].process.kill("SIGTERM");
  await servers[1].ended;
  await owner.end();
  assert.deepEqual(await third.json("resume"), { resumed: true, after_loss: false });
  const server = await third.serve();
  const last = await connectTo(third.dataDir);
  await writeUntil(server.url, (await countOrders()) + ORDERS);
  await untilSent(last);
  await assertOrdered(last);
  assert.deepEqual(await miscounted(last), []);
  await last.end();
});

/** Writes to an instance until the warehouses have this number of orders. */
async function writeUntil(url: string, orders: number): Promise<void> {
  const stop = new AbortController();
  const writing = keepWriting({ ...requests, url }, given, stop.signal);
  await Promise.race([writing, poll("more orders", async () => (await countOrders()) > orders, 120)]);
  stop.abort();
  await writing;
}

async function onTheirWay(client: pg.Client): Promise<number> {
  const { rowCount } = await client.query("select from invoices where wms_state in ('queued', 'sending', 'unknown')");
  return rowCount ?? 0;
}

async function assertOrdered(client: pg.Client): Promise<void> {
  const { dup, mismatched } = await judge(client, simulator, lost);
  console.log(`orders=${await countOrders()} lost=${lost.size} dup=${dup} mismatched=${mismatched}`);
  assert.deepEqual({ dup, mismatched }, { dup: 0, mismatched: 0 });
}

/** An instance that the backup of another one fills. */
async function restoredFrom(old: Instance, name: string): Promise<Instance> {
  const instance = createInstance(name, simulator, old);
  const began = performance.now();
  const program = instance.start("restore", "--json", file);
  const peak = watch(program);
  const { code, stdout, stderr } = await program.finished();
  assert.equal(code, 0, stderr);
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`restored in ${seconds} s, ${peak() / 2 ** 20} MiB: ${stdout.trim()}`);
  assert.ok(peak() < MOST_MEMORY);
  return instance;
}

/** The median of look-ups, one after the other, in milliseconds, until the signal. */
async function latencies(url: string, until: AbortSignal): Promise<number> {
  const api = requester(url, requests.token);
  const took: number[] = [];
  while (!until.aborted) {
    const began = performance.now();
    const { status } = await api("GET", `/api/v1/companies/${1 + Math.floor(Math.random() * COMPANIES * 0.9)}`);
    assert.equal(status, 200);
    took.push(performance.now() - began);
  }
  return took.toSorted((a, b) => a - b)[took.length >> 1] ?? 0;
}

/** The most bytes that a program had in memory; Linux alone reports it. */
function watch({ process: { pid }, ended }: Program): () => number {
  let most = 0;
  const timer = setInterval(() => {
    const status = fs.existsSync(`/proc/${pid}/status`) ? fs.readFileSync(`/proc/${pid}/status`, "utf8") : "";
    most = Math.max(most, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024);
  }, 100);
  void ended.then(() => clearInterval(timer));
  return () => most;
}
