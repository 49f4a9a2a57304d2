import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { readConfig } from "../../../src/kit/config.ts";
import { openWarehouse } from "../../../src/kit/warehouse/open-warehouse.ts";
import type { WarehouseClient } from "../../../src/kit/warehouse/warehouse-client.ts";
import { FAULTS, type Fault } from "../../../wms-simulator/faults.ts";
import { startSimulator, type Simulator, type SimulatorOptions } from "../../../wms-simulator/simulator.ts";
import { poll } from "../../program.ts";
import { administer } from "./instance-calls.ts";
import { orderOf } from "./orders.ts";

/** Of the calls that shall take too long, and of all others. */
const IMPATIENT_SECONDS = 0.4;
const PATIENT_SECONDS = 60;
const access = { subdomain: "nord", key: "wms-key-3f9a" };
const closing: (() => unknown)[] = [];

after(async () => {
  for (const close of closing) await close();
});

type Shown = { order_id: number; status: string; updated_at: string; vanished: boolean };
type Ledger = { instances: Record<string, { orders: Shown[]; duplicates: number; calls: Record<string, number> }> };

/** The outcome of a POST under each fault, and how many orders there are then. */
const posts: [fault: Fault, outcome: string, orders: number][] = [
  ["down", "unknown status", 0],
  ["hang", "unknown timeout", 0],
  ["cut-before", "unknown broken", 0],
  ["500-before", "unknown status", 0],
  ["429", "throttled", 0],
  ["403", "throttled", 0],
  ["422", "refused", 0],
  ["redirect", "unknown redirect", 0],
  ["late", "unknown timeout", 1],
  ["cut-after", "unknown broken", 1],
  ["500-after", "unknown status", 1],
  ["slow", "unknown timeout", 1],
  ["wrong-pair", "unknown pair", 1],
  ["invalid-id", "unknown invalid-order", 1],
  ["broken-json", "unknown invalid-order", 1],
  ["oversized", "unknown too-large", 1],
  ["cut-half", "unknown broken", 1],
  ["drip", "unknown timeout", 1],
  ["lag", "created", 1],
  ["stale", "created", 1],
  ["vanish", "created", 1],
  ["duplicates", "created", 1],
  ["conflict", "created", 1],
  ["no-bulk", "created", 1],
  ["too-late", "created", 1],
  ["no-cancel", "created", 1],
];

test("every fault has its row here", () => {
  assert.deepEqual(posts.map(([fault]) => fault).toSorted(), Object.keys(FAULTS).toSorted());
});

for (const [fault, expected, orders] of posts) {
  test(`a POST to a WMS with the fault ${fault}: ${expected}, ${orders} orders`, async () => {
    const { simulator, warehouse } = await start({ faults: { [fault]: 1 }, slowMs: 2_000 * IMPATIENT_SECONDS });
    const seconds = expected === "unknown timeout" ? IMPATIENT_SECONDS : PATIENT_SECONDS;
    const result = await (await client(simulator.template, seconds)).createOrder(access, orderOf(42));
    assert.equal("reason" in result ? `${result.outcome} ${result.reason}` : result.outcome, expected);
    assert.doesNotMatch(JSON.stringify(result), /wms-key-3f9a|Secret|Bolts/);
    // An order that is late comes after the client gave up.
    await poll("the orders", async () => (await ordersIn(simulator)).length === orders);

    await administer(simulator, "PUT", "/faults", {});
    const found = await warehouse.findByPair(access, orderOf(42));
    assert.equal(found.outcome === "found" && found.orders.length, orders, "and a look-up finds them");
  });
}

test("throttling says for how long, by seconds and by dates", async () => {
  const { warehouse } = await start({ faults: { 429: 1 }, retryAfterSeconds: 100 });
  for (let id = 1; id <= 20; id++) {
    const result = await warehouse.createOrder(access, orderOf(id));
    assert.ok(result.outcome === "throttled" && result.retryAfterMs !== null, JSON.stringify(result));
    assert.ok(result.retryAfterMs > 0 && result.retryAfterMs <= 101_000, String(result.retryAfterMs));
  }
});

test("a second POST makes no second order, unless the WMS makes duplicates", async () => {
  const { simulator, warehouse } = await start({});
  const first = await warehouse.createOrder(access, orderOf(42));
  await administer(simulator, "PUT", "/faults", { conflict: 1 });
  const second = await warehouse.createOrder(access, orderOf(42));
  await administer(simulator, "PUT", "/faults?instance=nord", {});
  const third = await warehouse.createOrder(access, orderOf(42));
  assert.ok(first.outcome === "created" && second.outcome === "adopted" && third.outcome === "adopted");
  assert.deepEqual([second.order, third.order], [first.order, first.order]);
  await administer(simulator, "PUT", "/faults?instance=nord", { duplicates: 1 });
  assert.equal((await warehouse.createOrder(access, orderOf(42))).outcome, "created");
  const { nord } = await ledgerOf(simulator);
  assert.deepEqual([nord?.orders.length, nord?.duplicates, nord?.calls["POST /orders"]], [2, 1, 4]);
  const found = await warehouse.findByPair(access, orderOf(42));
  assert.equal(found.outcome === "found" && found.orders.length, 2);
});

