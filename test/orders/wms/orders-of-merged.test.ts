import assert from "node:assert/strict";
import { test } from "node:test";
import type { Faults } from "../../../wms-simulator/faults.ts";
import { signedIn } from "../../doors/pages/visitor.ts";
import { poll } from "../../program.ts";
import { administer } from "./instance-calls.ts";
import { startWithWarehouse, type Wms } from "./warehouse.ts";

/** Orders of a merged company stay in the warehouse that has them, and are followed with its connection. */
const server = await startWithWarehouse({ LIAISON_WMS_POLL: "1" });
const tenant = await server.createTenant();
const [member, admin] = [await signedIn(server, tenant), await signedIn(server, tenant, { role: "admin" })];
let serial = 0;

async function invoiceOf(company: string): Promise<number> {
  const invoice = { number: `MERGED-${++serial}`, total: "10.00", currency: "RON" };
  const { id } = (await tenant.post(`/api/v1/companies/${company}/invoices`, invoice)).body.data;
  const sent = await tenant.post(`/api/v1/invoices/${id}/wms-order`);
  assert.equal(sent.status, 202, sent.text);
  return id;
}

async function merge(kept: string, from: string): Promise<number> {
  const merged = await tenant.post(`/api/v1/companies/${kept}/merge`, { from: Number(from) });
  assert.equal(merged.status, 200, merged.text);
  return merged.body.meta.merge_id;
}

async function undo(id: number): Promise<void> {
  const undone = await tenant.post(`/api/v1/merges/${id}/undo`);
  assert.equal(undone.status, 200, undone.text);
}

const faults = async (instance: string, some: Faults) =>
  await administer(server.simulator, "PUT", `/faults?instance=${instance}`, some);

async function until(id: number, isDone: (wms: Wms) => boolean): Promise<Wms> {
  return await server.until(tenant, id, isDone);
}

/** The status there becomes the status here: at its time, or at once. */
async function follows(id: number, instance: string, status: string, isHastened = true): Promise<void> {
  const { order_id: order } = await until(id, ({ state }) => state === "sent");
  await administer(server.simulator, "PUT", `/orders/${instance}/${order}`, { status });
  if (isHastened) await server.sql("update invoices set wms_poll_at = now() where id = $1", [id]);
  const wms = await until(id, (now) => now.status === status);
  assert.deepEqual([wms.instance?.split(".")[0], wms.order_id], [instance, order]);
}

async function companyOf(id: number): Promise<string> {
  return String((await tenant.get(`/api/v1/invoices/${id}`)).body.data.company_id);
}

test("orders of two warehouses are followed to their ends after a merge, a merge of that, and their undo", async () => {
  const [north, south] = [await server.connect(tenant, "north"), await server.connect(tenant, "south")];
  const { id: bare } = (await tenant.post("/api/v1/companies", { name: "Without a warehouse" })).body.data;
  const ours = await invoiceOf(north);
  const [theirs, cancelled] = [await invoiceOf(south), await invoiceOf(south)];
  for (const id of [ours, theirs, cancelled]) await until(id, ({ state }) => state === "sent");
  // An attempt whose outcome is unknown, and one that no warehouse has executed.
  await faults("south", { "500-after": 1 });
  const open = await invoiceOf(south);
  await until(open, ({ state }) => state === "unknown");
  await faults("south", { "429": 1 });
  const queued = await invoiceOf(south);

  const page = await member.get(`/companies/${north}/merge?with=${south}`);
  assert.match(page.text, /orders stay as they are/);
  const first = await merge(north, south);
  assert.equal(await companyOf(theirs), north);
  await faults("south", {});
  await follows(ours, "north", "picking", false);
  await follows(theirs, "south", "picking", false);
  await poll("the attempts' orders", async () => {
    // Circuits are the queue's own; test/kit/jobs/ has them.
    await server.sql("update lanes set failures = 0, closed_until = null where failures > 0");
    await server.sql("update jobs set run_at = now() where kind = 'send-invoice' and state = 'waiting'");
    const states = await server.sql("select wms_state from invoices where id = any($1)", [[open, queued]]);
    return states.every(({ wms_state: state }) => state === "sent");
  });
  assert.equal((await server.orders("south")).length, 4, "each of the four has one order");
  assert.equal((await server.orders("north")).length, 1);
  const asked = await member.post(`/invoices/${theirs}/check`, {});
  assert.equal(asked.status, 303);
  const { text } = await member.get(`/invoices/${cancelled}/cancel`);
  const [, seen] = /name="seen" value="([^"]*)"/.exec(text) ?? [];
  await member.post(`/invoices/${cancelled}/status`, { step: "cancel", seen: String(seen), there: "1" });
  await until(cancelled, ({ status }) => status === "cancelled");

  const second = await merge(String(bare), north);
  await follows(ours, "north", "packed");
  await follows(theirs, "south", "packed");
  const later = await invoiceOf(String(bare)).catch(() => null);
  assert.equal(later, null, "the kept company has no warehouse of its own");
  await undo(second);
  await follows(ours, "north", "loaded");
  await follows(theirs, "south", "loaded");
  // A new invoice of the kept company goes to its own warehouse, and stays there when the merge is undone.
  const newer = await invoiceOf(north);
  await until(newer, ({ state, instance }) => state === "sent" && instance?.startsWith("north") === true);
  await undo(first);
  assert.deepEqual([await companyOf(theirs), await companyOf(newer)], [south, north]);
  for (const [id, instance] of [
    [ours, "north"],
    [theirs, "south"],
    [open, "south"],
    [queued, "south"],
    [newer, "north"],
  ] as const) {
    await follows(id, instance, "shipped");
  }
  const left = await server.sql("select id from invoices where wms_via is not null or wms_poll_at is not null");
  assert.deepEqual(left, []);
});

test("a connection of the kept company takes over the orders of its warehouse", async () => {
  const [west, east] = [await server.connect(tenant, "west"), await server.connect(tenant, "east")];
  const id = await invoiceOf(east);
  await until(id, ({ state }) => state === "sent");
  await merge(west, east);
  await admin.post(`/companies/${west}/warehouse`, { wms_subdomain: "east", wms_api_key: "another-key" });
  await poll("the connection", async () => {
    const [row] = await server.sql("select wms_via from invoices where id = $1", [id]);
    return row?.wms_via === null;
  });
  await follows(id, "east", "shipped");
});
