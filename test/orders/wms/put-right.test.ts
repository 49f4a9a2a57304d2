import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { administer } from "./instance-calls.ts";
import { startWithWarehouse, type Wms } from "./warehouse.ts";

/** What a person says of orders that the warehouse lost or cancelled: "Send again", or "Accept as is". */
const DAY_SECONDS = 86_400;
const server = await startWithWarehouse({ LIAISON_WMS_POLL: "40" });
const tenant = await server.createTenant();
const member = await signedIn(server, tenant);
const admin = await signedIn(server, tenant, { role: "admin", name: "Ion Rus" });
const stranger = await signedIn(server, await server.createTenant());
let serial = 0;

type Sent = { instance: string; company: string; id: number; orderId: number };

async function sendOne(): Promise<Sent> {
  const instance = `p${++serial}`;
  const company = await server.connect(tenant, instance);
  const invoice = { number: `RIGHT-${serial}`, total: "1", currency: "RON" };
  const { id } = (await tenant.post(`/api/v1/companies/${company}/invoices`, invoice)).body.data;
  await tenant.post(`/api/v1/invoices/${id}/wms-order`);
  const wms = await server.until(tenant, id, ({ state }) => state === "sent");
  return { instance, company, id, orderId: Number(wms.order_id) };
}

/** Changes the order in the warehouse, and has it asked for. */
async function learn(sent: Sent, order: object, isKnown: (wms: Wms) => boolean): Promise<void> {
  await administer(server.simulator, "PUT", `/orders/${sent.instance}/${sent.orderId}`, order);
  const { synced_at: before } = await server.until(tenant, sent.id, () => true);
  await server.sql("update invoices set wms_poll_at = now() where id = $1", [sent.id]);
  await server.until(tenant, sent.id, (wms) => wms.synced_at !== before && isKnown(wms));
}

const lose = async (sent: Sent) => await learn(sent, { vanished: true }, ({ error }) => error !== null);
const cancel = async (sent: Sent) => await learn(sent, { status: "cancelled" }, ({ status }) => status === "cancelled");

async function shown({ id }: Sent): Promise<{ word: string; needs: boolean; nextAfter: number | null }> {
  const [row] = await server.sql(
    `select wms_shown as word, coalesce(wms_needs_at <= now(), false) as needs,
      extract(epoch from wms_poll_at - coalesce(wms_settled_at, wms_synced_at))::float8 as "nextAfter" from invoices where id = $1`,
    [id],
  );
  return row as { word: string; needs: boolean; nextAfter: number | null };
}

for (const [who, person] of [
  ["a member", member],
  ["an admin", admin],
] as const) {
  test(`an order that is gone is sent again by ${who}: one other order, however often it is pressed`, async () => {
    const sent = await sendOne();
    await lose(sent);
    assert.deepEqual(await shown(sent), { word: "gone", needs: true, nextAfter: DAY_SECONDS });
    const { text } = await person.get(`/invoices/${sent.id}`);
    assert.match(
      text,
      /<span class="state wrong">Missing in the warehouse<\/span>[^]*The warehouse no longer has this order\./,
    );
    const path = `/invoices/${sent.id}/send-again`;
    const answers = await Promise.all([person.post(path), person.post(path), person.post(path)]);
    assert.deepEqual(new Set(answers.map(({ location }) => location)), new Set([`/invoices/${sent.id}`]));
    const { order_id: other } = await server.until(tenant, sent.id, ({ state }) => state === "sent");
    assert.notEqual(other, sent.orderId);
    assert.equal((await server.orders(sent.instance)).filter(({ vanished }) => !vanished).length, 1);
    const { data } = (await tenant.get(`/api/v1/invoices/${sent.id}/history`)).body;
    const puts = data.filter(
      ({ changed }: { changed: Record<string, { to: unknown }> }) => changed.wms_order_id?.to === null,
    );
    assert.equal(puts.length, 1, "the link is put aside once, and stands in the history");
    assert.deepEqual([puts[0].by.kind, puts[0].by.id], ["user", person.userId]);
  });
}