test("a look-up that lags behind does not find what it finds later", async () => {
  const { simulator, warehouse } = await start({ faults: { lag: 1 }, lagMs: 60_000 });
  await warehouse.createOrder(access, orderOf(42));
  assert.deepEqual(await warehouse.findByPair(access, orderOf(42)), { outcome: "found", orders: [] });
  await administer(simulator, "PUT", "/faults", {});
  const found = await warehouse.findByPair(access, orderOf(42));
  assert.equal(found.outcome === "found" && found.orders.length, 1);
});

test("orders move by time and by hand, can be answered as they were, and vanish", async () => {
  const { simulator, warehouse } = await start({ progressMs: 50 });
  const created = await warehouse.createOrder(access, orderOf(42));
  assert.ok(created.outcome === "created");
  const { orderId } = created.order;
  await poll("the shipment", async () => (await shown(warehouse, orderId)).status === "shipped");
  const shipped = await shown(warehouse, orderId);
  await administer(simulator, "PUT", "/faults", { stale: 1 });
  const stale = await shown(warehouse, orderId);
  assert.equal(stale.status, "packed");
  assert.ok((stale.updatedAt ?? "") < (shipped.updatedAt ?? ""));
  await administer(simulator, "PUT", "/faults", {});
  await administer(simulator, "PUT", `/orders/nord/${orderId}`, { status: "lost" });
  assert.equal((await shown(warehouse, orderId)).status, "lost");
  await administer(simulator, "PUT", "/faults", { vanish: 1 });
  assert.deepEqual(await warehouse.order(access, orderId), { outcome: "missing" });
  await administer(simulator, "PUT", "/faults", {});
  assert.deepEqual(await warehouse.order(access, orderId), { outcome: "missing" }, "for good");
  const [order] = await ordersIn(simulator);
  assert.equal(order?.vanished, true);
});

