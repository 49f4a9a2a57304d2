import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestTenant } from "../../harness.ts";
import { poll } from "../../program.ts";
import { administer } from "./instance-calls.ts";
import { startWithWarehouse, type Wms } from "./warehouse.ts";

/** Nothing becomes due by itself while a test runs, however busy the machine is. */
const POLL_SECONDS = 400;
const server = await startWithWarehouse({ LIAISON_WMS_POLL: String(POLL_SECONDS) });
const tenant = await server.createTenant();
let serial = 0;

type Sent = { tenant: TestTenant; instance: string; company: string; id: number; orderId: number };

/** An invoice whose order is in a warehouse of its own. */
async function sendOne(instance = `f${++serial}`, company?: string): Promise<Sent> {
  const at = company ?? (await server.connect(tenant, instance));
  const invoice = { number: `FOLLOWED-${++serial}`, total: "1", currency: "RON" };
  const { id } = (await tenant.post(`/api/v1/companies/${at}/invoices`, invoice)).body.data;
  await tenant.post(`/api/v1/invoices/${id}/wms-order`);
  const wms = await server.until(tenant, id, ({ state }) => state === "sent");
  return { tenant, instance, company: at, id, orderId: Number(wms.order_id) };
}

async function change({ instance, orderId }: Sent, order: object): Promise<void> {
  await administer(server.simulator, "PUT", `/orders/${instance}/${orderId}`, order);
}

/** As if the time had gone by after which the company's orders are asked for. */
async function letPass({ company }: Sent): Promise<void> {
  await server.sql("update invoices set wms_poll_at = now() where company_id = $1 and wms_poll_at is not null", [
    company,
  ]);
}

async function followed({ id }: Sent, isDone: (wms: Wms) => boolean): Promise<Wms> {
  return await server.until(tenant, id, isDone);
}

/** Seconds from the last answer to the next question; null: it is not asked for again. */
async function nextAfter({ id }: Sent): Promise<number | null> {
  const sql = "select extract(epoch from wms_poll_at - wms_synced_at)::float8 as seconds from invoices where id = $1";
  const [row] = await server.sql(sql, [id]);
  return row?.seconds as number | null;
}

async function questions({ instance }: Sent): Promise<number> {
  const { instances } = (await administer(server.simulator, "GET", "/ledger")) as {
    instances: Record<string, { calls: Record<string, number> }>;
  };
  const { calls } = instances[instance] ?? { calls: {} };
  return Object.entries(calls).reduce((sum, [name, count]) => sum + (name.startsWith("GET") ? count : 0), 0);
}

/** A company of which nothing is followed costs nothing. */
async function untilJobEnds({ company }: Sent): Promise<void> {
  const job = "select from jobs where kind = 'follow-orders' and subject = $1";
  await poll("the end of the job", async () => (await server.sql(job, [company])).length === 0);
}

/** Lets the time until the next call pass, and waits for its answer. */
async function askedAgain(sent: Sent): Promise<Wms> {
  const { synced_at: before } = await followed(sent, () => true);
  await letPass(sent);
  return await followed(sent, ({ synced_at }) => synced_at !== before);
}

test("the status of an order follows the warehouse's, whose answers say when they came", async () => {
  const sent = await sendOne();
  for (const status of ["picking", "Packed by Ana"]) {
    await change(sent, { status });
    const asked = Date.now();
    const wms = await askedAgain(sent);
    assert.deepEqual([wms.status, wms.state, wms.error], [status, "sent", null]);
    const synced = Date.parse(String(wms.synced_at));
    assert.ok(asked <= synced && synced <= Date.now(), `${wms.synced_at} is not now`);
    const { updated_at } = (await tenant.get(`/api/v1/invoices/${sent.id}`)).body.data;
    const updated = Date.parse(updated_at);
    assert.ok(synced <= updated && updated <= Date.now(), `${updated_at} is not when it was recorded`);
    assert.equal(await nextAfter(sent), POLL_SECONDS);
  }
});

