import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { administer } from "./instance-calls.ts";
import { startWithWarehouse, type Wms } from "./warehouse.ts";

/** An invoice that is cancelled while its order goes on needs a person, until the order ends or somebody accepts it. */
const server = await startWithWarehouse();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant);
let serial = 0;

type Sent = { instance: string; company: string; id: number; orderId: number };

async function sendOne(): Promise<Sent> {
  const instance = `c${++serial}`;
  const company = await server.connect(tenant, instance);
  const { id } = (await tenant.post(`/api/v1/companies/${company}/invoices`, { number: `C-${serial}` })).body.data;
  await tenant.post(`/api/v1/invoices/${id}/wms-order`);
  const wms = await server.until(tenant, id, ({ state }) => state === "sent");
  return { instance, company, id, orderId: Number(wms.order_id) };
}

async function learn(sent: Sent, status: string): Promise<Wms> {
  await administer(server.simulator, "PUT", `/orders/${sent.instance}/${sent.orderId}`, { status });
  await server.sql("update invoices set wms_poll_at = now() where id = $1", [sent.id]);
  return await server.until(tenant, sent.id, (wms) => wms.status === status);
}

const put = async ({ id }: Sent, status: string) => await tenant.put(`/api/v1/invoices/${id}`, { status });

async function shown({ id, company }: Sent) {
  const [row] = await server.sql(
    "select wms_shown as word, coalesce(wms_needs_at <= now(), false) as needs from invoices where id = $1",
    [id],
  );
  const { body } = await tenant.get(`/api/v1/companies/${company}/invoices?wms_state=cancelled_here`);
  return { ...(row as { word: string; needs: boolean }), isFound: body.data.length === 1 };
}

test("a cancelled invoice whose order goes on needs attention at once, in the list and the filter, and the members of the API stay", async () => {
  const sent = await sendOne();
  await learn(sent, "picking");
  const { body } = await put(sent, "cancelled");
  assert.partialDeepStrictEqual(body.data, { status: "cancelled", wms: { state: "sent", status: "picking" } });
  assert.deepEqual(await shown(sent), { word: "cancelled_here", needs: true, isFound: true });
  const { text: list } = await member.get("/orders?state=attention");
  assert.match(list, new RegExp(`C-${serial}[^]*Cancelled, still in the warehouse`));
  const { text } = await member.get(`/invoices/${sent.id}`);
  assert.match(text, new RegExp(`The warehouse is still picking WO-${sent.orderId}: stop it there\\.`));
  const [first] = text.match(/<form method="post" class="primary">.*?<\/button>/su) ?? [];
  assert.match(String(first), />Cancel the order there</);
  assert.match(text, />Check now</);
  assert.match(text, />Accept as is</);
  assert.match(text, />Reopen</);
});

test("a reopened invoice is as its order is; cancelled in both places, it is over", async () => {
  const sent = await sendOne();
  await put(sent, "cancelled");
  await put(sent, "issued");
  assert.deepEqual(await shown(sent), { word: "open:new", needs: false, isFound: false });
  await put(sent, "cancelled");
  await learn(sent, "cancelled");
  assert.deepEqual(await shown(sent), { word: "cancelled", needs: false, isFound: false });
});

test("shipped, it is wrong: neither done nor under way, until a person accepts it", async () => {
  const sent = await sendOne();
  await put(sent, "cancelled");
  await learn(sent, "shipped");
  assert.deepEqual(await shown(sent), { word: "shipped_cancelled", needs: true, isFound: true });
  for (const tab of ["done", "under_way"])
    assert.doesNotMatch((await member.get(`/orders?state=${tab}`)).text, new RegExp(`C-${serial}<`));
  const { text } = await member.get(`/invoices/${sent.id}`);
  assert.match(text, /<span class="state wrong">Shipped although cancelled<\/span>/);
  await member.post(`/invoices/${sent.id}/settle`);
  assert.deepEqual(await shown(sent), { word: "shipped_cancelled", needs: false, isFound: false });
});

test("accepted or put off, it needs a person again once the order moves, or once it is cancelled again", async () => {
  const sent = await sendOne();
  await put(sent, "cancelled");
  await member.post(`/invoices/${sent.id}/settle`);
  assert.equal((await shown(sent)).needs, false);
  await learn(sent, "packed");
  assert.equal((await shown(sent)).needs, true);
  await member.post(`/invoices/${sent.id}/put-off`, { days: "3" });
  const { text } = await member.get("/orders?state=attention");
  assert.doesNotMatch(text, new RegExp(`C-${serial}<`));
  await put(sent, "issued");
  await put(sent, "cancelled");
  assert.match((await member.get("/orders?state=attention")).text, new RegExp(`C-${serial}<`));
});

test("reopen is never the main button of a cancelled invoice", async () => {
  const company = await server.connect(tenant, `c${++serial}`);
  const made = await tenant.post(`/api/v1/companies/${company}/invoices`, { number: "NEVER", status: "cancelled" });
  const { text } = await member.get(`/invoices/${made.body.data.id}`);
  assert.doesNotMatch(text, /<form method="post" class="primary">/);
  assert.match(text, />Reopen</);
});
