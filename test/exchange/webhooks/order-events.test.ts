import assert from "node:assert/strict";
import { test } from "node:test";
import { administer } from "../../orders/wms/instance-calls.ts";
import { startWithWarehouse } from "../../orders/wms/warehouse.ts";
import { poll } from "../../program.ts";
import { startReceiver, verified, type Heard } from "./receiver.ts";
import { runsOf } from "./runs.ts";

const server = await startWithWarehouse({ LIAISON_WEBHOOK_PRIVATE_NETWORKS: "127.0.0.1" });
const runs = runsOf(server);
const orderTypes = ["created", "moved", "final", "cancelled", "lost"].map((event) => `invoice.order_${event}`);

/** A tenant with an invoice, and a receiver of these events. */
async function situation(instance: string, types: string[]) {
  const receiver = await startReceiver();
  const tenant = await server.createTenant();
  const { secret } = (await tenant.post("/api/v1/webhooks", { url: receiver.url, types })).body.data;
  const company = await server.connect(tenant, instance);
  const invoice = { number: `F-${instance}`, total: "1", currency: "RON" };
  const { id } = (await tenant.post(`/api/v1/companies/${company}/invoices`, invoice)).body.data;
  await tenant.post(`/api/v1/invoices/${id}/wms-order`);
  const { order_id: orderId } = await server.until(tenant, id, ({ state }) => state === "sent");

  /** Has the warehouse change the order, and waits until that is known here. */
  async function change(order: object): Promise<void> {
    await administer(server.simulator, "PUT", `/orders/${instance}/${orderId}`, order);
    const { synced_at: before } = await server.until(tenant, id, () => true);
    await server.sql("update invoices set wms_poll_at = now() where tenant_id = $1 and id = $2", [tenant.id, id]);
    await server.sql("update jobs set run_at = now() where tenant_id = $1 and kind = 'follow-orders'", [tenant.id]);
    await server.until(tenant, id, ({ synced_at: now }) => now !== before);
  }

  async function heard(count: number): Promise<Heard["body"][]> {
    await poll(`${count} messages`, async () => {
      await runs.run(tenant);
      return receiver.heard.length >= count;
    });
    return receiver.heard.map((each) => verified(String(secret), each) as Heard["body"]);
  }
  return { tenant, receiver, id, orderId, instance, change, heard };
}

test("the way of an order makes events, each once, with the order and its status before", async () => {
  const { tenant, receiver, id, orderId, change, heard } = await situation("events", orderTypes);
  await change({ status: "Picking" });
  await change({ status: "Picking" });
  await change({ vanished: true });
  await change({ vanished: false, status: "Shipped" });
  const messages = await heard(4);
  const told = messages.map(({ type, data: { order } }) => [type, order.previous, order.status]);
  assert.deepEqual(told, [
    ["invoice.order_created", null, "new"],
    ["invoice.order_moved", "new", "Picking"],
    ["invoice.order_lost", "Picking", "Picking"],
    ["invoice.order_final", "Picking", "Shipped"],
  ]);
  const { wms } = (await tenant.get(`/api/v1/invoices/${id}`)).body.data;
  for (const [index, { type, data }] of messages.entries()) {
    const { order, ...change } = data;
    const { instance, order_id: shown, order_number: number } = order;
    assert.deepEqual([instance, shown, number], [wms.instance, orderId, wms.order_number], type);
    assert.deepEqual([change.type, change.action, change.resource_id], ["invoice", "updated", id]);
    assert.equal(receiver.heard[index]?.headers["webhook-id"], `${change.id}.${type}`);
  }
});

test("a cancelled order has its own event, and `*` has the change and its event", async () => {
  const { change, heard } = await situation("cancelled", ["*"]);
  await change({ status: "Cancelled" });
  const messages = await heard(6);
  const types = messages.filter(({ data }) => data.type === "invoice").map(({ type }) => type);
  assert.deepEqual(
    types.filter((type) => type !== "invoice.updated"),
    ["invoice.created", "invoice.order_created", "invoice.order_cancelled"],
  );
  const ids = messages.map(({ type, data }) => `${data.id} ${type}`);
  assert.equal(new Set(ids).size, ids.length, "nothing twice");
});