test("the simulator notes each call with its fate, and how long after its caller had gone it was executed", async () => {
  const callsFile = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "liaison-calls-")), "calls.jsonl");
  const simulator = await startSimulator({ callsFile, faults: { late: 1 }, slowMs: 600 });
  closing.push(() => fs.rmSync(path.dirname(callsFile), { recursive: true }));
  const socket = net.connect(simulator.port, "127.0.0.1");
  const body = JSON.stringify({ external_source: "a" });
  socket.end(
    `POST /api/v1/orders HTTP/1.1\r\nHost: nord.localhost\r\nAuthorization: Bearer k\r\nIdempotency-Key: a/7\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
    () => socket.destroy(),
  );
  await poll("the line of the call", () => fs.readFileSync(callsFile, "utf8").endsWith("\n"));
  const { instance, call, pair, struck, executed, ended, status } = JSON.parse(fs.readFileSync(callsFile, "utf8"));
  assert.deepEqual(
    { instance, call, pair, struck, status },
    { instance: "nord", call: "POST /orders", pair: "a/7", struck: ["late"], status: null },
  );
  assert.equal(simulator.lateness().behindCaller, executed - ended);
  assert.ok(executed > ended);
  await simulator.close();
});

test("without the bulk call orders are found one by one", async () => {
  const { warehouse } = await start({ faults: { "no-bulk": 1 } });
  const ids = [];
  for (let id = 1; id <= 5; id++) {
    const created = await warehouse.createOrder(access, orderOf(id));
    if (created.outcome === "created") ids.push(created.order.orderId);
  }
  const { orders, missing } = await warehouse.ordersByIds(access, [...ids, 99]);
  assert.deepEqual([orders.map(({ orderId }) => orderId), missing], [ids, [99]]);
});

test("an order is cancelled, twice with the effect of once, unless it is too late or the call is missing", async () => {
  for (const [faults, expected] of [
    [{}, ["cancelled", "cancelled"]],
    [{ "too-late": 1 }, ["kept", "kept"]],
    [{ "no-cancel": 1 }, ["unsupported", "unsupported"]],
  ] as const) {
    const { warehouse } = await start({ faults });
    const created = await warehouse.createOrder(access, orderOf(1));
    const id = created.outcome === "created" ? created.order.orderId : 0;
    const outcomes = [await warehouse.cancelOrder(access, id), await warehouse.cancelOrder(access, id)];
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      expected,
    );
    const shown = await warehouse.order(access, id);
    const status = expected[0] === "cancelled" ? "cancelled" : "new";
    assert.equal(shown.outcome === "found" && shown.order.status, status);
  }
});

test("the seed decides what strikes, however requests interleave", async () => {
  const strike = async (seed: string, order: number[]) => {
    const { warehouse } = await start({ seed, faults: { "500-before": 0.3, 429: 0.3 } });
    const outcomes = await Promise.all(
      order.map(async (id) => [id, (await warehouse.createOrder(access, orderOf(id))).outcome] as const),
    );
    return outcomes.toSorted(([a], [b]) => a - b).map(([, outcome]) => outcome);
  };
  const ids = Array.from({ length: 30 }, (_, id) => id + 1);
  const first = await strike("a", ids);
  assert.deepEqual(new Set(first), new Set(["unknown", "throttled", "created"]));
  assert.deepEqual(await strike("a", ids.toReversed()), first);
  assert.notDeepEqual(await strike("b", ids), first);
});

test("keys are refused that are not listed", async () => {
  const { simulator, warehouse } = await start({ keys: ["other"] });
  assert.deepEqual(await warehouse.ping(access), { outcome: "credentials" });
  assert.equal((await warehouse.ping({ ...access, key: "other" })).outcome, "reached");
  await administer(simulator, "PUT", "/keys", null);
  assert.equal((await warehouse.ping(access)).outcome, "reached");
});

test("as a program it says where it is, refuses what it does not know, and finds its ledger again", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-wms-simulator-"));
  closing.push(() => fs.rmSync(folder, { recursive: true }));
  const options = ["--port", "0", "--ledger", path.join(folder, "ledger.jsonl")];
  const first = await program(options);
  const order = await created(first.template, 42);
  first.kill("SIGKILL");
  const second = await program(options);
  assert.deepEqual(await created(second.template, 42), { ...order, outcome: "adopted" });
  second.kill("SIGTERM");
  assert.equal(await second.ended, 0);
  for (const [wrong, complaint] of [
    [["--faults", "slwo=1"], /There is no fault "slwo"/],
    [["--faults", "slow=2"], /slow needs a chance/],
    [["--port", "x"], /--port needs a number/],
    [["--prot", "1"], /--prot/],
  ] as const) {
    const refused = spawn(process.execPath, [MAIN, ...wrong]);
    let text = "";
    refused.stderr.setEncoding("utf8").on("data", (part: string) => (text += part));
    assert.deepEqual(await once(refused, "close"), [1, null]);
    assert.match(text, complaint);
  }
});

const MAIN = path.join(import.meta.dirname, "../../../wms-simulator/main.ts");

type SimulatorProgram = { template: string; kill(signal: NodeJS.Signals): void; ended: Promise<number | null> };

async function program(options: string[]): Promise<SimulatorProgram> {
  const child = spawn(process.execPath, [MAIN, ...options], { stdio: ["ignore", "pipe", "inherit"] });
  closing.push(() => child.kill("SIGKILL"));
  const [line] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  const [, template = ""] = /LIAISON_WMS_URL='([^']+)' LIAISON_WMS_PRIVATE_NETWORKS=127\.0\.0\.1\n$/.exec(line) ?? [];
  const ended = once(child, "close").then(([code]) => code as number | null);
  return { template, kill: (signal) => child.kill(signal), ended };
}

async function created(template: string, id: number) {
  const result = await (await client(template, PATIENT_SECONDS)).createOrder(access, orderOf(id));
  assert.ok("order" in result, JSON.stringify(result));
  return { outcome: result.outcome, orderId: result.order.orderId };
}

async function start(
  options: Partial<SimulatorOptions>,
): Promise<{ simulator: Simulator; warehouse: WarehouseClient }> {
  const simulator = await startSimulator(options);
  closing.push(() => simulator.close());
  return { simulator, warehouse: await client(simulator.template, PATIENT_SECONDS) };
}

async function client(template: string, timeoutSeconds: number): Promise<WarehouseClient> {
  const { wms } = readConfig({ LIAISON_WMS_URL: template, LIAISON_WMS_PRIVATE_NETWORKS: "127.0.0.1" });
  const warehouse = await openWarehouse({ ...wms, timeoutSeconds }, async () => false);
  assert.ok(warehouse !== null);
  closing.push(() => warehouse.close());
  return warehouse.client;
}

async function shown(warehouse: WarehouseClient, orderId: number) {
  const found = await warehouse.order(access, orderId);
  assert.ok(found.outcome === "found", JSON.stringify(found));
  return found.order;
}

async function ordersIn(simulator: Simulator): Promise<Shown[]> {
  return (await ledgerOf(simulator))["nord"]?.orders ?? [];
}

async function ledgerOf(simulator: Simulator): Promise<Ledger["instances"]> {
  return ((await administer(simulator, "GET", "/ledger")) as Ledger).instances;
}
