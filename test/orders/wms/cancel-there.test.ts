import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fault } from "../../../wms-simulator/faults.ts";
import { signedIn } from "../../doors/pages/visitor.ts";
import { poll } from "../../program.ts";
import { administer } from "./instance-calls.ts";
import { startWithWarehouse } from "./warehouse.ts";

/** "Cancel the order there too": one cancelled order, whatever is lost. A person sees when it was not cancelled. */
const server = await startWithWarehouse({ LIAISON_WMS_POLL: "40" });
const tenant = await server.createTenant();
const member = await signedIn(server, tenant);
let serial = 0;

type Sent = { instance: string; company: string; id: number; orderId: number };

async function sendOne(instance = `t${++serial}`): Promise<Sent> {
  const company = await server.connect(tenant, instance);
  const { id } = (await tenant.post(`/api/v1/companies/${company}/invoices`, { number: `T-${Math.random()}` })).body
    .data;
  await tenant.post(`/api/v1/invoices/${id}/wms-order`);
  const wms = await server.until(tenant, id, ({ state }) => state === "sent");
  return { instance, company, id, orderId: Number(wms.order_id) };
}

const faults = async ({ instance }: Sent, some: Partial<Record<Fault, number>>) =>
  await administer(server.simulator, "PUT", `/faults?instance=${instance}`, some);

/** Cancels on the asking page, with the box ticked as it comes. */
async function cancelBoth({ id }: Sent): Promise<void> {
  const { text } = await member.get(`/invoices/${id}/cancel`);
  const [, seen] = /name="seen" value="([^"]*)"/.exec(text) ?? [];
  assert.match(text, /<input type="checkbox" name="there" value="1" checked> Cancel the order there too/);
  await member.post(`/invoices/${id}/status`, { step: "cancel", seen: String(seen), there: "1" });
}

async function standing({ id }: Sent): Promise<{ shown: string; cancel: string | null }> {
  const [row] = await server.sql("select wms_shown as shown, wms_cancel as cancel from invoices where id = $1", [id]);
  return row as { shown: string; cancel: string | null };
}

async function until(sent: Sent, isDone: (now: { shown: string; cancel: string | null }) => boolean) {
  let now = await standing(sent);
  await poll("another state of the order", async () => {
    // Circuits are the queue's own; test/kit/jobs/ has them.
    await server.sql("update lanes set failures = 0, closed_until = null where failures > 0");
    await server.sql("update jobs set run_at = now() where kind = 'cancel-order' and state = 'waiting' and is_sparing");
    await server.until(tenant, sent.id, () => true);
    now = await standing(sent);
    return isDone(now);
  });
  return now;
}

const statusThere = async ({ instance }: Sent) => (await server.orders(instance))[0]?.status;

async function calls({ instance }: Sent): Promise<number> {
  const { instances } = (await administer(server.simulator, "GET", "/ledger")) as {
    instances: Record<string, { calls: Record<string, number> }>;
  };
  return instances[instance]?.calls["POST /orders/{id}/cancel"] ?? 0;
}

test("the API has an order cancelled once, however often it is asked, and says why it is not", async () => {
  const sent = await sendOne();
  const at = `/api/v1/invoices/${sent.id}`;
  const ask = async () => await tenant.post(`${at}/wms-order/cancel`);
  const early = await ask();
  assert.deepEqual([early.status, early.body.details], [422, "The invoice is not cancelled."]);
  await tenant.put(at, { status: "cancelled" });
  const page = async () =>
    (await tenant.get(`/api/v1/companies/${sent.company}/invoices?wms_state=cancelled_here`)).body;
  assert.deepEqual([(await page()).total, (await page()).data[0].id], [1, sent.id]);
  const answers = await Promise.all(Array.from({ length: 30 }, ask));
  assert.ok(answers.every(({ status }) => status === 202 || status === 200));
  await until(sent, ({ shown }) => shown === "cancelled");
  assert.equal((await ask()).status, 200);
  assert.deepEqual([await statusThere(sent), await calls(sent)], ["cancelled", 1]);
  assert.deepEqual([(await page()).total, (await tenant.get(at)).body.data.wms.status], [0, "cancelled"]);

  const late = await sendOne();
  await faults(late, { "too-late": 1 });
  await tenant.put(`/api/v1/invoices/${late.id}`, { status: "cancelled" });
  assert.equal((await tenant.post(`/api/v1/invoices/${late.id}/wms-order/cancel`)).status, 202);
  await until(late, ({ cancel }) => cancel === "kept");
  const { wms } = (await tenant.get(`/api/v1/invoices/${late.id}`)).body.data;
  assert.deepEqual([wms.status, wms.error], ["new", "It is too late to cancel the order."]);
});

