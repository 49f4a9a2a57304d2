import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { poll } from "../../program.ts";
import { administer } from "./instance-calls.ts";
import { startWithWarehouse } from "./warehouse.ts";

/** What ends a need: "Check now", "Put off" and "Not a warehouse order", for people who press it and leave. */
const server = await startWithWarehouse({ LIAISON_WMS_POLL: "3600" });
let tenant = await server.createTenant();
let member = await signedIn(server, tenant);
// Each test has a workspace of its own.
beforeEach(async () => {
  tenant = await server.createTenant();
  member = await signedIn(server, tenant);
});
const stranger = await signedIn(server, await server.createTenant());
let serial = 0;

type Sent = { instance: string; company: string; id: number; number: string; orderId: number };

/** An invoice whose order has not moved for eight days. */
async function stuck(): Promise<Sent> {
  const instance = `n${++serial}`;
  const company = await server.connect(tenant, instance);
  const number = `NEED-${serial}`;
  const { id } = (await tenant.post(`/api/v1/companies/${company}/invoices`, { number, total: "1" })).body.data;
  await tenant.post(`/api/v1/invoices/${id}/wms-order`);
  const wms = await server.until(tenant, id, ({ state }) => state === "sent");
  // The job that follows it sleeps until it is due.
  await poll("the job that follows", async () => {
    const [job] = await server.sql("select state from jobs where kind = 'follow-orders' and subject = $1", [company]);
    return job?.state === "waiting";
  });
  await server.sql("update invoices set wms_moved_at = now() - interval '8 days' where id = $1", [id]);
  return { instance, company, id, number, orderId: Number(wms.order_id) };
}

const badge = async (): Promise<number> => {
  const [, count = "0"] = /id="in-need"[^>]*>(\d+)</.exec((await member.get("/companies")).text) ?? [];
  return Number(count);
};
const listed = async (state: string) =>
  [...(await member.get(`/orders?state=${state}`)).text.matchAll(/<td class="name"[^>]*><a[^>]*>([^<]+)</g)].map(
    ([, number]) => number,
  );
const said = async () => /<div class="notice[^"]*">([^<]*)/.exec((await member.get("/companies")).text)?.[1];
/** The moments as texts, to the microsecond: two answers may come within a second. */
const moments = async (id: number) => {
  const [found] = await server.sql(
    "select wms_synced_at::text as answered, wms_checked_at::text as checked from invoices where id = $1",
    [id],
  );
  return { answered: String(found?.answered), checked: found?.checked ?? null };
};

test("an order that has not moved is asked for at once, and the answer ends the need", async () => {
  const sent = await stuck();
  assert.deepEqual(await listed("attention"), [sent.number]);
  const { text } = await member.get("/orders?state=attention");
  assert.match(text, /Not moved for 8 days\./);
  assert.match(text, new RegExp(`formaction="/invoices/${sent.id}/check"[^>]*>Check now`));
  await administer(server.simulator, "PUT", `/orders/${sent.instance}/${sent.orderId}`, { status: "picking" });
  const { status, location } = await member.post(`/invoices/${sent.id}/check`, { to: "/orders?state=attention" });
  assert.deepEqual([status, location], [303, "/orders?state=attention"]);
  assert.equal(await said(), "The warehouse is being asked. Its answer appears here.");
  await server.until(tenant, sent.id, ({ status: is }) => is === "picking");
  assert.deepEqual([await listed("attention"), await badge()], [[], 0]);
  const { data } = (await tenant.get(`/api/v1/invoices/${sent.id}/history`)).body;
  assert.ok(
    data.every(({ changed }: { changed: object }) => !("wms_checked_at" in changed)),
    "a check is no change of the invoice",
  );
});