test("an order of which there is no news is asked for half as often each time, down to once an hour", async () => {
  const sent = await sendOne();
  assert.equal(Math.round(Number(await nextAfter(sent))), POLL_SECONDS);
  const pauses: (number | null)[] = [];
  for (let round = 0; round < 5; round++) {
    await askedAgain(sent);
    pauses.push(await nextAfter(sent));
  }
  assert.deepEqual(pauses, [800, 1_600, 3_200, 3_600, 3_600]);
  await change(sent, { status: "picking" });
  await askedAgain(sent);
  assert.equal(await nextAfter(sent), POLL_SECONDS);
});

test("an order is asked for when its time has come, and not in between", async () => {
  const sent = await sendOne();
  const before = await questions(sent);
  await askedAgain(sent);
  const waiting = `select from jobs where kind = 'follow-orders' and subject = $1 and state = 'waiting'
    and run_at between now() + interval '400 seconds' and now() + interval '800 seconds'`;
  await poll("the job that waits", async () => (await server.sql(waiting, [sent.company])).length === 1);
  assert.equal(await questions(sent), before + 1);
});

for (const status of ["shipped", "Delivered", "COMPLETED", "closed", "cancelled", "canceled"]) {
  test(`an order that is ${status} is not asked for again, and its company's job ends`, async () => {
    const sent = await sendOne();
    await change(sent, { status });
    assert.equal((await askedAgain(sent)).status, status);
    assert.equal(await nextAfter(sent), null);
    await untilJobEnds(sent);
  });
}

test("an answer that is older than the one before changes nothing", async () => {
  const sent = await sendOne();
  await change(sent, { status: "picking" });
  await askedAgain(sent);
  await administer(server.simulator, "PUT", `/faults?instance=${sent.instance}`, { stale: 1 });
  assert.equal((await askedAgain(sent)).status, "picking");
  assert.equal(await nextAfter(sent), 2 * POLL_SECONDS);
});

test("an order that is gone keeps its link, says so, and is well again when it is back", async () => {
  const sent = await sendOne();
  await change(sent, { vanished: true });
  const gone = await askedAgain(sent);
  assert.deepEqual(
    [gone.state, gone.order_id, gone.status, gone.error],
    ["sent", sent.orderId, "new", "The warehouse no longer has this order."],
  );
  await change(sent, { vanished: false });
  assert.equal((await askedAgain(sent)).error, null);
});

test("an answer about an order says nothing of another one at the same warehouse", async () => {
  const moved = await sendOne();
  const other = await sendOne(moved.instance, moved.company);
  const before = await followed(other, () => true);
  await change(moved, { status: "picking" });
  await server.sql("update invoices set wms_poll_at = now() where id = $1", [moved.id]);
  await followed(moved, ({ status }) => status === "picking");
  assert.deepEqual(await followed(other, () => true), before);
});

test("a hundred orders of a company are one question", async () => {
  const first = await sendOne();
  const others = await Promise.all(
    Array.from({ length: 99 }, async () => await sendOne(first.instance, first.company)),
  );
  const all = [first, ...others];
  await Promise.all(all.map(async (sent) => await change(sent, { status: "picking" })));
  const before = await questions(first);
  await letPass(first);
  for (const sent of all) await followed(sent, ({ status }) => status === "picking");
  assert.equal((await questions(first)) - before, 1);
});

test("an order at another host than the company's present one is not asked for", async () => {
  const sent = await sendOne();
  const elsewhere = `f${++serial}`;
  await server.sql("update companies set wms_subdomain = $2 where id = $1", [sent.company, elsewhere]);
  const [before, { synced_at }] = [await questions(sent), await followed(sent, () => true)];
  await letPass(sent);
  await untilJobEnds(sent);
  assert.deepEqual(
    [
      await questions(sent),
      await questions({ ...sent, instance: elsewhere }),
      (await followed(sent, () => true)).synced_at,
    ],
    [before, 0, synced_at],
  );
});