test("a warehouse that has the order after all answers with it, and makes no other", async () => {
  const sent = await sendOne();
  await lose(sent);
  await administer(server.simulator, "PUT", `/orders/${sent.instance}/${sent.orderId}`, { vanished: false });
  await member.post(`/invoices/${sent.id}/send-again`);
  const { order_id: same } = await server.until(tenant, sent.id, ({ state }) => state === "sent");
  assert.equal(same, sent.orderId);
  assert.equal((await server.orders(sent.instance)).length, 1);
  assert.equal((await shown(sent)).word, "open:new");
});

test("an order that was cancelled there is looked up first: it stays the order, and is cancelled there again", async () => {
  const sent = await sendOne();
  await cancel(sent);
  assert.deepEqual(await shown(sent), { word: "cancelled_there", needs: true, nextAfter: null });
  await member.post(`/invoices/${sent.id}/send-again`);
  const { order_id: same } = await server.until(tenant, sent.id, ({ state }) => state === "sent");
  assert.equal(same, sent.orderId);
  assert.equal((await server.orders(sent.instance)).length, 1);
  assert.equal((await shown(sent)).word, "cancelled_there");
});

test("while its order may exist, an invoice that is sent again keeps what the warehouse may have", async () => {
  const sent = await sendOne();
  await lose(sent);
  await server.faults({ "500-before": 1 });
  await member.post(`/invoices/${sent.id}/send-again`);
  const { status } = await tenant.put(`/api/v1/invoices/${sent.id}`, { number: "ANOTHER" });
  assert.equal(status, 422);
  await server.faults({});
  await server.until(tenant, sent.id, ({ state }) => state === "sent");
});

test("an order that is right as it is needs nobody, is asked for once a day, and needs somebody when it moved and is lost again", async () => {
  const sent = await sendOne();
  await cancel(sent);
  const answer = await member.post(`/invoices/${sent.id}/settle`, { to: "/orders?state=attention" });
  assert.equal(answer.location, "/orders?state=attention");
  assert.deepEqual(await shown(sent), { word: "cancelled_there", needs: false, nextAfter: DAY_SECONDS });
  const { text } = await member.get(`/invoices/${sent.id}`);
  assert.match(text, /Accepted as it is, until the order moves again\./);
  assert.doesNotMatch(text, /\/settle"/);
  // The next day nothing is new, and the day after the order moves.
  await learn(sent, {}, () => true);
  const [row] = await server.sql(
    "select extract(epoch from wms_poll_at - wms_synced_at)::float8 as after from invoices where id = $1",
    [sent.id],
  );
  assert.equal(row?.after, DAY_SECONDS);
  assert.equal((await shown(sent)).needs, false);
  await learn(sent, { status: "picking" }, ({ status }) => status === "picking");
  assert.equal((await shown(sent)).word, "open:picking");
  await lose(sent);
  assert.deepEqual([(await shown(sent)).word, (await shown(sent)).needs], ["gone", true]);
  const { data } = (await tenant.get(`/api/v1/invoices/${sent.id}/history`)).body;
  assert.ok(
    data.some(({ changed }: { changed: object }) => "wms_settled_at" in changed),
    "who said so stands in the history",
  );
});

test("an order that is neither gone nor cancelled there is left as it is, and so is an invoice that may not be sent", async () => {
  const sent = await sendOne();
  for (const path of ["send-again", "settle"]) {
    assert.equal((await member.post(`/invoices/${sent.id}/${path}`)).status, 303);
    assert.deepEqual([(await shown(sent)).word, (await shown(sent)).needs], ["open:new", false]);
  }
  await lose(sent);
  await server.sql("update invoices set status = 'cancelled' where id = $1", [sent.id]);
  await member.post(`/invoices/${sent.id}/send-again`);
  assert.equal((await shown(sent)).word, "gone");
  assert.match((await member.get("/orders")).text, /It cannot be sent again as it is\./);
});

test("another tenant's orders are missing, and are not put right", async () => {
  const sent = await sendOne();
  await lose(sent);
  for (const path of ["send-again", "settle"]) {
    assert.equal((await stranger.post(`/invoices/${sent.id}/${path}`)).status, 404);
  }
  assert.deepEqual([(await shown(sent)).word, (await shown(sent)).needs], ["gone", true]);
});