test("an order is asked for once a minute, however often and by however many it is pressed", async () => {
  const sent = await stuck();
  const path = `/invoices/${sent.id}/check`;
  const before = (await moments(sent.id)).answered;
  await Promise.all([member.post(path), member.post(path), member.post(path)]);
  await poll("the answer", async () => (await moments(sent.id)).answered !== before);
  const { checked } = await moments(sent.id);
  await member.post(path);
  assert.match(String(await said()), /^The warehouse was asked \d+ s ago\. Once a minute is enough/);
  assert.equal((await moments(sent.id)).checked, checked);
  const { text } = await member.get(`/invoices/${sent.id}`);
  assert.match(text, /Checked just now/);
  assert.doesNotMatch(text, /\/check"/);
  await server.sql("update invoices set wms_checked_at = now() - interval '61 seconds' where id = $1", [sent.id]);
  await member.post(path);
  assert.match(String(await said()), /is being asked/);
});

test("a warehouse that hangs makes nobody wait, and another check asks it again after a minute", async () => {
  const sent = await stuck();
  await administer(server.simulator, "PUT", `/faults?instance=${sent.instance}`, { hang: 1 });
  const struck = async () => {
    const { struck: counts } = (await administer(server.simulator, "GET", "/faults")) as {
      struck: Record<string, number>;
    };
    return counts["hang"] ?? 0;
  };
  await member.post(`/invoices/${sent.id}/check`);
  // The answer came while the call hangs.
  const { text } = await member.get(`/invoices/${sent.id}`);
  assert.match(text, /<div id="invoice" data-refresh>/);
  assert.match(text, /Asking the warehouse…/);
  await poll("the call", async () => (await struck()) > 0);
  await server.sql("update invoices set wms_checked_at = now() - interval '61 seconds' where id = $1", [sent.id]);
  await server.sql("update jobs set run_at = now() + interval '10 minutes' where subject = $1 and state = 'waiting'", [
    sent.company,
  ]);
  await administer(server.simulator, "PUT", `/faults?instance=${sent.instance}`, {});
  const before = (await moments(sent.id)).answered;
  await poll("the end of the call", async () => {
    const [job] = await server.sql("select state from jobs where kind = 'follow-orders' and subject = $1", [
      sent.company,
    ]);
    return job?.state === "waiting";
  });
  await member.post(`/invoices/${sent.id}/check`);
  await poll("the answer", async () => (await moments(sent.id)).answered !== before);
});

test("a pause that the warehouse asked for is kept, and the page says until when", async () => {
  const sent = await stuck();
  // As follow-orders leaves it after a Retry-After: an order is due, and the job waits. It happens in one transaction,
  // because the job would run as soon as the order is due.
  await server.sql(`do $$ begin
    update invoices set wms_poll_at = now() - interval '5 seconds' where id = ${sent.id};
    update jobs set run_at = now() + interval '10 minutes', is_sparing = false
    where kind = 'follow-orders' and subject = ${sent.company} and state = 'waiting';
  end $$`);
  await member.post(`/invoices/${sent.id}/check`);
  assert.match(
    String(await said()),
    /^The warehouse asked for a pause, or did not answer several times\. It is checked automatically at \d\d:\d\d\.$/,
  );
  const [job] = await server.sql(
    "select run_at > now() + interval '9 minutes' as waits from jobs where kind = 'follow-orders' and subject = $1",
    [sent.company],
  );
  assert.equal(job?.waits, true);
  assert.equal((await moments(sent.id)).checked, null);
});

test("a pause that spares a silent warehouse ends when a person has it asked", async () => {
  const sent = await stuck();
  // As follow-orders leaves it after a call without an answer; in one transaction, as above.
  await server.sql(`do $$ begin
    update invoices set wms_poll_at = now() - interval '5 seconds' where id = ${sent.id};
    update jobs set run_at = now() + interval '10 minutes', is_sparing = true
    where kind = 'follow-orders' and subject = ${sent.company} and state = 'waiting';
  end $$`);
  const before = (await moments(sent.id)).answered;
  await member.post(`/invoices/${sent.id}/check`);
  assert.match(String(await said()), /is being asked/);
  await poll("the answer", async () => (await moments(sent.id)).answered !== before);
});

test("where nobody can be asked, the page says why", async () => {
  const sent = await stuck();
  const check = async () => {
    await member.post(`/invoices/${sent.id}/check`);
    return await said();
  };
  await server.sql("update companies set wms_key_refused_at = now() where id = $1", [sent.company]);
  assert.match(String(await check()), /refuses the key/);
  await server.sql("update companies set wms_key_refused_at = null, wms_subdomain = 'other' where id = $1", [
    sent.company,
  ]);
  assert.match(String(await check()), /no longer connected with/);
  await server.sql("update companies set wms_api_key = null where id = $1", [sent.company]);
  assert.match(String(await check()), /has no warehouse connection/);
  const { id } = (await tenant.post(`/api/v1/companies/${sent.company}/invoices`, { number: "NEED-NONE" })).body.data;
  await member.post(`/invoices/${id}/check`);
  assert.equal(await said(), "There is no order to check.");
});

test("an attempt of which nobody knows the outcome is looked up at once", async () => {
  const instance = `n${++serial}`;
  const company = await server.connect(tenant, instance);
  const { id } = (await tenant.post(`/api/v1/companies/${company}/invoices`, { number: `NEED-${serial}` })).body.data;
  await server.faults({ "500-after": 1 });
  await tenant.post(`/api/v1/invoices/${id}/wms-order`);
  await server.until(tenant, id, ({ state }) => state === "unknown");
  await server.faults({});
  await server.sql("update invoices set wms_open_since = now() - interval '2 hours' where id = $1", [id]);
  await server.sql("update jobs set run_at = now() + interval '10 minutes' where subject = $1 and state = 'waiting'", [
    id,
  ]);
  await member.post(`/invoices/${id}/check`);
  await server.until(tenant, id, ({ state }) => state === "sent");
  assert.equal((await server.orders(instance)).length, 1);
});

test("a need that is put off counts nowhere until its day, and comes back when the order moves", async () => {
  const sent = await stuck();
  assert.equal(await badge(), 1);
  const page = "/orders?state=attention";
  assert.equal((await member.post(`/invoices/${sent.id}/put-off`, { days: "3", to: page })).location, page);
  const { text } = await member.get(page);
  assert.match(text, /Put off until [^<]*, or until the order moves\. <form[^>]*put-off"><button[^>]*>Undo/);
  assert.deepEqual([await badge(), await listed("attention"), await listed("put_off")], [0, [], [sent.number]]);
  assert.doesNotMatch((await member.get("/today?whose=all")).text, new RegExp(sent.number));
  assert.match((await member.get("/orders?state=put_off")).text, /Not moved for 8 days\. Put off until /);
  for (const path of ["/orders?state=put_off", `/invoices/${sent.id}`]) {
    assert.match((await member.get(path)).text, /name="days" value="0">Show again now</, path);
  }
  assert.match((await member.get(`/invoices/${sent.id}`)).text, /form="take-up">Show again now<\/button>/);
  const { data } = (await tenant.get(`/api/v1/invoices/${sent.id}/history`)).body;
  assert.deepEqual([data[0].by.id, Object.keys(data[0].changed)], [member.userId, ["wms_put_off_until"]]);
  const [until] = await server.sql(
    "select (wms_put_off_until at time zone 'Europe/Bucharest')::text = ((now() at time zone 'Europe/Bucharest')::date + 3) || ' 00:00:00' as fits from invoices where id = $1",
    [sent.id],
  );
  assert.equal(until?.fits, true, "until the beginning of the third day");
  // Its day has come.
  await server.sql("update invoices set wms_put_off_until = now() - interval '1 second' where id = $1", [sent.id]);
  assert.deepEqual([await badge(), await listed("attention"), await listed("put_off")], [1, [sent.number], []]);
  // Or the order moves: then it is lost, which is another need.
  await member.post(`/invoices/${sent.id}/put-off`, { days: "7" });
  assert.equal(await badge(), 0);
  await administer(server.simulator, "PUT", `/orders/${sent.instance}/${sent.orderId}`, { vanished: true });
  await member.post(`/invoices/${sent.id}/check`);
  await server.until(tenant, sent.id, ({ error }) => error !== null);
  assert.deepEqual([await badge(), await listed("attention")], [1, [sent.number]]);
  await member.post(`/invoices/${sent.id}/put-off`, { days: "1" });
  assert.equal(await badge(), 0);
  await member.post(`/invoices/${sent.id}/put-off`, { days: "0" });
  assert.equal(await badge(), 1, "the rest was taken back");
  await member.post(`/invoices/${sent.id}/put-off`, { days: "2" });
  assert.equal(await badge(), 1, "no other number of days");
  await member.post(`/invoices/${sent.id}/settle`);
  assert.equal(await badge(), 0);
  await member.post(`/invoices/${sent.id}/put-off`, { days: "1" });
  assert.match(String(await said()), /nothing to put off/);
});

/** The only invoice that needs somebody: the warehouse has refused it. */
async function refusedInvoice(): Promise<{ id: number; number: string }> {
  const instance = `n${++serial}`;
  const company = await server.connect(tenant, instance);
  const number = `NEED-${serial}`;
  const { id } = (await tenant.post(`/api/v1/companies/${company}/invoices`, { number })).body.data;
  await administer(server.simulator, "PUT", `/faults?instance=${instance}`, { "422": 1 });
  await tenant.post(`/api/v1/invoices/${id}/wms-order`);
  await server.until(tenant, id, ({ state }) => state === "failed");
  assert.deepEqual(await listed("attention"), [number]);
  return { id, number };
}

test("a refusal is accepted as it is, and counts again only when it was sent and refused again", async () => {
  const { id, number } = await refusedInvoice();
  await member.post(`/invoices/${id}/settle`);
  assert.deepEqual([await badge(), await listed("attention"), await listed("refused")], [0, [], [number]]);
  assert.match((await member.get(`/invoices/${id}`)).text, new RegExp(`formaction="/invoices/${id}/send"`));
  await member.post(`/invoices/${id}/send`);
  await server.until(tenant, id, ({ state }) => state === "failed");
  await poll("the need", async () => (await badge()) === 1);
  await member.post(`/invoices/${id}/settle`);
});

test("an invoice that is cancelled after its refusal needs nobody, unless the database may have lost its order", async () => {
  const { id, number } = await refusedInvoice();
  const put = async (status: string) => (await tenant.put(`/api/v1/invoices/${id}`, { status })).body.data.wms;
  const { state, error } = await put("cancelled");
  assert.deepEqual([state, error, await listed("attention"), await badge()], ["not_sent", null, [], 0]);
  assert.equal((await put("issued")).state, "not_sent");
  await server.sql("update invoices set wms_state = 'failed' where id = $1", [id]);
  await server.sql("update tenants set orders_lost_at = now() - interval '30 days' where id = $1", [tenant.id]);
  assert.deepEqual([(await put("cancelled")).state, await listed("attention")], ["failed", [number]]);
});

async function link(id: number, orderId: number): Promise<void> {
  await server.sql("update invoices set wms_order_id = $2, wms_order_number = 'WO-7' where id = $1", [id, orderId]);
}

test("a link that is no warehouse order is kept in the history, and its invoice is not sent, until a person sends it", async () => {
  const instance = `n${++serial}`;
  const company = await server.connect(tenant, instance, { automatically: true });
  const number = `NEED-${serial}`;
  const { id } = (await tenant.post(`/api/v1/companies/${company}/invoices`, { number, status: "draft" })).body.data;
  await server.sql(
    "update invoices set status = 'issued', wms_order_id = 77, wms_order_number = 'WO-77' where id = $1",
    [id],
  );
  assert.deepEqual(await listed("attention"), [number]);
  const page = "/warehouse/reconfirm";
  const { text } = await member.get(page);
  assert.match(text, /Search again[^]*Not a warehouse order[^]*shows no order of this invoice/);
  assert.match(text, new RegExp(`${number} becomes an invoice that was not sent\\.`));
  // Somebody saw another order.
  await member.post(`/invoices/${id}/not-an-order`, { order: "78", to: page });
  assert.match(String(await said()), /has changed in the meantime/);
  assert.equal((await stranger.post(`/invoices/${id}/not-an-order`)).status, 404);
  assert.deepEqual(await listed("attention"), [number]);
  assert.equal((await member.post(`/invoices/${id}/not-an-order`, { order: "77", to: page })).location, page);
  assert.match(String(await said()), new RegExp(`^${number} is not sent now\\.`));
  const { wms } = (await tenant.get(`/api/v1/invoices/${id}`)).body.data;
  assert.deepEqual([wms.state, wms.order_id, wms.order_number], ["not_sent", null, null]);
  assert.equal(await badge(), 0);
  const { data } = (await tenant.get(`/api/v1/invoices/${id}/history`)).body;
  assert.deepEqual([data[0].by.id, data[0].changed.wms_order_id], [member.userId, { from: 77, to: null }]);
  assert.deepEqual((await server.sql("select count(*)::int as n from jobs where subject = $1", [id]))[0], { n: 0 });
  await member.post(`/invoices/${id}/send`);
  await server.until(tenant, id, ({ state }) => state === "sent");
  assert.equal((await server.orders(instance)).length, 1);
  // A link that a warehouse confirmed is not taken away.
  await member.post(`/invoices/${id}/not-an-order`);
  assert.equal((await tenant.get(`/api/v1/invoices/${id}`)).body.data.wms.state, "sent");
});

test("an invoice of which an attempt may have made an order is looked up before it is sent after all", async () => {
  const instance = `n${++serial}`;
  const company = await server.connect(tenant, instance);
  const { id } = (await tenant.post(`/api/v1/companies/${company}/invoices`, { number: `NEED-${serial}` })).body.data;
  await tenant.post(`/api/v1/invoices/${id}/wms-order`);
  const { order_id: made } = await server.until(tenant, id, ({ state }) => state === "sent");
  // A file names another order, of a warehouse that nobody knows.
  await server.sql("update invoices set wms_instance = null where id = $1", [id]);
  await link(id, 7);
  await member.post(`/invoices/${id}/not-an-order`);
  const { state } = (await tenant.get(`/api/v1/invoices/${id}`)).body.data.wms;
  assert.equal(state, "not_sent");
  const { status } = await tenant.put(`/api/v1/invoices/${id}`, { number: "ANOTHER" });
  assert.equal(status, 422, "the warehouse may have it");
  await member.post(`/invoices/${id}/send`);
  const { order_id: found } = await server.until(tenant, id, ({ state: is }) => is === "sent");
  assert.equal(found, made);
  assert.equal((await server.orders(instance)).length, 1);
});

test("another tenant's needs are missing", async () => {
  const sent = await stuck();
  for (const path of ["check", "put-off"]) {
    assert.equal((await stranger.post(`/invoices/${sent.id}/${path}`, { days: "7" })).status, 404);
  }
  assert.deepEqual([await badge(), (await moments(sent.id)).checked], [1, null]);
});