test("the order is cancelled in the warehouse too, once, and the invoice needs nobody", async () => {
  const sent = await sendOne();
  await cancelBoth(sent);
  assert.deepEqual(await until(sent, ({ shown }) => shown === "cancelled"), { shown: "cancelled", cancel: null });
  assert.deepEqual([await statusThere(sent), await calls(sent)], ["cancelled", 1]);
});

for (const fault of [
  "cut-after",
  "500-after",
  "cut-half",
  "broken-json",
  "invalid-id",
  "cut-before",
  "500-before",
  "429",
] as const) {
  test(`an answer that is lost or unreadable is asked for again: ${fault}`, async () => {
    const sent = await sendOne();
    await faults(sent, { [fault]: 0.6 });
    await cancelBoth(sent);
    assert.equal((await until(sent, ({ shown }) => shown === "cancelled")).cancel, null);
    assert.equal(await statusThere(sent), "cancelled");
  });
}

test("an order that it is too late for stays in attention, with the warehouse's words", async () => {
  const sent = await sendOne();
  await faults(sent, { "too-late": 1 });
  await cancelBoth(sent);
  assert.equal((await until(sent, ({ cancel }) => cancel === "kept")).shown, "cancelled_here");
  const { text } = await member.get(`/invoices/${sent.id}`);
  assert.match(text, /It was not cancelled there\.[^]*It is too late to cancel the order\./);
  assert.match((await member.get("/orders?state=attention")).text, /Cancelled, still in the warehouse/);
});

test("an order that is shipped already is wrong, and nothing is called", async () => {
  const sent = await sendOne();
  await administer(server.simulator, "PUT", `/orders/${sent.instance}/${sent.orderId}`, { status: "shipped" });
  await cancelBoth(sent);
  await until(sent, ({ shown }) => shown === "shipped_cancelled");
  assert.deepEqual([await statusThere(sent), await calls(sent)], ["shipped", 0]);
});

test("a warehouse without the call says so once; then the asking page offers it no more", async () => {
  const sent = await sendOne();
  await faults(sent, { "no-cancel": 1 });
  await cancelBoth(sent);
  await until(sent, ({ cancel }) => cancel === "unsupported");
  assert.match(
    (await member.get(`/invoices/${sent.id}`)).text,
    /The warehouse’s program cannot cancel orders: call the warehouse\./,
  );
  const other = await sendOne(sent.instance);
  const { text } = await member.get(`/invoices/${other.id}/cancel`);
  assert.doesNotMatch(text, /name="there"/);
  assert.match(text, /Cancelling here does not stop that order/);
});

test("an invoice that is reopened before the call keeps its order", async () => {
  const sent = await sendOne();
  await faults(sent, { down: 1 });
  await cancelBoth(sent);
  await tenant.put(`/api/v1/invoices/${sent.id}`, { status: "issued" });
  assert.deepEqual(await standing(sent), { shown: "open:new", cancel: null });
  await faults(sent, {});
  await server.sql("update jobs set run_at = now() where kind = 'cancel-order' and subject = $1", [sent.id]);
  await server.sql("update lanes set failures = 0, closed_until = null");
  for (let left = 1; left > 0;) {
    const rows = await server.sql(
      "select from jobs where kind = 'cancel-order' and subject = $1 and state <> 'failed'",
      [sent.id],
    );
    left = rows.length;
  }
  assert.deepEqual([await statusThere(sent), await calls(sent)], ["new", 0]);
});

test("an acceptance names who and when, and can be taken back; not by a stranger", async () => {
  const stranger = await signedIn(server, await server.createTenant());
  const sent = await sendOne();
  await tenant.put(`/api/v1/invoices/${sent.id}`, { status: "cancelled" });
  const needs = async () =>
    (await server.sql("select wms_needs_at is not null as needs from invoices where id = $1", [sent.id]))[0]?.needs;
  await member.post(`/invoices/${sent.id}/settle`);
  assert.equal(await needs(), false);
  assert.match((await member.get(`/invoices/${sent.id}`)).text, /Accepted by Ana Pop, [^]*Take back/);
  for (const act of ["unsettle", "cancel-there"])
    assert.equal((await stranger.post(`/invoices/${sent.id}/${act}`)).status, 404);
  assert.equal(await needs(), false);
  await member.post(`/invoices/${sent.id}/unsettle`);
  assert.equal(await needs(), true);
  assert.doesNotMatch((await member.get(`/invoices/${sent.id}`)).text, /Take back/);
});
